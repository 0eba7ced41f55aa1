// The pane of details: a value, a collective, a finding, a buffer. Everything in it that names a value leads there.

let focusDetail = false;

function showDetail() {
  const pane = $('detail');
  const item = state.item;
  document.body.classList.toggle('withdetail', item !== null);
  if (item === null) {
    pane.hidden = true;
    pane.replaceChildren();
    return;
  }
  const row = Number(item.slice(1));
  const makers = { v: valueDetail, c: collectiveDetail, f: findingDetail, b: bufferDetail };
  const limits = { v: VALUE_COUNT, c: PLANS[state.plan].collectives.kind.length, f: PLANS[state.plan].findings.rule.length, b: memoryOf() ? memoryOf().buffers.bytes.length : 0 };
  if (!(item[0] in makers) || row >= limits[item[0]]) return go({ item: null });
  pane.hidden = false;
  pane.replaceChildren(...makers[item[0]](row).filter(Boolean));
  pane.scrollTop = 0;
  if (focusDetail) {
    focusDetail = false;
    pane.querySelector('h2').focus();
  }
}

function closeDetail() {
  go({ item: null });
  const table = document.querySelector('#panel .table');
  if (table) table.focus();
}

function detailHead(title, sub) {
  return el('header', null,
    el('h2', { tabindex: -1 }, title),
    el('button.icon', { type: 'button', 'aria-label': 'Close details', onclick: closeDetail }, '✕'),
    el('p.muted', null, sub));
}
const section = (title, ...children) => el('section', null, el('h3', null, title), ...children);

function facts(pairs) {
  return el('dl.facts', null, pairs.filter(([, value]) => value !== null && value !== '').map(([name, value]) =>
    el('div', null, el('dt', null, name), el('dd', null, value))));
}

function valueDetail(v) {
  const op = opOf(v);
  const type = VALUES.type[v];
  const fn = str(VALUES.fn[v]);
  const sub = [typeLabel(type), placeOf(v), VALUES.line[v] ? `line ${VALUES.line[v]}` : '', fn ? `in @${fn}` : '', str(VALUES.region[v])];
  if (sub[1] === `line ${VALUES.line[v]}`) sub.splice(1, 1);
  const plans = PLANS.map((_, i) => i).sort((a, b) => (a === state.plan ? -1 : b === state.plan ? 1 : 0));
  return [
    detailHead([el('code', null, valueLabel(v)), ' ', el('span.opword', null, opWord(v))], sub.filter(Boolean).join(' · ')),
    el('p.actions', null,
      DATA.program.scopes.name.length ? el('a.button', { href: address({ tab: 'graph' }), onclick: () => { graphWanted = v; } }, 'Show in graph') : null,
      el('a.button', { href: address({ tab: 'values' }), onclick: () => { tableWanted = v; } }, 'Show in table')),
    ...(PLANS.length > 1 && !differs(v)
      ? [planSection(v, plans[0], `${PLANS[plans[0]].title}, and ${PLANS[plans[1]].title} agrees`)]
      : plans.map((p) => planSection(v, p, PLANS[p].title))),
    collectivesOf(v),
    usesSection(v, op),
    sourceSection(v),
    op >= 0 && ruleOf(op) ? section('Factor rule', el('code.block', null, ruleOf(op))) : null,
  ];
}

function ruleOf(op) {
  const plan = PLANS.find((p) => p.rule);
  return plan && plan.rule[op] >= 0 ? str(plan.rule[op]) : '';
}

function planSection(v, plan, title) {
  const type = VALUES.type[v], sharding = shardingOf(plan, v), p = pieceOf(plan, v);
  const s = sharding >= 0 ? PLANS[plan].shardings[sharding] : null;
  const isArray = TYPES.bits[type] > 0 && sharding !== ABSENT;
  return el('section.plan', null,
    el('h3', null, title, PLANS.length > 1 && differs(v) ? el('span.tag.differs', null, 'differs') : null),
    el('p.bigspec', null, specText(plan, sharding)),
    isArray ? facts([['On a device', el('code', null, shapeText(p.shape))], ['Bytes', p.bytes === p.global ? bytes(p.bytes) : `${bytes(p.bytes)} of ${bytes(p.global)}`]]) : null,
    isArray ? arrayPicture(plan, type, sharding) : null,
    originsOf(v, plan),
    s && (s.sdy || s.hlo) ? el('details', null, el('summary', null, 'Other spellings'), s.sdy ? el('code.block', null, s.sdy) : null, s.hlo ? el('code.block', null, s.hlo) : null) : null);
}

// ---- where each axis comes from ----

function chainOf(plan, origin) {
  const chain = [];
  for (let o = origin; o >= 0; o = PLANS[plan].origins.parent[o]) chain.push(o);
  return chain.reverse();
}

function originsOf(v, plan) {
  const sharding = shardingOf(plan, v);
  if (sharding < 0) return sharding === ABSENT ? el('p.muted', null, 'Not there: nothing uses it, or it is simplified away, before the partitioner runs.') : null;
  const s = PLANS[plan].shardings[sharding];
  if (s.axes.length === 0) return null;
  const begin = PLANS[plan].whyBegin[v];
  const groups = [];
  s.axes.forEach((axis, i) => {
    const origin = begin + i < PLANS[plan].whyBegin[v + 1] ? PLANS[plan].why[begin + i] : -1;
    const chain = chainOf(plan, origin);
    const last = groups[groups.length - 1];
    if (last && last.dim === s.axisDims[i] && sameWay(plan, last.chain, chain)) last.axes.push(str(axis));
    else groups.push({ dim: s.axisDims[i], axes: [str(axis)], chain });
  });
  return el('div.origins', null, groups.map((g) => chainList(plan, g)));
}

function sameWay(plan, a, b) {
  const o = PLANS[plan].origins;
  return a.length === b.length && a.every((x, i) => o.value[x] === o.value[b[i]] && o.dim[x] === o.dim[b[i]]);
}

const CHAIN_SHOWN = 10;

function chainList(plan, { dim, axes, chain }) {
  const head = el('h4', null, `Dimension ${dim} `, axes.map((a) => el(`span.chip.${axisClass(a.replace(/:\(.*$/, ''))}`, null, a)));
  if (chain.length === 0) return el('div', null, head, el('p.muted', null, 'As the file has it.'));
  const list = el('ol.chain');
  const add = (from, to) => { for (let i = from; i < to; ++i) list.append(chainStep(plan, chain[i], i === 0)); };
  if (chain.length <= CHAIN_SHOWN + 2) {
    add(0, chain.length);
  } else {
    const half = CHAIN_SHOWN / 2;
    add(0, half);
    const hidden = chain.slice(half, -half);
    const more = el('li.more', null, el('button', { type: 'button', onclick: () => {
      more.replaceWith(...hidden.map((o) => chainStep(plan, o, false)));
    } }, `${count(hidden.length)} steps more`));
    list.append(more);
    add(chain.length - half, chain.length);
  }
  return el('div', null, head, list);
}

function chainStep(plan, o, first) {
  const origins = PLANS[plan].origins;
  const v = origins.value[o];
  const place = v >= 0 ? placeOf(v) : 'result of main';
  const round = str(origins.round[o]);
  return el(`li${first ? '.root' : ''}`, null,
    el('p', null, v >= 0 ? valueLink(v) : el('code', null, str(TYPES.outputNames[-2 - v])), ' ',
      v >= 0 && VALUES.op[v] >= 0 ? el('span.opword', null, opWord(v)) : null, el('span.place', null, place)),
    el('p.muted', null, str(origins.words[o]), round ? ` · ${round}` : ''));
}

// ---- the rest about a value ----

function collectivesOf(v) {
  const all = PLANS[state.plan].collectives;
  const found = new Set(opOf(v) >= 0 ? collectivesOfOp(state.plan, opOf(v)) : []);
  all.value.forEach((value, c) => { if (value === v) found.add(c); });
  if (!PLANS[state.plan].partitioned) return null;
  const list = [...found].sort((a, b) => all.bytes[b] - all.bytes[a]);
  if (list.length === 0) return section('Collectives', el('p.muted', null, 'None here.'));
  return section(`Collectives (${list.length})`, el('ul.plain', null, list.slice(0, 12).map((c) => el('li', null,
    el('a.link', { href: address({ item: `c${c}` }) }, `${str(all.kind[c])} ${str(all.over[c])}`), ' ',
    el('span.num', null, bytes(all.bytes[c])), el('p.muted', null, str(all.cause[c]))))),
  list.length > 12 ? el('p.muted', null, `${list.length - 12} more`) : null);
}

const USES_SHOWN = 8;

function linkList(values) {
  const shown = values.slice(0, USES_SHOWN);
  return [shown.map((v) => el('li', null, valueLink(v), ' ', el('span.opword', null, opWord(v)), ' ', specText(state.plan, shardingOf(state.plan, v)))),
    values.length > USES_SHOWN ? el('li.muted', null, `${count(values.length - USES_SHOWN)} more`) : null];
}

function usesSection(v, op) {
  const operands = op >= 0 ? [...new Set(operandsOf(op))].filter((o) => o >= 0) : [];
  const users = usersOf(v).filter((u) => OPS.results[u] > 0).map((u) => OPS.first[u]);
  return section('Operands and users',
    operands.length ? el('ul.plain.uses', { 'aria-label': 'Operands' }, linkList(operands)) : el('p.muted', null, 'No operands.'),
    el('p.usedby', null, users.length ? 'Used by' : 'Not used by another operation.'),
    users.length ? el('ul.plain.uses', { 'aria-label': 'Users' }, linkList(users)) : null);
}

function sourceSection(v) {
  const line = VALUES.source[v];
  if (line < 0) return null;
  return section(`${DATA.file}, line ${VALUES.line[v]}`, el('code.block', null, marked(DATA.program.lines[line], valueName(v).replace(/#\d+$/, ''))));
}

// The line, with the name in it marked.
function marked(text, name) {
  const at = text.indexOf(name);
  if (name === '' || at < 0) return text;
  return [text.slice(0, at), el('mark', null, name), text.slice(at + name.length)];
}

function collectiveDetail(c) {
  const all = PLANS[state.plan].collectives;
  const v = all.op[c] >= 0 && OPS.results[all.op[c]] > 0 ? OPS.first[all.op[c]] : -1;
  const moved = all.value[c];
  const runs = all.unknownRuns[c] ? 'in a loop of unknown length' : all.runs[c] === 1 ? 'once' : `${count(all.runs[c])} times`;
  return [
    detailHead([el('code', null, str(all.kind[c])), ' ', el('span.opword', null, str(all.over[c]))], [str(all.shape[c]), str(all.place[c])].filter(Boolean).join(' · ')),
    section('Why', el('p', null, str(all.cause[c])),
      facts([['Operation', v >= 0 ? [valueLink(v), ' ', opWord(v)] : null], ['Moves', moved >= 0 ? [valueLink(moved), ' ', opWord(moved)] : null]])),
    movedSection(moved, all.from[c], all.to[c]),
    section('How much', facts([['Groups', str(all.devices[c])], ['Result', el('code', null, str(all.shape[c]))], ['Bytes of one', bytes(all.one[c])],
      ['Runs a step', runs], ['Bytes a step', bytes(all.bytes[c])], ['Written by', all.user[c] ? 'the user' : PLANS[state.plan].title]])),
    v >= 0 ? sourceSection(v) : null,
  ];
}

// The array that is moved, before and after: where both are shardings of the whole of it over all devices.
function movedSection(v, from, to) {
  const whole = (sharding) => {
    if (sharding < 0) return false;
    const s = PLANS[state.plan].shardings[sharding];
    return s.kind === 'replicated' || (s.kind === 'tiled' && s.dataRank === dimsOf(VALUES.type[v]).length && s.tile.reduce((a, b) => a * b, 1) === (DATA.mesh.devices || 0));
  };
  if (v < 0 || !whole(from) || !whole(to)) return null;
  const part = (title, sharding) => el('div', null, el('h4', null, title, ' ', specText(state.plan, sharding)), arrayPicture(state.plan, VALUES.type[v], sharding));
  return section(['Before and after: ', el('code', null, `${valueLabel(v)} ${typeLabel(VALUES.type[v])}`)], part('Before', from), part('After', to));
}

function findingDetail(f) {
  const all = PLANS[state.plan].findings;
  const v = all.value[f];
  return [
    detailHead(str(all.rule[f]), v >= 0 ? placeOf(v) : 'the program'),
    section('What', el('p', null, str(all.message[f])), facts([['Value', v >= 0 ? [valueLink(v), ' ', opWord(v)] : null], ['More on each device', all.bytes[f] > 0 ? bytes(all.bytes[f]) : null]])),
    all.fix[f] >= 0 ? section('What to do', el('code.block', null, str(all.fix[f]))) : null,
    v >= 0 ? planSection(v, state.plan, PLANS[state.plan].title) : null,
    v >= 0 ? sourceSection(v) : null,
  ];
}
