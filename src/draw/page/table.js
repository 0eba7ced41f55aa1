// A table of any length: only the rows in view exist. Keys as in a grid: arrows, Page Up and Down, Home, End; Enter opens.
//
// A column: {id, title, width, grow, priority, right, text(row), key(row), cell(row)}: text is what the filter searches,
// key what the order goes by (text when not given), cell a node instead of the text. Columns that do not fit are left
// out, those with the highest priority number first. On a narrow screen rows are higher, and their text takes two lines.

const collator = new Intl.Collator('en', { numeric: true });

class Table {
  constructor({ id, label, columns, rowHeight = (width) => (width < 560 ? 46 : 28), open, empty = 'Nothing matches the filter.' }) {
    Object.assign(this, { id, columns, heightFor: rowHeight, rowHeight: rowHeight(1000), open, emptyText: empty });
    this.all = [];
    this.rows = [];
    this.sort = { column: null, down: false };
    this.words = [];
    this.test = null;
    this.active = 0;
    this.texts = null;
    this.pool = [];
    this.head = el('div.thead', { role: 'row', 'aria-rowindex': 1 });
    this.space = el('div.tspace', { role: 'rowgroup' });
    this.node = el('div.table', { role: 'grid', 'aria-label': label, tabindex: 0, id },
      el('div.theadgroup', { role: 'rowgroup' }, this.head), this.space);
    this.note = el('p.empty', { hidden: true });
    this.wrap = el('div.tablewrap', null, this.node, this.note);
    this.node.addEventListener('scroll', () => this.draw(), { passive: true });
    this.node.addEventListener('keydown', (e) => this.onKey(e));
    this.space.addEventListener('click', (e) => this.onClick(e));
    new ResizeObserver(() => this.measure()).observe(this.node);
  }

  setRows(all) {
    this.all = all;
    this.texts = null;
    this.apply();
  }

  filter(words, test) {
    this.words = words.toLowerCase().split(/\s+/).filter(Boolean);
    this.test = test || null;
    this.apply();
  }

  apply() {
    let rows = this.all;
    if (this.test) rows = rows.filter(this.test);
    if (this.words.length) {
      const texts = this.searchTexts();
      rows = rows.filter((r) => this.words.every((w) => texts.get(r).includes(w)));
    }
    this.rows = this.sorted(rows);
    this.active = Math.min(this.active, Math.max(this.rows.length - 1, 0));
    this.node.setAttribute('aria-rowcount', this.rows.length + 1);
    this.space.style.height = `${this.rows.length * this.rowHeight}px`;
    this.note.hidden = this.rows.length > 0;
    this.note.textContent = this.all.length ? this.emptyText : 'There are none.';
    this.redraw();
    if (this.onCount) this.onCount(this.rows.length, this.all.length);
  }

  searchTexts() {
    if (this.texts === null) {
      this.texts = new Map();
      for (const r of this.all) this.texts.set(r, this.columns.map((c) => c.text(r)).join('\n').toLowerCase());
    }
    return this.texts;
  }

  sorted(rows) {
    const column = this.columns.find((c) => c.id === this.sort.column);
    if (!column) return rows;
    const keyOf = column.key || column.text;
    const order = rows.map((row, i) => ({ row, key: keyOf(row), i }));
    const textual = order.some((o) => typeof o.key === 'string');
    const sign = this.sort.down ? -1 : 1;
    if (textual) this.rank(order);
    order.sort((a, b) => sign * (a.key - b.key) || a.i - b.i);
    return order.map((o) => o.row);
  }

  // Text becomes its rank among the distinct ones: comparing 70,000 texts by language rules takes a second, this does not.
  rank(order) {
    const distinct = [...new Set(order.map((o) => o.key))].sort(collator.compare);
    const ranks = new Map(distinct.map((key, i) => [key, i]));
    for (const o of order) o.key = ranks.get(o.key);
  }

  sortBy(column) {
    const again = this.sort.column === column.id;
    this.sort = { column: column.id, down: again ? !this.sort.down : Boolean(column.right) };
    this.active = 0;
    this.node.scrollTop = 0;
    this.apply();
    say(`Sorted by ${column.title}, ${this.sort.down ? 'descending' : 'ascending'}`);
  }

  // Which columns fit, and how wide they are.
  measure() {
    const width = this.node.clientWidth;
    if (width === 0 || width === this.width) return this.draw();
    this.width = width;
    this.rowHeight = this.heightFor(width);
    this.space.style.height = `${this.rows.length * this.rowHeight}px`;
    let fits = [...this.columns];
    const total = () => fits.reduce((sum, c) => sum + c.width, 24);
    while (total() > width && fits.some((c) => c.priority)) {
      const most = Math.max(...fits.map((c) => c.priority || 0));
      fits = fits.filter((c) => c.priority !== most);
    }
    this.fits = fits;
    const tight = total() > width;
    this.template = fits.map((c) => (c.grow ? `minmax(${tight ? 0 : c.width}px, ${c.grow}fr)` : `${c.width}px`)).join(' ');
    this.redraw();
  }

  drawHead() {
    const looks = `${this.template} ${this.sort.column} ${this.sort.down}`;
    if (looks === this.headLooks) return;
    this.headLooks = looks;
    const focused = document.activeElement && this.head.contains(document.activeElement) ? document.activeElement.dataset.column : null;
    this.head.replaceChildren(...this.fits.map((c, i) => {
      const sorted = this.sort.column === c.id;
      return el(`div.th${c.right ? '.right' : ''}`,
        { role: 'columnheader', 'aria-colindex': i + 1, 'aria-sort': sorted ? (this.sort.down ? 'descending' : 'ascending') : 'none' },
        el('button', { type: 'button', 'data-column': c.id, onclick: () => this.sortBy(c) }, c.title,
          el('span.sort', { 'aria-hidden': 'true' }, sorted ? (this.sort.down ? '▼' : '▲') : '')));
    }));
    this.head.style.setProperty('grid-template-columns', this.template);
    this.node.setAttribute('aria-colcount', this.fits.length);
    if (focused) this.head.querySelector(`[data-column="${focused}"]`)?.focus();
  }

  redraw() {
    if (!this.fits) return;
    this.drawHead();
    for (const p of this.pool) p.index = -1;
    this.draw();
  }

  draw() {
    if (!this.fits || this.node.clientHeight === 0) return;
    const height = this.rowHeight;
    const first = Math.max(0, Math.floor(this.node.scrollTop / height) - 6);
    const last = Math.min(this.rows.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / height) + 6);
    const wanted = last - first;
    while (this.pool.length < wanted) {
      const node = el('div.tr', { role: 'row' });
      this.space.append(node);
      this.pool.push({ node, index: -1 });
    }
    // Row i lives in slot i modulo the size of the pool, so scrolling by a line fills one row only.
    const size = this.pool.length;
    const used = new Set();
    for (let i = first; i < last; ++i) {
      const slot = this.pool[i % size];
      used.add(i % size);
      if (slot.index !== i) this.fillRow(slot, i);
    }
    this.pool.forEach((slot, k) => {
      slot.node.hidden = !used.has(k);
      if (!used.has(k)) slot.index = -1;
    });
    this.mark();
  }

  fillRow(slot, i) {
    const row = this.rows[i];
    slot.index = i;
    const node = slot.node;
    node.id = `${this.id}-row${i}`;
    node.dataset.index = i;
    node.setAttribute('aria-rowindex', i + 2);
    node.style.setProperty('transform', `translateY(${i * this.rowHeight}px)`);
    node.style.setProperty('height', `${this.rowHeight}px`);
    node.style.setProperty('grid-template-columns', this.template);
    node.replaceChildren(...this.fits.map((c, k) => {
      const content = c.cell ? c.cell(row) : c.text(row);
      const cell = el(`div.td${c.right ? '.right' : ''}`, { role: 'gridcell', 'aria-colindex': k + 1 }, content);
      if (!c.right) cell.title = c.text(row);
      return cell;
    }));
  }

  mark() {
    const opened = state.item;
    for (const { node, index } of this.pool) {
      if (index < 0) continue;
      node.classList.toggle('active', index === this.active);
      const isOpen = opened !== null && this.open && this.open(this.rows[index]) === opened;
      node.classList.toggle('open', isOpen);
      node.setAttribute('aria-selected', isOpen ? 'true' : 'false');
    }
    if (this.rows.length) this.node.setAttribute('aria-activedescendant', `${this.id}-row${this.active}`);
    else this.node.removeAttribute('aria-activedescendant');
  }

  moveTo(index) {
    this.active = Math.max(0, Math.min(index, this.rows.length - 1));
    const top = this.active * this.rowHeight, view = this.node.clientHeight - this.head.offsetHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + this.rowHeight > this.node.scrollTop + view) this.node.scrollTop = top + this.rowHeight - view;
    this.draw();
  }

  onKey(e) {
    if (e.target !== this.node || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor((this.node.clientHeight - this.head.offsetHeight) / this.rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (e.key in moves) this.moveTo(moves[e.key] === -Infinity ? 0 : moves[e.key] === Infinity ? this.rows.length - 1 : this.active + moves[e.key]);
    else if (e.key === 'Enter' || e.key === ' ') this.openRow(this.active, true);
    else return;
    e.preventDefault();
  }

  onClick(e) {
    const row = e.target.closest('.tr');
    if (!row || e.target.closest('a')) return;
    this.active = Number(row.dataset.index);
    this.openRow(this.active, false);
  }

  openRow(index, byKey) {
    if (!this.open || !this.rows.length) return;
    this.mark();
    const item = this.open(this.rows[index]);
    if (item) {
      focusDetail = byKey;
      go({ item });
    }
  }
}

// The line above a table: a filter, choices, how many rows match.
function tableTools(table, choices, what) {
  const input = el('input', { type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${what}`, spellcheck: 'false', autocomplete: 'off' });
  const shown = el('span.count', { role: 'status' });
  const selects = choices.map((c) => {
    const select = el('select', { 'aria-label': c.label }, c.options().map(([value, text]) => el('option', { value }, text)));
    select.addEventListener('change', run);
    return { ...c, select };
  });
  let timer = 0;
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(run, table.all.length > 20000 ? 120 : 0); });
  input.addEventListener('keydown', (e) => {
    if (e.key === 'ArrowDown' || e.key === 'Enter') { table.node.focus(); e.preventDefault(); }
  });
  table.onCount = (n, all) => { shown.textContent = n === all ? plural(all, what.replace(/s$/, '')) : `${count(n)} of ${count(all)}`; };
  function run() {
    const tests = selects.filter((s) => s.select.value !== '').map((s) => s.test(s.select.value));
    table.node.scrollTop = 0;
    table.filter(input.value, tests.length ? (row) => tests.every((t) => t(row)) : null);
  }
  const node = el('div.tabletools', null, input, selects.map((s) => s.select), shown);
  return { node, run, input, selects };
}
