// The data, how it is said in words, and how elements are made. Text of the program under report goes into the page as
// text nodes and attributes only, never as markup.

const DATA = JSON.parse(document.getElementById('data').textContent);
const STRINGS = DATA.strings;
const VALUES = DATA.program.values;
const OPS = DATA.program.ops;
const TYPES = DATA.program.types;
const SCOPES = DATA.program.scopes;
const PLANS = DATA.plans;
const VALUE_COUNT = VALUES.name.length;
const OP_COUNT = OPS.word.length;
const ABSENT = -2;

const str = (id) => (id < 0 ? '' : STRINGS[id]);
const $ = (id) => document.getElementById(id);

// el('a.b', {href: '#x', onclick: f}, 'text', child, ...)
function el(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.');
  return fill(document.createElement(name || 'div'), classes, attributes, children);
}
function svg(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.');
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), classes, attributes, children);
}
function fill(node, classes, attributes, children) {
  if (classes.length) node.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') for (const [p, v] of Object.entries(value)) node.style.setProperty(p, v);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== ''));
  return node;
}

// ---- words ----

const number = new Intl.NumberFormat('en-US');
const count = (n) => number.format(n);
const plural = (n, what) => `${count(n)} ${what}${n === 1 ? '' : 's'}`;

function bytes(n) {
  if (n < 1024) return `${n} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let u = -1;
  do { n /= 1024; ++u; } while (n >= 1023.95 && u + 1 < units.length);
  return `${n.toFixed(1)} ${units[u]}`;
}
const signedBytes = (n) => (n === 0 ? 'same' : (n > 0 ? '+' : '−') + bytes(Math.abs(n)));

// Numbers of devices: "0–3, 8, 9".
function ranges(numbers, most = 6) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let j = i;
    while (j + 1 < numbers.length && numbers[j + 1] === numbers[j] + 1) ++j;
    if (parts.length === most) return `${parts.join(', ')}, …`;
    parts.push(j > i + 1 ? `${numbers[i]}–${numbers[j]}` : numbers.slice(i, j + 1).join(', '));
    i = j + 1;
  }
  return parts.join(', ');
}

// ---- the program ----

const valueName = (v) => str(VALUES.name[v]);
const valueLabel = (v) => (VALUES.argument[v] >= 0 ? str(VALUES.argument[v]) : valueName(v));
const opOf = (v) => VALUES.op[v];
const opWord = (v) => (VALUES.op[v] >= 0 ? str(OPS.word[VALUES.op[v]]) : VALUES.kind[v] === 1 ? 'argument' : str(VALUES.region[v]) || 'block argument');
const placeOf = (v) => str(VALUES.place[v]);
const typeLabel = (t) => str(TYPES.label[t]);
const dimsOf = (t) => TYPES.dims.slice(TYPES.dimsBegin[t], TYPES.dimsBegin[t + 1]);
const shapeText = (dims) => `[${dims.map((d) => (d < 0 ? '?' : d)).join(',')}]`;
const operandsOf = (op) => OPS.operands.slice(OPS.operandsBegin[op], OPS.operandsBegin[op + 1]);

function arrayBytes(type, dims) {
  if (TYPES.bits[type] === 0) return 0;
  let bits = TYPES.bits[type];
  for (const d of dims) bits *= Math.max(d, 0);
  return Math.ceil(bits / 8);
}

// Users of every value, found once: the ops with it as operand, as begin and list.
const usersOf = (() => {
  let begin = null, list = null;
  return (value) => {
    if (begin === null) {
      begin = new Int32Array(VALUE_COUNT + 2);
      for (const v of OPS.operands) if (v >= 0) ++begin[v + 2];
      for (let i = 2; i < begin.length; ++i) begin[i] += begin[i - 1];
      list = new Int32Array(OPS.operands.length);
      for (let op = 0; op < OP_COUNT; ++op)
        for (let i = OPS.operandsBegin[op]; i < OPS.operandsBegin[op + 1]; ++i)
          if (OPS.operands[i] >= 0) list[begin[OPS.operands[i] + 1]++] = op;
    }
    return [...new Set(list.subarray(begin[value], begin[value + 1]))];
  };
})();

// ---- a plan ----

// The piece of a value on one device, by type and sharding; made once for each pair.
const pieces = new Map();
function piece(plan, type, sharding) {
  const key = (plan * 1048576 + sharding + 2) * 1048576 + type;
  let p = pieces.get(key);
  if (p !== undefined) return p;
  const dims = dimsOf(type);
  const s = sharding >= 0 ? PLANS[plan].shardings[sharding] : null;
  const tiles = dims.map((_, d) => (s && s.kind === 'tiled' && d < s.dataRank ? s.tile[d] : 1));
  const shape = dims.map((n, d) => (n < 0 ? n : Math.ceil(n / tiles[d])));
  p = {
    dims, tiles, shape,
    bytes: arrayBytes(type, shape),
    global: arrayBytes(type, dims),
    sharded: tiles.some((n) => n > 1),
    uneven: dims.some((n, d) => n >= 0 && n % tiles[d] !== 0),
  };
  pieces.set(key, p);
  return p;
}
const shardingOf = (plan, v) => PLANS[plan].sharding[v];
const pieceOf = (plan, v) => piece(plan, VALUES.type[v], shardingOf(plan, v));

function specOf(plan, sharding) {
  if (sharding === ABSENT) return 'not there';
  if (sharding < 0) return 'P()';
  const s = PLANS[plan].shardings[sharding];
  return s.spec || shortTiles(s) || s.hlo || s.sdy || 'P()';
}

// Tiles that no mesh names: "[1,4] <=[2,4]T(1,0)", what is copied left out. The details have all of it.
function shortTiles(s) {
  if (s.kind !== 'tiled' || s.reshape.length === 0 || s.hlo.includes('last_tile_dims')) return '';
  const order = s.perm.every((p, i) => p === i) ? '' : `T(${s.perm.join(',')})`;
  return `[${s.tile.slice(0, s.dataRank).join(',')}] <=[${s.reshape.join(',')}]${order}`;
}

// The axes of a sharding, as names without parts, each once.
function axesOf(plan, sharding) {
  if (sharding < 0) return [];
  const s = PLANS[plan].shardings[sharding];
  if (!s.names) s.names = [...new Set(s.axes.map((a) => str(a).replace(/:\(.*$/, '')))];
  return s.names;
}

// Devices of every tile, in the order of the grid; null where they are not listed.
function devicesOf(s) {
  const total = s.tile.reduce((a, b) => a * b, 1);
  if (s.ids && s.ids.length) return s.ids;
  if (total > 65536 || !s.reshape || s.reshape.length === 0) return null;
  if (s.reshape.reduce((a, b) => a * b, 1) !== total) return null;
  const strides = new Array(s.reshape.length);
  let stride = 1;
  for (let i = s.reshape.length - 1; i >= 0; --i) { strides[i] = stride; stride *= s.reshape[i]; }
  const perm = s.perm.length === s.reshape.length ? s.perm : s.reshape.map((_, i) => i);
  const out = new Array(total);
  const at = perm.map(() => 0);
  for (let i = 0; i < total; ++i) {
    out[i] = perm.reduce((sum, p, k) => sum + at[k] * strides[p], 0);
    for (let k = perm.length - 1; k >= 0; --k) {
      if (++at[k] < s.reshape[perm[k]]) break;
      at[k] = 0;
    }
  }
  return out;
}

const differs = (() => {
  const flags = new Uint8Array(VALUE_COUNT);
  if (DATA.difference) for (const v of DATA.difference.members) flags[v] = 1;
  return (v) => flags[v] === 1;
})();

// Collectives by the op that they belong to.
const collectivesOfOp = (() => {
  const maps = PLANS.map(() => null);
  return (plan, op) => {
    if (maps[plan] === null) {
      maps[plan] = new Map();
      PLANS[plan].collectives.op.forEach((o, c) => {
        if (o < 0) return;
        if (!maps[plan].has(o)) maps[plan].set(o, []);
        maps[plan].get(o).push(c);
      });
    }
    return maps[plan].get(op) || [];
  };
})();

// ---- colours: one for each axis, each with a pattern of its own ----

const AXIS_COUNT = 7;
const axisNumber = new Map(DATA.mesh.names.map((id, i) => [str(id), i % AXIS_COUNT]));
const axisClass = (name) => `axis${axisNumber.has(name) ? axisNumber.get(name) : 'x'}`;

// A sharding as text in which every axis is underlined in its colour.
function specText(plan, sharding) {
  const text = specOf(plan, sharding);
  const node = el('code.spec');
  if (sharding === ABSENT) node.classList.add('absent');
  let at = 0;
  for (const match of text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)) {
    const name = (match[1] ?? match[2]).replace(/:\(.*$/, '');
    if (!axisNumber.has(name)) continue;
    node.append(text.slice(at, match.index), el(`span.axis.${axisClass(name)}`, null, match[0]));
    at = match.index + match[0].length;
  }
  node.append(text.slice(at));
  return node;
}

function makePatterns() {
  const defs = $('patterns').firstElementChild;
  const marks = ['M0 8L8 0', 'M0 0L8 8', 'M0 4H8', 'M4 0V8', 'M0 0L8 8M0 8L8 0', 'M2 2h1v1h-1zM6 6h1v1h-1z', 'M0 4H8M4 0V8'];
  for (let i = 0; i < AXIS_COUNT; ++i)
    defs.append(svg('pattern', { id: `hatch${i}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
      svg(`rect.fill.axis${i}`, { width: 8, height: 8 }), svg('path.mark', { d: marks[i] })));
  defs.append(svg('pattern', { id: 'padding', width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    svg('path.pad', { d: 'M0 6L6 0' })));
  for (const id of ['arrow', 'arrowmoves'])
    defs.append(svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto', markerUnits: 'userSpaceOnUse' },
      svg(`path.${id}`, { d: 'M0 0.5L7.5 4L0 7.5z' })));
}

// ---- state: which plan, which tab, which item; kept in the address, so that the back button works ----

const state = { plan: 0, tab: 'overview', item: null };
const listeners = [];
const onState = (f) => listeners.push(f);

function readAddress() {
  const [tab, item, plan] = decodeURIComponent(location.hash.slice(1)).split('/');
  const before = { ...state };
  state.tab = TABS.some((t) => t.id === tab && t.shown()) ? tab : 'overview';
  state.item = /^[vcfb]\d+$/.test(item || '') ? item : null;
  state.plan = plan === '1' && PLANS.length > 1 ? 1 : 0;
  listeners.forEach((f) => f(before));
}
function address(change) {
  const s = { ...state, ...change };
  if (change.tab !== undefined && change.item === undefined && narrow.matches) s.item = null;
  return `#${s.tab}${s.item || s.plan ? `/${s.item || ''}` : ''}${s.plan ? `/${s.plan}` : ''}`;
}
function go(change) {
  const target = address(change);
  if (target !== location.hash) location.hash = target;
  readAddress();  // at once: the event comes later, and finds nothing new
}
const say = (text) => { $('live').textContent = text; };

// A link to a value, of which the details are shown.
function valueLink(v, text) {
  return el('a.link', { href: address({ item: `v${v}` }), 'data-item': `v${v}` }, el('code', null, text || valueLabel(v)));
}
