// What is around the sections: tabs, search, partitioner, colours, keys.

const TABS = [
  { id: 'overview', title: 'Overview', shown: () => true },
  { id: 'values', title: 'Values', shown: () => true, count: () => VALUE_COUNT },
  { id: 'collectives', title: 'Collectives', shown: () => PLANS.some((p) => p.partitioned), count: () => PLANS[state.plan].collectives.kind.length },
  { id: 'findings', title: 'Findings', shown: () => true, count: () => PLANS[state.plan].findings.rule.length },
  { id: 'arguments', title: 'Arguments', shown: () => true, count: () => VALUES.kind.filter((k) => k === 1).length + TYPES.outputs.length },
  { id: 'differences', title: 'Differences', shown: () => Boolean(DATA.difference), count: () => new Set(DATA.difference.members).size },
  { id: 'memory', title: 'Memory', shown: hasMemory },
  { id: 'graph', title: 'Graph', shown: () => SCOPES.ops[0] > 0 },
];
const shownTabs = () => TABS.filter((t) => t.shown());

// On a narrow screen details cover the section: choosing one closes them.
const narrow = window.matchMedia('(max-width: 820px)');
const goTab = (tab) => go({ tab });

function drawTabs() {
  const nav = $('tabs');
  const focused = nav.contains(document.activeElement);
  nav.replaceChildren(...shownTabs().map((t, i) => el('button', {
    type: 'button', role: 'tab', id: `tab-${t.id}`, 'aria-controls': 'panel', 'aria-selected': String(t.id === state.tab), tabindex: t.id === state.tab ? 0 : -1,
    'aria-keyshortcuts': String(i + 1), onclick: () => goTab(t.id),
  }, t.title, t.count ? el('span.tabcount', null, count(t.count())) : null)));
  const current = $(`tab-${state.tab}`);
  if (focused) current.focus();
  current.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  $('panel').setAttribute('aria-labelledby', current.id);
}

function drawPanel() {
  const page = pages[state.tab]();
  const panel = $('panel');
  if (panel.firstElementChild !== page || panel.childElementCount !== 1) panel.replaceChildren(page);
  const table = tablePages[state.tab]?.table;
  if (state.tab === 'values' && tableWanted >= 0) {
    const wanted = tableWanted;
    tableWanted = -1;
    if (!table.rows.includes(wanted)) {
      const { tools } = tablePages.values;
      tools.input.value = '';
      for (const s of tools.selects) s.select.value = '';
      tools.run();
    }
    requestAnimationFrame(() => { table.measure(); table.moveTo(table.rows.indexOf(wanted)); table.node.focus(); });
  }
  if (table) requestAnimationFrame(() => table.measure());
}

onState((before) => {
  if (!drawn || before.plan !== state.plan || before.tab !== state.tab) { drawTabs(); drawPartitioner(); drawPanel(); } else if (tableWanted >= 0 || graphWanted >= 0) drawPanel();
  if (!drawn || before.item !== state.item || before.plan !== state.plan || before.tab !== state.tab) showDetail();
  tablePages[state.tab]?.table.mark();
  drawn = true;
});
let drawn = false;

function drawPartitioner() {
  const group = $('partitioner');
  if (PLANS.length < 2) {
    group.replaceChildren();
    group.removeAttribute('role');
    group.removeAttribute('aria-label');
    group.append(el('span.one', null, PLANS[0].title));
    return;
  }
  const focused = group.contains(document.activeElement);
  group.replaceChildren(...PLANS.map((p, i) => el('button', {
    type: 'button', role: 'radio', 'aria-checked': String(i === state.plan), tabindex: i === state.plan ? 0 : -1, onclick: () => choosePlan(i),
  }, p.title)));
  if (focused) group.children[state.plan].focus();
}
$('partitioner').addEventListener('keydown', (e) => {
  if (PLANS.length < 2 || !e.key.startsWith('Arrow')) return;
  choosePlan(1 - state.plan);
  e.preventDefault();
});

// Collectives and findings are numbered by plan: their details do not carry over.
function choosePlan(plan) {
  go({ plan, item: state.item && state.item[0] === 'v' ? state.item : null });
  say(`Plan of ${PLANS[plan].title}`);
}

$('tabs').addEventListener('keydown', (e) => {
  const tabs = shownTabs(), at = tabs.findIndex((t) => t.id === state.tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[e.key];
  if (to === undefined) return;
  goTab(tabs[(to + tabs.length) % tabs.length].id);
  e.preventDefault();
});

// ---- search ----

const finder = { hits: [], at: -1, texts: null };

function findValues(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  if (finder.texts === null) finder.texts = upTo(VALUE_COUNT).map((v) => `${valueLabel(v)} ${valueName(v)} ${opWord(v)} ${placeOf(v)} line ${VALUES.line[v]}`.toLowerCase());
  const exact = [], others = [];
  const whole = text.trim().toLowerCase();
  for (let v = 0; v < VALUE_COUNT && others.length < 400; ++v) {
    if (!words.every((w) => finder.texts[v].includes(w))) continue;
    if (valueName(v).toLowerCase() === whole || valueLabel(v).toLowerCase() === whole || valueName(v).toLowerCase() === `%${whole}`) exact.push(v);
    else others.push(v);
  }
  return [...exact, ...others].slice(0, 12);
}

function drawFound() {
  const list = $('found'), input = $('find');
  const open = finder.hits.length > 0 || input.value.trim() !== '';
  list.hidden = !open || document.activeElement !== input;
  input.setAttribute('aria-expanded', String(!list.hidden));
  list.replaceChildren(...finder.hits.map((v, i) => el(`li${i === finder.at ? '.active' : ''}`, {
    role: 'option', id: `hit${i}`, 'aria-selected': String(i === finder.at), onmousedown: (e) => { e.preventDefault(); openHit(i); },
  }, el('code', null, valueLabel(v)), el('span.opword', null, opWord(v)), el('span.place', null, placeOf(v)))));
  if (open && finder.hits.length === 0) list.append(el('li.none', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing found'));
  if (finder.at >= 0 && !list.hidden) input.setAttribute('aria-activedescendant', `hit${finder.at}`);
  else input.removeAttribute('aria-activedescendant');
}

function openHit(i) {
  const v = finder.hits[i];
  if (v === undefined) return;
  $('find').blur();
  finder.hits = [];
  $('find').value = '';
  drawFound();
  focusDetail = true;
  if (state.tab === 'graph') graphWanted = v;
  go({ item: `v${v}` });
}

$('find').addEventListener('input', () => {
  finder.hits = findValues($('find').value);
  finder.at = finder.hits.length ? 0 : -1;
  drawFound();
});
$('find').addEventListener('keydown', (e) => {
  if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
    const n = finder.hits.length;
    if (n) finder.at = (finder.at + (e.key === 'ArrowDown' ? 1 : n - 1)) % n;
    drawFound();
  } else if (e.key === 'Enter') openHit(finder.at);
  else if (e.key === 'Escape') { $('find').value = ''; finder.hits = []; $('find').blur(); drawFound(); }
  else return;
  e.preventDefault();
  e.stopPropagation();
});
$('find').addEventListener('blur', drawFound);
$('find').addEventListener('focus', drawFound);

// ---- colours ----

const themes = ['system', 'light', 'dark'];
let theme = 'system';
function setTheme(name) {
  theme = name;
  if (name === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', name);
  const button = $('theme');
  button.textContent = { system: '◐', light: '☀', dark: '☾' }[name];
  button.setAttribute('aria-label', `Colours: ${{ system: 'as the system', light: 'light', dark: 'dark' }[name]}`);
  button.title = button.getAttribute('aria-label');
}
$('theme').addEventListener('click', () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]));

// ---- keys ----

document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = e.target.matches('input, select, textarea');
  if (e.key === 'Escape' && state.item !== null) {
    closeDetail();
  } else if (typing) {
    return;
  } else if (e.key === '/') {
    $('find').focus();
  } else if (e.key === 'p' && PLANS.length > 1) {
    choosePlan(1 - state.plan);
  } else if (/^[1-9]$/.test(e.key) && shownTabs()[e.key - 1]) {
    goTab(shownTabs()[e.key - 1].id);
    $(`tab-${state.tab}`).focus();
  } else {
    return;
  }
  e.preventDefault();
});

document.addEventListener('click', (e) => {
  if (e.target.closest('a[data-item]')) focusDetail = e.detail === 0;
});

$('skip').addEventListener('click', () => ($('panel').querySelector('.table, .graph [tabindex="0"], a, button') || $('panel')).focus());

makePatterns();
setTheme('system');
{
  const [name, ...rest] = DATA.title.split('  ·  ');
  $('title').textContent = name;
  $('subtitle').textContent = rest.slice(0, -1).join(' · ');
  document.title = `${name} · shardwright`;
}
window.addEventListener('hashchange', readAddress);
readAddress();
