// The first section: what this is, what stands out, what moves.

function overviewPage() {
  const plan = PLANS[state.plan];
  return el('div.page.overview', null,
    statsRow(), noShardings(),
    el('div.cards', null, memoryCard(), movesCard(plan), largestCard(plan), findingsCard(plan), differenceCard(), argumentsCard(), meshCard(), unsupportedCard(plan), keysCard()));
}

const card = (title, ...children) => el('section.card', null, el('h2', null, title), ...children);
const toTab = (tab, text) => el('a.link.more', { href: address({ tab }) }, text);

function totals() {
  const t = { sharded: 0, whole: 0, uneven: 0, argument: 0, argumentDevice: 0, arguments: 0 };
  for (let v = 0; v < VALUE_COUNT; ++v) {
    const p = pieceOf(state.plan, v);
    if (VALUES.kind[v] === 1) { ++t.arguments; t.argument += p.global; t.argumentDevice += p.bytes; }
    if (TYPES.bits[VALUES.type[v]] === 0) continue;
    if (p.sharded) ++t.sharded; else ++t.whole;
    if (p.uneven) ++t.uneven;
  }
  return t;
}

function statsRow() {
  const t = totals(), plan = PLANS[state.plan];
  const moved = plan.collectives.bytes.reduce((a, b) => a + b, 0);
  const stat = (tab, title, big, small) => el('a.stat', { href: address({ tab }) }, el('span.statname', null, title), el('span.statbig', null, big), el('span.statsmall', null, small));
  const m = plan.memory;
  return el('div.stats', null,
    m ? stat('memory', `Memory on ${m.device}`, bytes(m.total), m.usable < 0 ? '' : m.fits ? `fits in ${bytes(m.usable)}` : `does not fit in ${bytes(m.usable)}`) : null,
    stat('arguments', 'Arguments on a device', bytes(t.argumentDevice), `of ${bytes(t.argument)} in ${count(t.arguments)}`),
    stat('values', 'Values sharded', count(t.sharded), `${count(t.whole)} whole on every device${t.uneven ? `, ${count(t.uneven)} uneven` : ''}`),
    plan.partitioned ? stat('collectives', 'Moved a device and step', bytes(moved), `in ${plural(plan.collectives.kind.length, 'collective')}`) : null,
    stat('findings', 'Findings', count(plan.findings.rule.length), plan.findings.rule.length ? `of ${plural(new Set(plan.findings.rule).size, 'rule')}` : 'nothing to report'),
    DATA.difference ? stat('differences', `${PLANS[0].title} and ${PLANS[1].title}`, count(new Set(DATA.difference.members).size), `of ${count(DATA.difference.compared)} values differ`) : null);
}

function noShardings() {
  const t = totals();
  if (t.sharded > 0) return null;
  return el('p.notice', null, DATA.mesh.names.length ? 'No sharding: every value is whole on every device. ' : 'No mesh and no sharding: every value is whole on every device. ',
    'Give some with ', el('code', null, "--mesh data=2,model=4 --shard \"ARGUMENT=P('data')\""), '.');
}

// Bars: one for each set of axes, in it a part for each kind.
const KINDS = ['all-gather', 'all-reduce', 'reduce-scatter', 'all-to-all', 'collective-permute'];
const kindClass = (kind) => `kind${KINDS.indexOf(kind) < 0 ? 'x' : KINDS.indexOf(kind)}`;

function movesCard(plan) {
  const c = plan.collectives;
  if (!plan.partitioned) return card('What moves', el('p.muted', null, 'The program has not been partitioned.'));
  if (c.kind.length === 0) return card('What moves', el('p.muted', null, 'Nothing: there are no collectives.'));
  const over = new Map();
  c.kind.forEach((kind, i) => {
    const key = str(c.over[i]);
    if (!over.has(key)) over.set(key, { bytes: 0, count: 0, devices: str(c.devices[i]), kinds: new Map() });
    const o = over.get(key);
    o.bytes += c.bytes[i];
    ++o.count;
    const k = o.kinds.get(str(kind)) || { bytes: 0, count: 0 };
    k.bytes += c.bytes[i];
    ++k.count;
    o.kinds.set(str(kind), k);
  });
  const rows = [...over].sort((a, b) => b[1].bytes - a[1].bytes);
  const most = rows[0][1].bytes || 1;
  const kinds = [...new Set(c.kind.map(str))].sort();
  return card('What moves, by axis',
    el('ul.bars', null, rows.slice(0, 10).map(([name, o]) => el('li', null,
      el('div.barhead', null, overText(name), el('span.muted', null, o.devices), el('span.num', null, bytes(o.bytes))),
      el('div.bar', { role: 'img', 'aria-label': [...o.kinds].map(([k, x]) => `${count(x.count)} ${k}, ${bytes(x.bytes)}`).join('; ') },
        [...o.kinds].sort((a, b) => b[1].bytes - a[1].bytes).map(([k, x]) => el(`span.${kindClass(k)}`, { title: `${count(x.count)} ${k}, ${bytes(x.bytes)}`, style: { width: `${(100 * x.bytes) / most}%` } })))))),
    rows.length > 10 ? el('p.muted', null, `${rows.length - 10} more`) : null,
    el('p.legend', null, kinds.map((k) => el('span', null, el(`i.${kindClass(k)}`, { 'aria-hidden': 'true' }), k))),
    toTab('collectives', 'All collectives'));
}

function largestCard(plan) {
  const c = plan.collectives;
  if (c.kind.length === 0) return null;
  const rows = upTo(c.kind.length).sort((a, b) => c.bytes[b] - c.bytes[a]).slice(0, 6);
  return card('Largest collectives', el('ul.plain.list', null, rows.map((i) => el('li', null,
    el('a.link', { href: address({ item: `c${i}` }) }, str(c.kind[i])), overText(str(c.over[i])), el('span.num', null, bytes(c.bytes[i])),
    el('p.muted', null, `${str(c.place[i])}${c.place[i] >= 0 ? ' · ' : ''}${c.runs[i] > 1 ? `${count(c.runs[i])} times · ` : ''}${str(c.cause[i])}`)))), toTab('collectives', 'All collectives'));
}

function findingsCard(plan) {
  const f = plan.findings;
  if (f.rule.length === 0) return null;
  return card('Findings', el('ul.plain.list', null, upTo(Math.min(5, f.rule.length)).map((i) => el('li', null,
    el('a.link', { href: address({ item: `f${i}` }) }, str(f.rule[i])), el('span.num', null, f.bytes[i] ? bytes(f.bytes[i]) : ''), el('p.muted', null, str(f.message[i]))))),
  toTab('findings', `All ${count(f.rule.length)}`));
}

function differenceCard() {
  if (!DATA.difference) return DATA.whyNoOther ? card('The other partitioner', el('p.muted', null, DATA.whyNoOther)) : null;
  const partings = worstPartings().slice(0, 4);
  return card(`${PLANS[0].title} and ${PLANS[1].title}`, differenceSummary(),
    el('ul.plain.list', null, partings.map((v) => el('li', null, valueLink(v), el('span.opword', null, opWord(v)),
      el('p.two', null, el('span.muted', null, PLANS[0].title), ' ', specText(0, shardingOf(0, v)), el('span.muted', null, PLANS[1].title), ' ', specText(1, shardingOf(1, v)))))),
    toTab('differences', 'All differences'));
}

function argumentsCard() {
  const args = upTo(VALUE_COUNT).filter((v) => VALUES.kind[v] === 1).sort((a, b) => deviceBytes(state.plan, b) - deviceBytes(state.plan, a) || a - b);
  if (args.length === 0) return null;
  const most = Math.max(1, deviceBytes(state.plan, args[0]));
  return card('Largest arguments on a device', el('ul.bars', null, args.slice(0, 7).map((v) => el('li', null,
    el('div.barhead', null, valueLink(v), specText(state.plan, shardingOf(state.plan, v)), el('span.num', null, bytes(deviceBytes(state.plan, v)))),
    el('div.bar', { 'aria-hidden': 'true' }, el('span.kindx', { style: { width: `${(100 * deviceBytes(state.plan, v)) / most}%` } }))))),
  toTab('arguments', 'All arguments and results'));
}

function meshCard() {
  const m = DATA.mesh;
  if (m.names.length === 0) return null;
  return card('Mesh', el('p.sentence', null, `${plural(m.devices, 'device')}, the last axis varies fastest.`),
    el('ul.plain.mesh', null, m.names.map((id, i) => el('li', null, el(`span.chip.${axisClass(str(id))}`, null, str(id)), el('span.num', null, count(m.sizes[i]))))));
}

function unsupportedCard(plan) {
  if (plan.unsupported.length === 0) return null;
  const ops = plan.unsupported.filter((op) => op >= 0);
  return card('Nothing is known about', el('p.muted', null, 'No sharding goes through these operations.'),
    el('ul.plain.list', null, ops.slice(0, 8).map((op) => el('li', null, OPS.results[op] > 0 ? valueLink(OPS.first[op], str(OPS.word[op])) : el('code', null, str(OPS.word[op]))))));
}

function keysCard() {
  const keys = [['/', 'search'], ['1 … 9', 'sections'], ['↑ ↓', 'rows of a table'], ['Enter', 'details'], ['Esc', 'close, go back'], ['p', 'other partitioner']];
  return card('Keys', el('dl.keys', null, keys.map(([k, what]) => el('div', null, el('dt', null, el('kbd', null, k)), el('dd', null, what)))));
}
