// The graph: operations in their scopes, folded where there are many. Only what is unfolded is laid out and drawn.
//
// An item is an op, a folded scope, an unfolded scope with its own layout inside, or an argument of main. Edges are
// drawn between items of one scope; an edge that crosses scopes is drawn where both of its ends are first seen apart.

const FIRST_ITEMS = 60;   // unfold from the outside in as long as there are not more
const HEAD = 26, PAD = 12, TAG = 17;

let graphWanted = -1;  // a value to be shown
let graph = null;

function graphPage() {
  if (graph === null) graph = new GraphView();
  graph.refresh();
  return graph.page;
}

// What does not depend on what is unfolded: edges between ops, children of scopes.
function graphFacts() {
  const drawn = (op) => {
    let at = op;
    for (let i = 0; i < 8 && at >= 0 && OPS.scope[at] < 0; ++i) at = OPS.shownAs[at];
    return at >= 0 && OPS.scope[at] >= 0 ? at : -1;
  };
  const source = (v) => {
    const s = VALUES.sameAs[v] >= 0 ? VALUES.sameAs[v] : v;
    if (VALUES.op[s] >= 0) return { op: drawn(VALUES.op[s]), value: s };
    if (VALUES.kind[s] === 1) return { op: -1, argument: s, value: s };
    return { op: VALUES.owner[s] >= 0 ? drawn(VALUES.owner[s]) : -1, value: s };
  };
  const from = [], to = [], value = [];
  const argumentUses = [];
  const children = SCOPES.name.map(() => ({ scopes: [], ops: [] }));
  for (let s = 1; s < SCOPES.name.length; ++s) children[SCOPES.parent[s]].scopes.push(s);
  const first = SCOPES.name.map(() => Infinity);
  for (let op = 0; op < OP_COUNT; ++op) {
    const scope = OPS.scope[op];
    if (scope < 0) continue;
    children[scope].ops.push(op);
    first[scope] = Math.min(first[scope], op);
    const seen = new Set();
    for (const v of operandsOf(op)) {
      if (v < 0 || seen.has(v)) continue;
      seen.add(v);
      const s = source(v);
      if (s.op >= 0 && s.op !== op) { from.push(s.op); to.push(op); value.push(s.value); }
      else if (s.argument !== undefined) argumentUses.push([s.argument, op]);
    }
  }
  // Where a scope stands among its neighbours: a function where it is called, not where it is written.
  for (let s = SCOPES.name.length - 1; s > 0; --s) {
    if (SCOPES.owner[s] >= 0) first[s] = SCOPES.owner[s];
    first[SCOPES.parent[s]] = Math.min(first[SCOPES.parent[s]], first[s]);
  }
  return { from, to, value, argumentUses, children, first, drawn, source };
}

class GraphView {
  constructor() {
    this.facts = graphFacts();
    this.open = new Set([0]);
    this.unfoldFirst();
    this.plan = -1;
    this.chosen = null;
    this.find = el('input', { type: 'search', placeholder: 'Find in the graph', 'aria-label': 'Find in the graph', spellcheck: 'false', autocomplete: 'off' });
    this.find.addEventListener('keydown', (e) => { if (e.key === 'Enter') { this.findNext(); e.preventDefault(); } });
    this.info = el('span.count', { role: 'status' });
    const button = (text, label, f) => el('button', { type: 'button', 'aria-label': label, title: label, onclick: f }, text);
    const tools = el('div.tabletools', null, this.find, button('Next', 'Next match', () => this.findNext()),
      el('span.group', null, button('+', 'Zoom in', () => this.zoom(1.3)), button('−', 'Zoom out', () => this.zoom(1 / 1.3)), button('Fit', 'Fit the graph into the window', () => this.fit())),
      button('Fold all', 'Fold all scopes', () => { this.open = new Set([0]); this.unfoldFirst(); this.draw(); this.fit(narrow.matches ? 0.6 : 0.85); }), this.info);
    this.view = svg('g');
    this.picture = svg('svg', { role: 'group', 'aria-label': 'Graph of the program. Arrow keys go from one operation to the next, Enter unfolds a scope or shows details.' }, this.view);
    this.canvas = el('div.graph', null, this.picture);
    this.legend = el('p.legend.graphlegend');
    this.page = el('div.page', null, tools, this.canvas, this.legend);
    this.at = { x: 0, y: 0, k: 1 };
    this.listen();
    this.drawLegend();
  }

  unfoldFirst() {
    const { children } = this.facts;
    let items = children[0].scopes.length + children[0].ops.length;
    const queue = [...children[0].scopes];
    while (queue.length) {
      const s = queue.shift();
      const more = children[s].scopes.length + children[s].ops.length;
      if (items + more - 1 > FIRST_ITEMS || str(SCOPES.kind[s]) === 'others') continue;
      this.open.add(s);
      items += more;
      queue.push(...children[s].scopes);
    }
  }

  refresh() {
    const first = this.plan === -1;
    if (this.plan !== state.plan) {
      this.plan = state.plan;
      this.draw();
    }
    const wanted = graphWanted;
    graphWanted = -1;
    requestAnimationFrame(() => {
      if (wanted >= 0) this.show(wanted);
      else if (first) this.fit(narrow.matches ? 0.6 : 0.85);
    });
  }

  // ---- from ops to what is seen ----

  // The item that stands for an op, and the scope that it is drawn in.
  seen(op) {
    const scope = OPS.scope[op];
    return this.folded[scope] >= 0 ? { key: `s${this.folded[scope]}`, scope: SCOPES.parent[this.folded[scope]] } : { key: `o${op}`, scope };
  }

  lift(a, b) {
    while (a.scope !== b.scope) {
      if (this.depth[a.scope] >= this.depth[b.scope]) a = { key: `s${a.scope}`, scope: SCOPES.parent[a.scope] };
      else b = { key: `s${b.scope}`, scope: SCOPES.parent[b.scope] };
    }
    return [a, b];
  }

  prepare() {
    const n = SCOPES.name.length;
    this.folded = new Int32Array(n).fill(-1);
    this.depth = new Int32Array(n);
    for (let s = 1; s < n; ++s) {
      const p = SCOPES.parent[s];
      this.depth[s] = this.depth[p] + 1;
      this.folded[s] = this.folded[p] >= 0 ? this.folded[p] : this.open.has(s) ? -1 : s;
    }
    this.edges = new Map();    // by scope: "from to" -> edge
    this.moved = new Map();    // by item: what its collectives move
    const { from, to, value, argumentUses } = this.facts;
    for (let i = 0; i < from.length; ++i) this.addEdge(this.seen(from[i]), this.seen(to[i]), value[i]);
    this.arguments = new Map();  // by scope: arguments that its ops read
    for (const [argument, op] of argumentUses) {
      const at = this.seen(op);
      if (!at.key.startsWith('o')) continue;
      if (!this.arguments.has(at.scope)) this.arguments.set(at.scope, new Set());
      this.arguments.get(at.scope).add(argument);
      this.addEdge({ key: `a${argument}`, scope: at.scope }, at, argument);
    }
    this.addCollectives();
  }

  addEdge(a, b, value) {
    const [p, q] = this.lift(a, b);
    if (p.key === q.key) return null;
    if (!this.edges.has(p.scope)) this.edges.set(p.scope, new Map());
    const level = this.edges.get(p.scope), key = `${p.key} ${q.key}`;
    let edge = level.get(key);
    if (!edge) level.set(key, edge = { from: p.key, to: q.key, value, values: 0, moves: [] });
    ++edge.values;
    return edge;
  }

  addCollectives() {
    const c = PLANS[state.plan].collectives;
    c.op.forEach((o, i) => {
      const op = o >= 0 ? this.facts.drawn(o) : -1;
      if (op < 0) return;
      const to = this.seen(op);
      const source = c.value[i] >= 0 ? this.facts.source(c.value[i]) : { op: -1 };
      if (source.op >= 0 && source.op !== op) {
        const [p, q] = this.lift(this.seen(source.op), to);
        const edge = p.key === q.key ? null : this.edges.get(p.scope)?.get(`${p.key} ${q.key}`);
        if (edge) { edge.moves.push(i); return; }
      } else if (source.argument !== undefined) {
        const edge = this.edges.get(to.scope)?.get(`a${source.argument} ${to.key}`);
        if (edge) { edge.moves.push(i); return; }
      }
      if (!this.moved.has(to.key)) this.moved.set(to.key, []);
      this.moved.get(to.key).push(i);
    });
  }

  // ---- layout ----

  itemsOf(scope) {
    const { children, first } = this.facts;
    const list = [...children[scope].ops.map((op) => ({ key: `o${op}`, op, order: op })),
      ...children[scope].scopes.filter((s) => SCOPES.ops[s] > 0).map((s) => ({ key: `s${s}`, inner: s, order: first[s] }))];
    const level = this.edges.get(scope);
    for (const a of this.arguments.get(scope) || []) {
      let order = Infinity;
      for (const e of level.values()) if (e.from === `a${a}`) order = Math.min(order, list.find((x) => x.key === e.to)?.order ?? Infinity);
      list.push({ key: `a${a}`, argument: a, order: order - 0.5 });
    }
    return list.sort((x, y) => x.order - y.order);
  }

  layOut(scope) {
    const items = this.itemsOf(scope);
    const number = new Map(items.map((item, i) => [item.key, i]));
    for (const item of items) item.tags = [];
    for (const e of this.edges.get(scope)?.values() || [])
      if (e.moves.length && number.has(e.to)) items[number.get(e.to)].tags.push({ words: cutText(`${valueLabel(e.value)}: ${this.moveWords(e.moves)}`, 60), moves: e.moves });
    for (const item of items) this.measure(item);
    const edges = [...(this.edges.get(scope)?.values() || [])].filter((e) => number.has(e.from) && number.has(e.to))
      .map((e) => ({ ...e, fromKey: e.from, toKey: e.to, from: number.get(e.from), to: number.get(e.to) }));
    if (items.length === 0) return { w: 0, h: 0, items, edges: [] };
    const placed = layered(items, edges);
    items.forEach((item, i) => Object.assign(item, placed.places[i]));
    edges.forEach((e, i) => { e.path = placed.paths[i]; });
    return { w: placed.w, h: placed.h, items, edges };
  }

  // What collectives bring to an item stands above it, a line for each.
  measure(item) {
    this.measureBox(item);
    item.above = item.tags.length * TAG;
    item.h += item.above;
    item.w = Math.max(item.w, ...item.tags.map((t) => textWidth(t.words, 10) + 14));
  }

  measureBox(item) {
    if (item.inner !== undefined && this.open.has(item.inner)) {
      item.inside = this.layOut(item.inner);
      item.title = this.scopeTitle(item.inner);
      item.w = Math.max(item.inside.w + 2 * PAD, textWidth(item.title, 12) + 70);
      item.h = item.inside.h + HEAD + 2 * PAD;
      return;
    }
    item.lines = this.linesOf(item);
    item.w = Math.max(...item.lines.map((l) => textWidth(l, 11))) + 34;
    item.h = item.argument !== undefined ? 40 : item.lines.length * 15 + 10;
  }

  scopeTitle(s) {
    const kind = str(SCOPES.kind[s]), times = SCOPES.times[s];
    const often = times > 1 ? ` × ${count(times)}` : times === 0 ? ' × ?' : '';
    return `${str(SCOPES.name[s])}${['loop', 'repeat', 'others'].includes(kind) ? often : ''}`;
  }

  linesOf(item) {
    if (item.argument !== undefined) return [cutText(valueLabel(item.argument), 40), cutText(specOf(state.plan, shardingOf(state.plan, item.argument)), 44)];
    if (item.inner !== undefined) {
      const moved = this.movedBytes(item.key);
      return [cutText(this.scopeTitle(item.inner), 44), `${plural(SCOPES.ops[item.inner], 'operation')}${moved ? ` · moves ${bytes(moved)}` : ''}`];
    }
    const v = OPS.results[item.op] > 0 ? OPS.first[item.op] : -1;
    const lines = [cutText(`${str(OPS.word[item.op])}${v >= 0 ? `  ${valueName(v)}` : ''}`, 44)];
    if (v >= 0) lines.push(cutText(specOf(state.plan, shardingOf(state.plan, v)), 44));
    const moved = this.moved.get(item.key);
    if (moved) lines.push(this.moveWords(moved));
    return lines;
  }

  movedBytes(key) {
    const c = PLANS[state.plan].collectives;
    return (this.moved.get(key) || []).reduce((sum, i) => sum + c.bytes[i], 0);
  }

  moveWords(list) {
    const c = PLANS[state.plan].collectives;
    const total = list.reduce((sum, i) => sum + c.bytes[i], 0);
    const kinds = [...new Set(list.map((i) => `${str(c.kind[i])} ${str(c.over[i])}`))];
    return cutText(`${kinds.length === 1 ? kinds[0] : `${kinds.length} kinds of collectives`} · ${bytes(total)}`, 52);
  }

  // ---- drawing ----

  draw() {
    this.prepare();
    this.nodes = [];
    const all = this.layOut(0);
    const group = svg('g');
    this.drawLevel(all, 0, 0, group);
    this.size = { w: all.w, h: all.h };
    this.view.replaceChildren(group);
    this.info.textContent = `${count(this.nodes.filter((n) => n.item.op !== undefined).length)} of ${plural(SCOPES.ops[0], 'operation')} unfolded`;
    if (this.nodes.length) (this.nodes.find((n) => n.item.key === this.chosen) || this.nodes[0]).node.setAttribute('tabindex', 0);
    this.place();
  }

  drawLevel({ items, edges }, x, y, group) {
    const under = svg('g');
    group.append(under);
    for (const e of edges) this.drawEdge(e, x, y, under);
    for (const item of items) this.drawItem(item, x + item.x, y + item.y, group);
  }

  drawEdge(e, dx, dy, under) {
    const p = e.path.map(({ x, y }) => ({ x: x + dx, y: y + dy }));
    let d = `M${p[0].x} ${p[0].y}`;
    for (let i = 1; i < p.length; ++i) {
      const middle = (p[i - 1].y + p[i].y) / 2;
      d += `C${p[i - 1].x} ${middle} ${p[i].x} ${middle} ${p[i].x} ${p[i].y}`;
    }
    under.append(svg(`path.edge${e.moves.length ? '.moves' : ''}`, { d, 'marker-end': `url(#arrow${e.moves.length ? 'moves' : ''})` },
      svg('title', null, `${valueLabel(e.value)}${e.values > 1 ? ` and ${e.values - 1} more` : ''}${e.moves.length ? `: ${this.moveWords(e.moves)}` : ''}`)));
  }

  drawTags(item, x, y, group) {
    item.tags.forEach((tag, i) => {
      const w = textWidth(tag.words, 10) + 10, middle = x + item.w / 2, top = y + i * TAG;
      group.append(svg('g.movelabel', { onclick: (e) => { e.stopPropagation(); if (!this.dragged) go({ item: `c${tag.moves[0]}` }); } },
        svg('rect', { x: middle - w / 2, y: top, width: w, height: TAG - 2, rx: 3 }), svg('text', { x: middle, y: top + 11, 'text-anchor': 'middle' }, tag.words)));
    });
  }

  drawItem(item, x, top, group) {
    this.drawTags(item, x, top, group);
    const y = top + item.above, h = item.h - item.above;
    Object.assign(item, { ax: x, ay: y, ah: h });
    if (item.inside) {
      const node = svg(`g.node.scope.kind-${str(SCOPES.kind[item.inner])}`, { role: 'button', tabindex: -1, 'aria-expanded': 'true', 'aria-label': `${item.title}, unfolded, ${plural(SCOPES.ops[item.inner], 'operation')}` },
        svg('rect.frame', { x, y, width: item.w, height: h, rx: 6 }),
        svg('text.scopename', { x: x + 28, y: y + 17 }, item.title), svg('text.fold', { x: x + 12, y: y + 17 }, '−'));
      group.append(node);
      this.listenTo(node, item);
      const inner = svg('g');
      group.append(inner);
      this.drawLevel(item.inside, x + (item.w - item.inside.w) / 2, y + HEAD + PAD, inner);
      return;
    }
    const isScope = item.inner !== undefined;
    const v = item.argument !== undefined ? item.argument : isScope ? -1 : OPS.results[item.op] > 0 ? OPS.first[item.op] : -1;
    const label = item.lines.join(', ');
    const node = svg(`g.node${isScope ? '.folded' : item.argument !== undefined ? '.argument' : ''}${v >= 0 && differs(v) ? '.differing' : ''}`,
      { role: 'button', tabindex: -1, 'aria-label': isScope ? `${label}, folded` : label, 'aria-expanded': isScope ? 'false' : null });
    if (isScope) node.append(svg('rect.stack', { x: x + 4, y: y + 4, width: item.w, height: h, rx: 5 }));
    node.append(svg('rect.box', { x, y, width: item.w, height: h, rx: item.argument !== undefined ? 14 : 5 }));
    if (!isScope && v >= 0) this.drawBand(node, v, x, y, item);
    const left = x + (isScope ? 26 : 20);
    if (isScope) node.append(svg('text.fold', { x: x + 11, y: y + 17 }, '+'));
    item.lines.forEach((line, i) => node.append(svg(`text${i === 0 ? '.first' : i === 2 ? '.movetext' : '.second'}`, { x: left, y: y + 17 + i * 15 }, line)));
    group.append(node);
    this.listenTo(node, item);
  }

  // The axes of the sharding as a band of their colours and patterns.
  drawBand(node, v, x, y, item) {
    const names = axesOf(state.plan, shardingOf(state.plan, v));
    const bx = x + 7, by = y + 6, h = item.ah - 12;
    if (names.length === 0) node.append(svg(`rect.band.${pieceOf(state.plan, v).sharded ? 'axisx' : 'nowhere'}`, { x: bx, y: by, width: 7, height: h, rx: 2 }));
    names.forEach((name, i) => {
      const k = axisNumber.get(name);
      node.append(svg('rect.band', { x: bx, y: by + (h * i) / names.length, width: 7, height: h / names.length, fill: k === undefined ? null : `url(#hatch${k})`, class: k === undefined ? 'band axisx' : 'band' }));
    });
  }

  drawLegend() {
    this.legend.replaceChildren(...DATA.mesh.names.map((id) => el('span', null, swatch(axisNumber.get(str(id))), str(id))),
      el('span', null, el('i.nowhere', { 'aria-hidden': 'true' }), 'whole on every device'),
      el('span', null, el('i.movesline', { 'aria-hidden': 'true' }), 'moved by a collective'),
      ...(PLANS.length > 1 ? [el('span', null, el('i.differing', { 'aria-hidden': 'true' }), 'partitioners differ')] : []));
  }

  // ---- going around ----

  listenTo(node, item) {
    this.nodes.push({ node, item });
    node.addEventListener('click', (e) => { e.stopPropagation(); if (!this.dragged) this.act(item, false); });
    node.addEventListener('focus', () => { this.chosen = item.key; this.reveal(item); });
    node.addEventListener('keydown', (e) => {
      if (e.key === 'Enter' || e.key === ' ') { this.act(item, true); e.preventDefault(); e.stopPropagation(); }
    });
  }

  act(item, byKey) {
    if (item.inner !== undefined) {
      const before = this.screen(item);
      if (this.open.has(item.inner)) this.open.delete(item.inner); else this.open.add(item.inner);
      this.chosen = item.key;
      this.draw();
      // What was clicked stays under the pointer.
      const now = this.nodes.find((n) => n.item.key === item.key);
      const after = this.screen(now.item);
      this.at.x += before.x - after.x;
      this.at.y += before.y - after.y;
      this.place();
      if (byKey) now.node.focus();
      return;
    }
    const v = item.argument !== undefined ? item.argument : OPS.results[item.op] > 0 ? OPS.first[item.op] : -1;
    if (v < 0) return;
    this.mark(item.key);
    focusDetail = byKey;
    go({ item: `v${v}` });
  }

  screen(item) { return { x: item.ax * this.at.k + this.at.x, y: item.ay * this.at.k + this.at.y }; }

  mark(key) {
    for (const n of this.nodes) n.node.classList.toggle('marked', n.item.key === key);
  }

  show(v) {
    const s = this.facts.source(v);
    const op = s.op >= 0 ? s.op : this.facts.argumentUses.find(([a]) => a === s.argument)?.[1] ?? -1;
    if (op < 0) {
      this.info.textContent = 'Not drawn: a constant, or nothing uses it';
      return;
    }
    for (let i = OPS.scope[op]; i > 0; i = SCOPES.parent[i]) this.open.add(i);
    this.draw();
    const key = s.op >= 0 ? `o${op}` : `a${s.argument}`;
    const hit = this.nodes.find((n) => n.item.key === key);
    this.at.k = Math.max(this.at.k, 0.9);
    this.center(hit.item);
    this.mark(key);
  }

  findNext() {
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return;
    const start = this.found === undefined || this.foundFor !== this.find.value ? 0 : this.found + 1;
    for (let i = 0; i < OP_COUNT; ++i) {
      const op = (start + i) % OP_COUNT;
      if (OPS.scope[op] < 0 || OPS.results[op] === 0) continue;
      const v = OPS.first[op];
      const text = `${str(OPS.word[op])} ${valueName(v)} ${placeOf(v)} ${specOf(state.plan, shardingOf(state.plan, v))}`.toLowerCase();
      if (!words.every((w) => text.includes(w))) continue;
      this.found = op;
      this.foundFor = this.find.value;
      this.show(v);
      say(`${valueName(v)} ${str(OPS.word[op])}`);
      return;
    }
    say('Not found in the graph');
    this.info.textContent = 'Not found';
  }

  center(item) {
    const box = this.canvas.getBoundingClientRect();
    this.at.x = box.width / 2 - (item.ax + item.w / 2) * this.at.k;
    this.at.y = box.height / 2 - (item.ay + Math.min(item.ah, 60) / 2) * this.at.k;
    this.place();
  }

  reveal(item) {
    const box = this.canvas.getBoundingClientRect(), p = this.screen(item);
    if (p.x < 0 || p.y < 0 || p.x + 60 > box.width || p.y + 30 > box.height) this.center(item);
  }

  // All of it in the window; `least`: not smaller than that, from the top.
  fit(least = 0.05) {
    const box = this.canvas.getBoundingClientRect();
    if (box.width === 0 || !this.size.w) return;
    this.at.k = Math.min(1, Math.max(least, Math.min((box.width - 32) / this.size.w, (box.height - 32) / this.size.h)));
    this.at.x = (box.width - this.size.w * this.at.k) / 2;
    const first = this.nodes[0].item;  // where it does not fit, begin at the beginning
    if (this.size.w * this.at.k > box.width) this.at.x = Math.max(8 - first.ax * this.at.k, box.width / 2 - (first.ax + first.w / 2) * this.at.k);
    this.at.y = Math.max(16, (box.height - this.size.h * this.at.k) / 2);
    this.place();
  }

  zoom(factor, x, y) {
    const box = this.canvas.getBoundingClientRect();
    const px = x ?? box.width / 2, py = y ?? box.height / 2;
    const k = Math.min(3, Math.max(0.05, this.at.k * factor));
    this.at.x = px - ((px - this.at.x) * k) / this.at.k;
    this.at.y = py - ((py - this.at.y) * k) / this.at.k;
    this.at.k = k;
    this.place();
  }

  place() {
    this.view.setAttribute('transform', `translate(${this.at.x.toFixed(1)} ${this.at.y.toFixed(1)}) scale(${this.at.k.toFixed(4)})`);
    this.canvas.classList.toggle('far', this.at.k < 0.4);
  }

  listen() {
    this.canvas.addEventListener('wheel', (e) => {
      const box = this.canvas.getBoundingClientRect();
      if (e.ctrlKey || e.metaKey || !e.shiftKey) this.zoom(Math.exp(-e.deltaY * 0.0016), e.clientX - box.left, e.clientY - box.top);
      else { this.at.x -= e.deltaX || e.deltaY; this.place(); }
      e.preventDefault();
    }, { passive: false });
    let start = null;
    this.canvas.addEventListener('pointerdown', (e) => { start = { x: e.clientX, y: e.clientY, at: { ...this.at } }; this.dragged = false; });
    window.addEventListener('pointermove', (e) => {
      if (!start) return;
      const dx = e.clientX - start.x, dy = e.clientY - start.y;
      if (!this.dragged && Math.hypot(dx, dy) < 4) return;
      this.dragged = true;
      this.at.x = start.at.x + dx;
      this.at.y = start.at.y + dy;
      this.place();
    });
    window.addEventListener('pointerup', () => { start = null; setTimeout(() => { this.dragged = false; }, 0); });
    this.canvas.addEventListener('keydown', (e) => this.onKey(e));
    // The middle stays in the middle when details open or close.
    let width = 0;
    new ResizeObserver(() => {
      const now = this.canvas.clientWidth;
      if (width > 0 && now > 0) { this.at.x += (now - width) / 2; this.place(); }
      if (now > 0) width = now;
    }).observe(this.canvas);
  }

  onKey(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === '+' || e.key === '=') this.zoom(1.3);
    else if (e.key === '-') this.zoom(1 / 1.3);
    else if (e.key === '0') this.fit();
    else if (e.key.startsWith('Arrow')) this.step(e.key);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // The nearest node in the direction of the arrow.
  step(key) {
    const here = this.nodes.find((n) => n.item.key === this.chosen) || this.nodes[0];
    const c = (item) => ({ x: item.ax + item.w / 2, y: item.ay + (item.inside ? 12 : item.ah / 2) });
    const from = c(here.item);
    let best = null, least = Infinity;
    for (const n of this.nodes) {
      if (n === here) continue;
      const to = c(n.item), dx = to.x - from.x, dy = to.y - from.y;
      const along = { ArrowDown: dy, ArrowUp: -dy, ArrowRight: dx, ArrowLeft: -dx }[key];
      const across = key === 'ArrowDown' || key === 'ArrowUp' ? Math.abs(dx) : Math.abs(dy);
      if (along <= 4) continue;
      const far = along + 2 * across;
      if (far < least) { least = far; best = n; }
    }
    if (!best) return;
    here.node.setAttribute('tabindex', -1);
    best.node.setAttribute('tabindex', 0);
    best.node.focus({ preventScroll: true });
  }
}

const swatch = (k) => svg('svg.swatch', { width: 12, height: 12, 'aria-hidden': 'true' }, svg('rect', { width: 12, height: 12, rx: 2, fill: `url(#hatch${k})` }));
const cutText = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const measuring = document.createElement('canvas').getContext('2d');
const widths = new Map();
function textWidth(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    measuring.font = `${size}px ${getComputedStyle(document.body).getPropertyValue('--mono')}`;
    widths.set(key, measuring.measureText(text).width);
  }
  return widths.get(key);
}
