// The sections: what each table shows, and the choices above it.

let tableWanted = -1;  // a value that the table of values is to scroll to

const right = true;
const tablePages = {};

// A page with one table; made when it is first seen, filled again when the plan changes.
function tablePage(id, make) {
  return () => {
    if (!tablePages[id]) tablePages[id] = make();
    const page = tablePages[id];
    if (page.plan !== state.plan) {
      page.plan = state.plan;
      page.refresh();
    }
    return page.node;
  };
}

function simplePage({ id, label, what, columns, choices = [], rows, open, rowHeight, before }) {
  const table = new Table({ id: `${id}-table`, label, columns, open, rowHeight });
  const tools = tableTools(table, choices, what);
  const node = el('div.page', null, before ? before() : null, tools.node, table.wrap);
  return { node, table, tools, refresh: () => { table.setRows(rows()); tools.run(); } };
}

const upTo = (n) => Array.from({ length: n }, (_, i) => i);
const options = (all, values) => [['', all], ...values.map((v) => [v, v])];
const distinct = (ids) => [...new Set(ids)].filter((id) => id >= 0).map(str).sort(collator.compare);

const nameColumn = (v = (r) => r) => ({
  id: 'name', title: 'Name', width: 150, grow: 2, text: (r) => valueLabel(v(r)) + (VALUES.argument[v(r)] >= 0 ? ` ${valueName(v(r))}` : ''),
  cell: (r) => el('code', null, valueLabel(v(r))),
});
const opColumn = (v = (r) => r) => ({ id: 'op', title: 'Operation', width: 130, grow: 1, priority: 3, text: (r) => opWord(v(r)) });
const placeColumn = (v = (r) => r) => ({ id: 'place', title: 'Where', width: 120, grow: 1, priority: 4, text: (r) => (VALUES.kind[v(r)] === 1 ? '' : placeOf(v(r))) });
const globalColumn = (v = (r) => r) => ({ id: 'global', title: 'Global', width: 150, grow: 1, priority: 5, text: (r) => typeLabel(VALUES.type[v(r)]), key: (r) => pieceOf(0, v(r)).global, cell: (r) => el('code', null, typeLabel(VALUES.type[v(r)])) });
const isArray = (v) => TYPES.bits[VALUES.type[v]] > 0;
const deviceShape = (plan, v) => (isArray(v) && shardingOf(plan, v) !== ABSENT ? shapeText(pieceOf(plan, v).shape) : '');
const deviceColumn = (v = (r) => r) => ({ id: 'device', title: 'On a device', width: 120, grow: 1, priority: 6, text: (r) => deviceShape(state.plan, v(r)), cell: (r) => el('code', null, deviceShape(state.plan, v(r))) });
const specColumn = (plan, title, v = (r) => r, priority) => ({
  id: `spec${plan ?? ''}`, title, width: plan === null ? 165 : 200, grow: 2, priority,
  text: (r) => specOf(plan ?? state.plan, shardingOf(plan ?? state.plan, v(r))),
  cell: (r) => specText(plan ?? state.plan, shardingOf(plan ?? state.plan, v(r))),
});
const deviceBytes = (plan, v) => (shardingOf(plan, v) === ABSENT ? 0 : pieceOf(plan, v).bytes);
const bytesColumn = (v = (r) => r) => ({ id: 'bytes', title: 'Bytes', width: 88, right, text: (r) => (shardingOf(state.plan, v(r)) === ABSENT ? '' : bytes(deviceBytes(state.plan, v(r)))), key: (r) => deviceBytes(state.plan, v(r)) });

function cutTests(kind, v = (r) => r) {
  return {
    sharded: (r) => pieceOf(state.plan, v(r)).sharded,
    whole: (r) => isArray(v(r)) && !pieceOf(state.plan, v(r)).sharded,
    uneven: (r) => pieceOf(state.plan, v(r)).uneven,
    differs: (r) => differs(v(r)),
    absent: (r) => shardingOf(state.plan, v(r)) === ABSENT,
  }[kind];
}
const cutChoice = (v) => ({
  label: 'Which shardings',
  options: () => [['', 'All shardings'], ['sharded', 'Sharded'], ['whole', 'Whole on every device'], ['uneven', 'Divided unevenly'],
    ...(PLANS.length > 1 ? [['differs', 'Partitioners differ']] : []), ['absent', 'Not there']],
  test: (value) => cutTests(value, v),
});
const axisChoice = () => ({
  label: 'Which axis',
  options: () => [['', 'Any axis'], ...DATA.mesh.names.map((id) => [str(id), `Over ${str(id)}`])],
  test: (axis) => (r) => axesOf(state.plan, shardingOf(state.plan, r)).includes(axis),
});

const pages = {
  overview: overviewPage,
  values: tablePage('values', () => simplePage({
    id: 'values', label: 'Values', what: 'values', rows: () => upTo(VALUE_COUNT), open: (v) => `v${v}`,
    columns: [nameColumn(), opColumn(), placeColumn(), globalColumn(), deviceColumn(), specColumn(null, 'Sharding'), bytesColumn()],
    choices: [cutChoice(), axisChoice(), {
      label: 'Which operation', options: () => options('All operations', distinct(OPS.word)),
      test: (word) => (v) => opOf(v) >= 0 && str(OPS.word[opOf(v)]) === word,
    }],
  })),
  collectives: tablePage('collectives', collectivesPage),
  findings: tablePage('findings', () => {
    const all = () => PLANS[state.plan].findings;
    return simplePage({
      id: 'findings', label: 'Findings', what: 'findings', rowHeight: (width) => (width < 1100 ? 64 : 46), rows: () => upTo(all().rule.length), open: (f) => `f${f}`,
      columns: [
        { id: 'rule', title: 'Rule', width: 150, priority: 2, text: (f) => str(all().rule[f]) },
        { id: 'where', title: 'Where', width: 120, priority: 3, text: (f) => (all().value[f] >= 0 ? placeOf(all().value[f]) : '') },
        { id: 'what', title: 'What', width: 260, grow: 4, text: (f) => `${str(all().message[f])}\n${str(all().fix[f])}`,
          cell: (f) => el('div.twoline', null, el('span', null, str(all().message[f])), el('span.muted', null, str(all().fix[f]).split('\n')[0])) },
        { id: 'bytes', title: 'Bytes', width: 88, right, text: (f) => (all().bytes[f] > 0 ? bytes(all().bytes[f]) : ''), key: (f) => all().bytes[f] },
      ],
      choices: [{ label: 'Which rule', options: () => options('All rules', distinct(PLANS.flatMap((p) => p.findings.rule))), test: (rule) => (f) => str(all().rule[f]) === rule }],
    });
  }),
  arguments: tablePage('arguments', argumentsPage),
  differences: tablePage('differences', differencesPage),
  graph: graphPage,
  memory: tablePage('memory', memoryPage),
};

function collectivesPage() {
  const all = () => PLANS[state.plan].collectives;
  const text = (key) => (c) => str(all()[key][c]);
  return simplePage({
    id: 'collectives', label: 'Collectives', what: 'collectives', rows: () => upTo(all().kind.length).sort((a, b) => all().bytes[b] - all().bytes[a] || a - b), open: (c) => `c${c}`,
    columns: [
      { id: 'kind', title: 'Collective', width: 130, grow: 1, text: text('kind') },
      { id: 'over', title: 'Over', width: 120, grow: 1, text: text('over'), cell: (c) => overText(str(all().over[c])) },
      { id: 'devices', title: 'Groups', width: 84, priority: 6, text: text('devices') },
      { id: 'shape', title: 'Result', width: 160, grow: 1, priority: 4, text: text('shape'), cell: (c) => el('code', null, str(all().shape[c])) },
      { id: 'place', title: 'Where', width: 110, grow: 1, priority: 3, text: text('place') },
      { id: 'cause', title: 'Why', width: 240, grow: 4, priority: 5, text: text('cause') },
      { id: 'runs', title: 'Runs', width: 62, right, priority: 2, text: (c) => (all().unknownRuns[c] ? '≥ 1' : count(all().runs[c])), key: (c) => all().runs[c] },
      { id: 'bytes', title: 'Bytes a step', width: 114, right, text: (c) => bytes(all().bytes[c]), key: (c) => all().bytes[c] },
    ],
    choices: [
      { label: 'Which kind', options: () => options('All kinds', distinct(PLANS.flatMap((p) => p.collectives.kind))), test: (k) => (c) => str(all().kind[c]) === k },
      { label: 'Over which axes', options: () => options('All axes', distinct(PLANS.flatMap((p) => p.collectives.over)).slice(0, 200)), test: (o) => (c) => str(all().over[c]) === o },
    ],
  });
}

// "over {data, fsdp}" as chips.
function overText(text) {
  const match = /^over \{(.*)\}$/.exec(text);
  if (!match) return text;
  return el('span.chips', null, match[1].split(', ').map((a) => el(`span.chip.${axisClass(a.replace(/:\(.*$/, ''))}`, null, a)));
}

// Arguments and results of main in one table; results have no value of their own.
function argumentsPage() {
  const args = upTo(VALUE_COUNT).filter((v) => VALUES.kind[v] === 1);
  const rows = [...args.map((v) => ({ v })), ...TYPES.outputs.map((type, i) => ({ type, i }))];
  const typeOf = (r) => ('v' in r ? VALUES.type[r.v] : r.type);
  const shardingIn = (plan, r) => ('v' in r ? shardingOf(plan, r.v) : PLANS[plan].outputs[r.i]);
  const pieceIn = (plan, r) => piece(plan, typeOf(r), shardingIn(plan, r));
  const label = (r) => ('v' in r ? valueLabel(r.v) : str(TYPES.outputNames[r.i]));
  const spec = (plan, title, priority) => ({ id: `spec${plan}`, title, width: 200, grow: 3, priority, text: (r) => specOf(plan, shardingIn(plan, r)), cell: (r) => specText(plan, shardingIn(plan, r)) });
  return simplePage({
    id: 'arguments', label: 'Arguments and results', what: 'arrays', rows: () => rows, open: (r) => ('v' in r ? `v${r.v}` : null),
    columns: [
      { id: 'name', title: 'Name', width: 160, grow: 2, text: (r) => ('v' in r && VALUES.argument[r.v] >= 0 ? `${label(r)} ${valueName(r.v)}` : label(r)), cell: (r) => el('code', null, label(r)) },
      { id: 'kind', title: 'Kind', width: 84, priority: 3, text: (r) => ('v' in r ? 'argument' : 'result') },
      { id: 'global', title: 'Global', width: 150, grow: 1, priority: 4, text: (r) => typeLabel(typeOf(r)), key: (r) => pieceIn(0, r).global, cell: (r) => el('code', null, typeLabel(typeOf(r))) },
      { id: 'device', title: 'On a device', width: 120, grow: 1, priority: 5, text: (r) => (TYPES.bits[typeOf(r)] ? shapeText(pieceIn(state.plan, r).shape) : ''), cell: (r) => el('code', null, TYPES.bits[typeOf(r)] ? shapeText(pieceIn(state.plan, r).shape) : '') },
      ...PLANS.map((p, i) => spec(i, p.title, i ? 2 : undefined)),
      { id: 'bytes', title: 'Bytes', width: 88, right, text: (r) => bytes(pieceIn(state.plan, r).bytes), key: (r) => pieceIn(state.plan, r).bytes },
    ],
    choices: [
      { label: 'Which kind', options: () => [['', 'Arguments and results'], ['argument', 'Arguments'], ['result', 'Results']], test: (k) => (r) => ('v' in r) === (k === 'argument') },
      { label: 'Which shardings', options: () => [['', 'All shardings'], ['sharded', 'Sharded'], ['whole', 'Whole on every device'], ...(PLANS.length > 1 ? [['differs', 'Partitioners differ']] : [])],
        test: (k) => (r) => (k === 'differs' ? ('v' in r ? differs(r.v) : DATA.difference.outputs.includes(r.i)) : pieceIn(state.plan, r).sharded === (k === 'sharded')) },
    ],
  });
}

// ---- differences of the partitioners ----

function differencesPage() {
  const d = DATA.difference;
  const groupOf = new Map();
  for (let g = 0; g < d.parting.length; ++g) for (let i = d.memberBegin[g]; i < d.memberBegin[g + 1]; ++i) groupOf.set(d.members[i], g);
  const following = (v) => {
    const g = groupOf.get(v);
    return g !== undefined && d.parting[g] === v ? d.memberBegin[g + 1] - d.memberBegin[g] - 1 : -1;
  };
  const change = (v) => deviceBytes(1, v) - deviceBytes(0, v);
  const partings = worstPartings();
  const views = {
    partings: () => partings,
    all: () => [...new Set(d.members)],
  };
  const page = simplePage({
    id: 'differences', label: 'Values whose sharding differs', what: 'values', open: (v) => `v${v}`,
    before: () => el('div.lead', null, differenceSummary(), settlementBox(), changesTable()),
    rows: () => views[page.tools.selects[0].select.value || 'partings'](),
    columns: [{ ...nameColumn(), grow: 1 }, opColumn(), placeColumn(), { ...globalColumn(), priority: 6 },
      specColumn(0, PLANS[0].title), specColumn(1, PLANS[1].title),
      { id: 'change', title: 'Change', width: 98, right, priority: 2, text: (v) => signedBytes(change(v)), key: change },
      { id: 'following', title: 'Follow', width: 80, right, priority: 1.5, text: (v) => (following(v) < 0 ? '' : count(following(v))), key: following }],
    choices: [{ label: 'Which differences', options: () => [['partings', 'Where they part'], ['all', 'All values that differ']], test: () => () => true }, cutChoice()],
  });
  page.tools.selects[0].select.addEventListener('change', () => { page.table.setRows(page.tools.selects[0].select.value === 'all' ? views.all() : views.partings()); });
  return page;
}

// Where the plans part, by how much more or less of the value a device holds.
function worstPartings() {
  const by = (v) => Math.abs(deviceBytes(1, v) - deviceBytes(0, v));
  return [...new Set(DATA.difference.parting)].filter((v) => v >= 0 && differs(v)).sort((a, b) => by(b) - by(a) || a - b);
}

function differenceSummary() {
  const d = DATA.difference;
  const names = `${PLANS[0].title} and ${PLANS[1].title}`;
  const differ = new Set(d.members).size;
  const sentence = differ + d.outputs.length === 0
    ? `${names} give every one of ${plural(d.compared, 'value')} the same sharding.`
    : `${names} differ on ${count(differ)} of ${plural(d.compared, 'value')}${d.outputs.length ? ` and on ${plural(d.outputs.length, 'result')} of main` : ''}.`;
  const more = d.bytesA === undefined || d.bytesA + d.bytesB === 0 ? '' : d.bytesA === d.bytesB ? ` A step moves ${bytes(d.bytesA)} a device under both.`
    : ` A step moves ${bytes(Math.abs(d.bytesB - d.bytesA))} ${d.bytesB > d.bytesA ? 'more' : 'less'} under ${PLANS[1].title} (${bytes(d.bytesA)} and ${bytes(d.bytesB)}).`;
  return el('p.sentence', null, sentence + more);
}

function settlementBox() {
  const s = DATA.difference.settlement;
  if (!s || s.value.length === 0) return null;
  return el('details.settle', null, el('summary', null, s.after === 0 ? `${plural(s.value.length, 'pin')} would settle it (tried)` : `${plural(s.value.length, 'pin')} would bring ${plural(s.before, 'difference')} down to ${count(s.after)} (tried)`),
    el('code.block', null, s.code.map((c) => str(c)).join('\n')));
}

function changesTable() {
  const c = DATA.difference.changes;
  if (!c || c.kind.length === 0) return null;
  const rows = upTo(c.kind.length).slice(0, 200);
  const side = (runs, total) => (runs ? `${count(runs)} (${bytes(total)})` : 'none');
  return el('details.settle', null, el('summary', null, `${plural(c.kind.length, 'change')} of collectives`),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Changes of collectives' }, el('table.plain', null,
      el('thead', null, el('tr', null, ['Collective', 'Where', PLANS[0].title, PLANS[1].title, 'Change'].map((t) => el('th', { scope: 'col' }, t)))),
      el('tbody', null, rows.map((i) => el('tr', null, el('td', null, str(c.kind[i]), ' ', overText(str(c.over[i]))), el('td', null, str(c.place[i])),
        el('td', null, side(c.runsA[i], c.bytesA[i])), el('td', null, side(c.runsB[i], c.bytesB[i])), el('td.num', null, signedBytes(c.bytesB[i] - c.bytesA[i]))))))),
    c.kind.length > rows.length ? el('p.muted', null, `${count(c.kind.length - rows.length)} more: shardwright diff`) : null);
}
