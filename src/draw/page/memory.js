// The memory of a device: what it needs, the curve over the step, and what lives at the moment that is chosen on it.

const hasMemory = () => PLANS.some((p) => p.memory);
const memoryOf = () => PLANS[state.plan].memory;

const moments = PLANS.map((p) => (p.memory ? p.memory.peakPosition : 0));  // by plan: the chosen step
const curveIndex = (m, position) => {
  // Positions grow; the last one not after it.
  let low = 0, high = m.curve.position.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (m.curve.position[middle] <= position) low = middle; else high = middle - 1;
  }
  return low;
};

// What is handed to the caller is held beyond the last step.
const lastStep = (m, b) => Math.min(m.buffers.end[b], m.curve.position[m.curve.position.length - 1]);

function memoryWords(m) {
  const room = m.usable >= 0 ? ` of ${bytes(m.usable)} usable` : '';
  const fits = m.usable < 0 ? '' : m.fits ? ': it fits' : `: ${bytes(m.total - m.usable)} too much`;
  return `${bytes(m.total)}${room} on ${m.device}${fits}`;
}

function memoryPage() {
  let chart = null, plan = -1;
  const head = el('div.lead.memlead'), below = el('div');
  const page = simplePage({
    id: 'memory', label: 'Buffers alive at the chosen moment', what: 'buffers', before: () => head,
    rows: () => buffersAt(moments[state.plan]), open: (b) => `b${b}`,
    columns: [
      { id: 'what', title: 'What', width: 170, grow: 2, text: (b) => str(memoryOf().buffers.what[b]) || 'table of pointers', cell: (b) => el('code', null, str(memoryOf().buffers.what[b]) || 'table of pointers') },
      { id: 'category', title: 'Category', width: 118, grow: 1, priority: 2, text: (b) => str(memoryOf().buffers.category[b]) },
      { id: 'shape', title: 'Shape', width: 160, grow: 2, priority: 4, text: (b) => str(memoryOf().buffers.shape[b]), cell: (b) => el('code', null, str(memoryOf().buffers.shape[b])) },
      { id: 'place', title: 'Where', width: 110, grow: 1, priority: 5, text: (b) => str(memoryOf().buffers.place[b]) },
      { id: 'life', title: 'Steps', width: 110, right, priority: 3, text: (b) => `${count(memoryOf().buffers.begin[b] + 1)}–${count(lastStep(memoryOf(), b) + 1)}`, key: (b) => memoryOf().buffers.end[b] - memoryOf().buffers.begin[b] },
      { id: 'padding', title: 'Padding', width: 88, right, priority: 6, text: (b) => (memoryOf().buffers.padding[b] ? bytes(memoryOf().buffers.padding[b]) : ''), key: (b) => memoryOf().buffers.padding[b] },
      { id: 'bytes', title: 'Bytes', width: 88, right, text: (b) => bytes(memoryOf().buffers.bytes[b]), key: (b) => memoryOf().buffers.bytes[b] },
    ],
    choices: [{ label: 'Which category', options: () => options('All categories', distinct(PLANS.flatMap((p) => (p.memory ? p.memory.buffers.category : [])))), test: (c) => (b) => str(memoryOf().buffers.category[b]) === c }],
  });
  const refreshTable = page.refresh;
  page.refresh = () => {
    const m = memoryOf();
    if (!m) {
      plan = -1;
      head.replaceChildren(el('p.sentence', null, `The program of ${PLANS[state.plan].title} has no memory profile.`));
      page.table.setRows([]);
      return;
    }
    if (plan !== state.plan) {
      plan = state.plan;
      chart = new MemoryChart(m, (position) => { moments[plan] = position; page.refresh(); });
      head.replaceChildren(el('p.sentence', null, el('strong', null, memoryWords(m)), `. Arguments ${bytes(m.argument)}, results ${bytes(m.output)}${m.alias ? ` (${bytes(m.alias)} of them in arguments)` : ''}, temporaries ${bytes(m.temp)}; ${bytes(m.peak)} at the worst moment.`),
        chart.node, below);
    }
    below.replaceChildren(momentLine(m), categoryBars(m));  // the chart stays where it is, and keeps the focus
    chart.mark(moments[plan]);
    refreshTable();
  };
  page.choose = (position) => { moments[state.plan] = position; page.refresh(); };
  return page;
}

function buffersAt(position) {
  const { begin, end } = memoryOf().buffers;
  const rows = [];
  for (let b = 0; b < begin.length; ++b) if (begin[b] <= position && position <= end[b]) rows.push(b);
  return rows;
}

function momentLine(m) {
  const position = moments[state.plan], i = curveIndex(m, position);
  const v = m.curve.value[i];
  return el('p.moment', null,
    `Step ${count(position + 1)} of ${count(m.curve.position[m.curve.position.length - 1] + 1)}: `, el('strong', null, bytes(m.curve.bytes[i])), ' ',
    el('code', null, str(m.curve.op[i])), ' ', el('span.place', null, str(m.curve.place[i])), v >= 0 ? [' ', valueLink(v)] : null,
    position === m.peakPosition ? el('span.tag', null, 'worst moment') : el('button', { type: 'button', onclick: () => tablePages.memory.choose(m.peakPosition) }, 'Worst moment'));
}

function categoryBars(m) {
  const sums = new Map();
  for (const b of buffersAt(moments[state.plan])) sums.set(m.buffers.category[b], (sums.get(m.buffers.category[b]) || 0) + m.buffers.bytes[b]);
  const rows = [...sums].sort((a, b) => b[1] - a[1]);
  const most = rows.length ? rows[0][1] : 1;
  return el('ul.categories', { 'aria-label': 'By category' }, rows.map(([c, n]) => el('li', null, el('span', null, str(c)), el('span.bar', { 'aria-hidden': 'true' }, el('span.kind0', { style: { width: `${(100 * n) / most}%` } })), el('span.num', null, bytes(n)))));
}

// The curve. A slider for those who do not see it: arrows go by steps, Page Up and Down by a twentieth.
class MemoryChart {
  constructor(m, choose) {
    this.m = m;
    this.choose = choose;
    this.last = m.curve.position[m.curve.position.length - 1] || 0;
    this.picture = svg('svg', { 'aria-hidden': 'true' });
    this.node = el('div.curve', { role: 'slider', tabindex: 0, 'aria-label': 'Moment of the step', 'aria-valuemin': 1, 'aria-valuemax': this.last + 1 }, this.picture);
    this.node.addEventListener('keydown', (e) => this.onKey(e));
    let down = false;
    const at = (e) => {
      const box = this.picture.getBoundingClientRect();
      this.set(Math.round(((e.clientX - box.left) / box.width) * (this.last + 1) - 0.5));
    };
    this.node.addEventListener('pointerdown', (e) => { down = true; this.node.setPointerCapture(e.pointerId); at(e); });
    this.node.addEventListener('pointermove', (e) => { if (down) at(e); });
    this.node.addEventListener('pointerup', () => { down = false; });
    this.node.addEventListener('pointercancel', () => { down = false; });
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  set(position) {
    const to = Math.max(0, Math.min(this.last, position));
    if (to === this.position) return;
    this.position = to;
    if (this.waiting) return;  // one redrawing a frame, however fast the pointer is
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.choose(this.position); });
  }

  onKey(e) {
    const leap = Math.max(1, Math.round(this.last / 20));
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: leap, PageDown: -leap, Home: -Infinity, End: Infinity }[e.key];
    if (by === undefined) return;
    this.set(by === Infinity ? this.last : by === -Infinity ? 0 : this.position + by);
    e.preventDefault();
  }

  mark(position) {
    this.position = position;
    const i = curveIndex(this.m, position);
    this.node.setAttribute('aria-valuenow', position + 1);
    this.node.setAttribute('aria-valuetext', `step ${position + 1} of ${this.last + 1}, ${bytes(this.m.curve.bytes[i])}`);
    this.draw();
  }

  draw() {
    const width = this.node.clientWidth, height = 132;
    if (width === 0) return;
    const m = this.m, fixed = m.argument + m.output - m.alias;
    const most = Math.max(m.peak, 1) * 1.08;
    const limit = m.usable >= 0 && m.usable <= most * 1.6 ? m.usable : -1;
    const top = limit > most ? limit * 1.05 : most;
    const x = (position) => ((position + 0.5) / (this.last + 1)) * width;
    const y = (n) => height - (n / top) * (height - 6);
    this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.picture.setAttribute('height', height);
    const chosen = x(this.position), worst = x(m.peakPosition), chosenBytes = m.curve.bytes[curveIndex(m, this.position)];
    this.picture.replaceChildren(
      svg('path.area', { d: this.area(width, height, y) }),
      svg('rect.fixed', { x: 0, y: y(fixed), width, height: height - y(fixed) }),
      limit >= 0 ? svg('path.limit', { d: `M0 ${y(limit)}H${width}` }) : '',
      limit >= 0 ? svg('text', { x: width - 4, y: y(limit) - 4, 'text-anchor': 'end' }, `usable ${bytes(limit)}`) : '',
      svg('text', { x: 4, y: height - 5 }, `arguments and results ${bytes(fixed)}`),
      svg('path.worst', { d: `M${worst} ${y(m.peak) - 5}l-4 -6h8z` }),
      svg('path.cursor', { d: `M${chosen} 0V${height}` }), svg('circle.dot', { cx: chosen, cy: y(chosenBytes), r: 4 }));
  }

  // The most in every pixel.
  area(width, height, y) {
    const { position, bytes: amounts } = this.m.curve;
    const columns = new Array(Math.ceil(width)).fill(-1);
    position.forEach((p, i) => {
      const from = Math.floor((p / (this.last + 1)) * width), to = Math.max(from + 1, Math.floor(((p + 1) / (this.last + 1)) * width));
      for (let c = from; c < to && c < columns.length; ++c) columns[c] = Math.max(columns[c], amounts[i]);
    });
    let d = `M0 ${height}`, before = 0;
    columns.forEach((n, c) => { if (n >= 0) before = n; d += `L${c} ${y(before).toFixed(1)}L${c + 1} ${y(before).toFixed(1)}`; });
    return `${d}L${width} ${height}Z`;
  }
}

function bufferDetail(b) {
  const m = memoryOf(), all = m.buffers, v = all.value[b];
  const step = (position) => {
    const i = curveIndex(m, position);
    return [`${count(position + 1)}  `, el('code', null, str(m.curve.op[i])), ' ', el('span.place', null, str(m.curve.place[i]))];
  };
  return [
    detailHead([el('code', null, str(all.what[b]) || 'table of pointers'), ' ', el('span.opword', null, str(all.category[b]))], [str(all.shape[b]), str(all.place[b])].filter(Boolean).join(' · ')),
    section('Buffer', facts([['Bytes', bytes(all.bytes[b])], ['Padding', all.padding[b] ? bytes(all.padding[b]) : null], ['Category', str(all.category[b])],
      ['From step', step(all.begin[b])], ['To step', step(lastStep(m, b))], ['Value', v >= 0 ? [valueLink(v), ' ', opWord(v)] : null]])),
    v >= 0 ? planSection(v, state.plan, PLANS[state.plan].title) : null,
    v >= 0 ? sourceSection(v) : null,
  ];
}

function memoryCard() {
  const m = memoryOf();
  if (!m) return null;
  const sums = new Map();
  m.buffers.begin.forEach((begin, b) => {
    if (begin > m.peakPosition || m.buffers.end[b] < m.peakPosition) return;
    sums.set(m.buffers.category[b], (sums.get(m.buffers.category[b]) || 0) + m.buffers.bytes[b]);
  });
  const rows = [...sums].sort((a, b) => b[1] - a[1]);
  const most = rows.length ? rows[0][1] : 1;
  return card('Memory of a device at the worst moment', el('p.sentence', null, `${memoryWords(m)}.`),
    el('ul.bars', null, rows.slice(0, 7).map(([c, n]) => el('li', null, el('div.barhead', null, str(c), el('span.num', null, bytes(n))),
      el('div.bar', { 'aria-hidden': 'true' }, el('span.kind0', { style: { width: `${(100 * n) / most}%` } }))))),
    toTab('memory', 'Over the step'));
}
