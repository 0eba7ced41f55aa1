#!/usr/bin/env python3
"""Uses the HTML report in a real browser: Debian's chromium, headless, through its driver.

  check_report.py [--tool build/dev/shardwright] [--hardware h100|none] [--screens DIR] [FILE ...]

FILE: programs, default models/mlp.mlir. --hardware: whose memory the report shows.

For every program: `render --report` (seconds, bytes), then at three widths, light and dark: opens without an error in the
console and without any request but for the file itself; filter, sort, search, click-through, keys and the back button
do what they should; nothing is wider than the window, no heading cut, no text of the graph over another; axe-core finds
nothing serious. A program with hostile names shows that names stay text. --screens keeps a picture of every section.
Needs chromium, chromium-driver, python3-selenium (Debian) and axe-playwright-python (PyPI, for its copy of axe-core).
Exit 0: all as it should be; 1: not; 2: usage.
"""
import argparse, importlib.util, json, os, pathlib, subprocess, sys, tempfile, time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException, WebDriverException

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTHS = ((390, 844), (1024, 768), (1600, 1000))
OPEN_SECONDS, MAKE_SECONDS, MAKE_BYTES = 3.0, 5.0, 40e6
MOST_ROWS = 140  # rows of a table that may exist at once, whatever its length

HOSTILE = r'''
#a = loc("</script><script>window.broken = 1</script>")
#b = loc("<img src=x onerror='window.broken = 2'>")
#c = loc("\22 onfocus=\22window.broken=3\22 autofocus=\22 &amp; \u2028 重み ")
module @"jit_<b>bold</b>" {
  sdy.mesh @mesh = <["<x>"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"<x>"}, {}]>} loc(#a),
      %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>} loc(#b),
      %arg2: tensor<8x6xf32> loc(#c)) -> (tensor<8x6xf32> {jax.result_info = "<svg onload=window.broken=4>"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8x6xf32> loc("LONG")
    return %1 : tensor<8x6xf32>
  }
}
'''


def axe_source():
  spec = importlib.util.find_spec('axe_playwright_python')
  if spec is None:
    sys.exit('error: axe-playwright-python is not installed (pip install --no-deps axe-playwright-python)')
  return (pathlib.Path(spec.origin).parent / 'axe.min.js').read_text(encoding='utf-8')


class Failures:
  """What was not as it should be; a check is said once, with where it failed first."""

  def __init__(self):
    self.checks, self.failed, self.last = 0, [], ''

  def check(self, good, what):
    self.checks += 1
    self.last = what
    if not good:
      self.failed.append(what)
      print(f'  FAILED  {what}', flush=True)


class Page:
  """The report of one program in a window of one size and colour scheme."""

  def __init__(self, path, size, dark, failures, screens):
    self.path, self.size, self.dark, self.failures, self.screens = path, size, dark, failures, screens
    self.where = f'{path.stem} {size[0]} {"dark" if dark else "light"}'
    options = webdriver.ChromeOptions()
    for argument in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', f'--window-size={size[0]},{size[1]}'):
      options.add_argument(argument)
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    self.driver = webdriver.Chrome(service=Service('/usr/bin/chromedriver'), options=options)
    self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',
                                {'width': size[0], 'height': size[1], 'deviceScaleFactor': 1, 'mobile': size[0] < 500})
    self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [
        {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]})

  def __enter__(self):
    return self

  def __exit__(self, *error):
    self.driver.quit()

  def check(self, good, what):
    self.failures.check(good, f'{self.where}: {what}')

  def js(self, script, *arguments):
    return self.driver.execute_script(script, *arguments)

  def wait(self, script, what, seconds=10):
    end = time.time() + seconds
    while time.time() < end:
      if self.js(script):
        return self.check(True, what)
      time.sleep(0.04)
    return self.check(False, what)

  def keys(self, *keys):
    webdriver.ActionChains(self.driver).send_keys(*keys).perform()

  def one(self, css):
    return self.driver.find_element(By.CSS_SELECTOR, css)

  def click(self, css):
    """As the mouse does; what is just being drawn again is looked for again."""
    for last in (False, False, True):
      try:
        return self.one(css).click()
      except (StaleElementReferenceException, ElementNotInteractableException):
        if last:
          raise
        time.sleep(0.2)

  def count(self, css):
    return self.js('return document.querySelectorAll(arguments[0]).length', css)

  def open(self):
    self.driver.get(self.path.as_uri())
    self.wait('return document.querySelectorAll("#tabs [role=tab]").length >= 4', 'opens')
    seconds = self.js('const t = performance.timing; return (t.loadEventEnd - t.navigationStart) / 1000')
    self.check(seconds < OPEN_SECONDS, f'opens in {seconds:.2f} s, under {OPEN_SECONDS} s')
    return seconds

  def quiet(self):
    """No errors in the console, and no request but the file itself."""
    errors = [entry['message'] for entry in self.driver.get_log('browser') if entry['level'] in ('SEVERE', 'WARNING')]
    self.check(not errors, f'a quiet console: {errors[:2]}')
    requests = []
    for entry in self.driver.get_log('performance'):
      message = json.loads(entry['message'])['message']
      if message['method'] == 'Network.requestWillBeSent':
        requests.append(message['params']['request']['url'].split('#')[0])
    others = [url for url in requests if url != self.path.as_uri() and not url.startswith('data:')]
    self.check(len(requests) > 0 and not others, f'no request but the file itself: {others[:3]}')

  def tab(self, name):
    self.js('document.getElementById("tab-" + arguments[0]).click()', name)
    self.wait(f'return document.getElementById("tab-{name}").getAttribute("aria-selected") === "true"', f'section {name}')
    time.sleep(0.15)

  def tabs(self):
    return self.js('return [...document.querySelectorAll("#tabs [role=tab]")].map((t) => t.id.slice(4))')

  def picture(self, name):
    if self.screens:
      self.driver.save_screenshot(str(self.screens / f'{self.where.replace(" ", "-")}-{name}.png'))

  # ---- what every section must be ----

  def check_fit(self, name):
    """Nothing wider than the window; headings, numbers and labels whole."""
    wide = self.js('return document.documentElement.scrollWidth - innerWidth')
    self.check(wide <= 0, f'{name}: {wide} pixels wider than the window')
    cut = self.js('''
      const whole = '.th button, .statname, .statbig, .statsmall, h1, h2, h3, .chip, .td.right, .tabletools button, .count, #partitioner button, dt, .legend span, summary';
      return [...document.querySelectorAll(whole)].filter((e) => e.offsetParent !== null && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
        .map((e) => e.textContent.slice(0, 40))''')
    self.check(not cut, f'{name}: cut: {cut[:4]}')
    outside = self.js('''
      return [...document.querySelectorAll('#panel .td.right, #panel .num, #top button, .statbig, #detail .num')].filter((e) => !e.closest('.scroll')).filter((e) => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1);
      }).map((e) => e.textContent.slice(0, 40))''')
    self.check(not outside, f'{name}: outside the window: {outside[:4]}')

  def check_found(self):
    box = self.js('const r = document.getElementById("found").getBoundingClientRect(); return [r.left, r.right, innerWidth]')
    self.check(box[0] >= 0 and box[1] <= box[2], f'what is found stands in the window: {box}')

  def check_access(self, name, axe):
    self.js(axe)
    self.driver.set_script_timeout(120)
    result = self.driver.execute_async_script('''
      const done = arguments[arguments.length - 1];
      axe.run(document, {resultTypes: ['violations']}).then((r) => done(r.violations.map((v) =>
        [v.impact, v.id, v.nodes.slice(0, 2).map((n) => n.html.slice(0, 160))])), (e) => done([['critical', String(e), []]]))''')
    serious = [v for v in result if v[0] in ('serious', 'critical')]
    self.check(not serious, f'{name}: axe-core: {serious[:3]}')
    return result

  def check_graph_text(self):
    """No two texts over one another, none outside its box."""
    bad = self.js('''
      const texts = [...document.querySelectorAll('.graph text')].filter((t) => t.getClientRects().length).slice(0, 600).map((t) => [t.getBoundingClientRect(), t]);
      const overlaps = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
      const bad = [];
      for (let i = 0; i < texts.length; ++i) for (let j = i + 1; j < texts.length; ++j)
        if (overlaps(texts[i][0], texts[j][0])) bad.push([texts[i][1].textContent, texts[j][1].textContent]);
      for (const [r, t] of texts) {
        const box = t.parentNode.querySelector('rect.box, rect.frame, .movelabel rect, rect').getBoundingClientRect();
        if (r.right > box.right + 1 || r.left < box.left - 1) bad.push([t.textContent, 'outside its box']);
      }
      return bad''')
    self.check(not bad, f'graph: texts: {bad[:3]}')

  # ---- what can be done ----

  def check_table(self):
    """Filter, sort, rows only where they are seen, the details of a row, the keyboard."""
    self.tab('values')
    total = int(self.js('return document.getElementById("values-table").getAttribute("aria-rowcount")')) - 1
    self.check(0 < self.count('#values-table .tr') <= MOST_ROWS, 'rows exist only where they are seen')
    field = self.one('.tabletools input')
    field.send_keys('dot')
    self.wait(f'return Number(document.getElementById("values-table").getAttribute("aria-rowcount")) - 1 < {total}', 'the filter filters')
    rows = self.js('return [...document.querySelectorAll("#values-table .tr:not([hidden])")].map((r) => [...r.children].map((c) => c.title + c.textContent).join(" ").toLowerCase())')
    seen = [r for r in rows if 'dot' in r]
    self.check(rows and (len(seen) == len(rows) or self.size[0] < 500), 'every row left has the word')
    field.clear()
    field.send_keys('x' + Keys.BACKSPACE)
    self.wait(f'return Number(document.getElementById("values-table").getAttribute("aria-rowcount")) - 1 === {total}', 'all rows again')
    self.click('#values-table [data-column="bytes"]')
    self.wait('return document.querySelector("#values-table [aria-sort=descending]") !== null', 'sorts, largest first')
    self.check(self.sorted_bytes(), 'rows are in the order of their bytes')
    self.click('#values-table [data-column="name"]')
    self.wait('return document.querySelector("#values-table [aria-sort=ascending]") !== null', 'sorts by name')
    self.check_scroll(total)
    self.check_keys()

  def sorted_bytes(self):
    texts = self.js('''return [...document.querySelectorAll('#values-table .tr:not([hidden])')].sort((a, b) => a.dataset.index - b.dataset.index).map((r) => r.lastElementChild.textContent)''')
    units = {'B': 0, 'KiB': 1, 'MiB': 2, 'GiB': 3, 'TiB': 4, 'PiB': 5, 'EiB': 6}
    sizes = [float(t.split()[0]) * 1024 ** units[t.split()[1]] if t else 0 for t in texts]
    sizes = sizes if len(sizes) > 1 else []
    return bool(sizes) and all(a >= b for a, b in zip(sizes, sizes[1:]))

  def check_scroll(self, total):
    frames = self.driver.execute_async_script('''
      const done = arguments[arguments.length - 1], table = document.getElementById('values-table');
      const end = table.scrollHeight, times = [];
      let step = 0, last = performance.now();
      (function next() {
        table.scrollTop = (end * step) / 60;
        requestAnimationFrame(() => { const now = performance.now(); times.push(now - last); last = now; if (++step <= 60) next(); else done(times.sort((a, b) => a - b)); });
      })()''')
    self.frames = frames[int(len(frames) * 0.9)]
    self.check(self.count('#values-table .tr') <= MOST_ROWS, 'no more rows after scrolling')
    last = self.js('return Math.max(...[...document.querySelectorAll("#values-table .tr:not([hidden])")].map((r) => Number(r.dataset.index)))')
    self.check(last == total - 1, 'the last row is there at the end')
    self.check(self.frames < 100, f'scrolls: nine frames of ten within {self.frames:.0f} ms')

  def check_keys(self):
    self.js('document.getElementById("values-table").scrollTop = 0; document.getElementById("values-table").focus()')
    self.keys(Keys.HOME, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    active = self.js('return document.getElementById("values-table").getAttribute("aria-activedescendant")')
    self.check(active == 'values-table-row2' and self.count(f'#{active}.active') == 1, 'arrows move the active row')
    self.keys(Keys.ENTER)
    self.wait('return !document.getElementById("detail").hidden && document.activeElement.matches("#detail h2")', 'Enter opens details and goes there')
    self.keys(Keys.ESCAPE)
    self.wait('return document.getElementById("detail").hidden && document.activeElement.id === "values-table"', 'Escape closes them and goes back')
    self.keys(Keys.END)
    self.wait('const t = document.getElementById("values-table"); return document.getElementById(t.getAttribute("aria-activedescendant")) !== null && t.scrollTop >= 0', 'End goes to the last row')
    self.keys('1')
    self.wait('return document.getElementById("tab-overview").getAttribute("aria-selected") === "true"', 'a number key chooses a section')
    self.keys(Keys.ARROW_RIGHT)
    self.wait('return document.activeElement.id === "tab-values"', 'arrows go from section to section')

  def check_search(self):
    """By key, by name, into the details; a link of a chain, and back."""
    self.js('document.activeElement.blur()')
    self.keys('/')
    self.wait('return document.activeElement.id === "find"', '/ goes to the search')
    name = self.js('''
      const plans = JSON.parse(document.getElementById('data').textContent);
      const v = plans.program.values, p = plans.plans[0];
      for (let i = v.name.length - 1; i >= 0; --i) { const o = p.why[p.whyBegin[i]]; if (p.whyBegin[i + 1] > p.whyBegin[i] && o >= 0 && p.origins.parent[o] >= 0 && v.op[i] >= 0) return plans.strings[v.name[i]]; }''')
    if not name:
      return
    self.keys(name)
    self.wait('return document.querySelectorAll("#found [role=option]").length > 0 && !document.getElementById("found").hidden', 'finds something')
    self.check_found()
    self.picture('search')
    self.keys(Keys.ENTER)
    self.wait('return !document.getElementById("detail").hidden', 'Enter opens what was found')
    self.check(self.js('return document.querySelector("#detail h2 code").textContent') == name, f'what was found is {name}')
    self.check(self.count('#detail .arraypic') + self.count('#detail figcaption') > 0, 'the array is drawn')
    self.check(self.count('#detail .chain li') > 1, 'its chain has steps')
    before = self.js('return location.hash')
    self.js('document.querySelector("#detail .chain a").click()')
    self.wait(f'return location.hash !== {json.dumps(before)}', 'a link of the chain leads on')
    self.driver.back()
    self.wait(f'return location.hash === {json.dumps(before)} && document.querySelector("#detail h2 code").textContent === {json.dumps(name)}', 'back leads back')
    self.check_fit('details')
    self.picture('details')

  def check_collectives(self):
    if 'collectives' not in self.tabs() or self.js('return Number(document.querySelector("#tab-collectives .tabcount").textContent.replaceAll(",", ""))') == 0:
      return
    self.tab('collectives')
    self.js('document.querySelector("#collectives-table .tr").click()')
    self.wait('return !document.getElementById("detail").hidden && document.querySelector("#detail .facts") !== null', 'a collective opens')
    if self.count('#detail .facts a'):
      self.js('document.querySelector("#detail .facts a").click()')
      self.wait('return location.hash.includes("/v")', 'and leads to its value')
    self.js('document.querySelector("#detail header button").click()')

  def check_partitioner(self):
    if self.count('#partitioner [role=radio]') < 2:
      return
    self.tab('values')
    self.js('document.activeElement.blur()')
    self.keys('p')
    self.wait('return document.querySelectorAll("#partitioner [role=radio]")[1].getAttribute("aria-checked") === "true"', 'p shows the other plan')
    self.keys('p')
    self.wait('return document.querySelectorAll("#partitioner [role=radio]")[0].getAttribute("aria-checked") === "true"', 'and again the first')

  def check_graph(self):
    if 'graph' not in self.tabs():
      return
    self.tab('graph')
    self.wait('return document.querySelectorAll(".graph .node").length > 0', 'the graph has nodes')
    self.check_graph_text()
    before = self.count('.graph .node')
    if self.count('.graph .folded'):
      self.js('document.querySelector(".graph .folded").focus()')
      self.keys(Keys.ENTER)
      self.wait(f'return document.querySelectorAll(".graph .node").length > {before}', 'Enter unfolds a scope')
      self.check_graph_text()
      self.keys(Keys.ENTER)
      self.wait(f'return document.querySelectorAll(".graph .node").length === {before}', 'and folds it again')
    where = self.js('return document.activeElement.getAttribute("aria-label")')
    self.keys(Keys.ARROW_DOWN)
    self.check(self.js('return document.activeElement.matches(".graph .node")') and self.js('return document.activeElement.getAttribute("aria-label")') != where or before == 1,
               'arrows go from node to node')
    scale = self.js('return document.querySelector(".graph svg > g").getAttribute("transform")')
    self.keys('+')
    self.check(self.js('return document.querySelector(".graph svg > g").getAttribute("transform")') != scale, '+ zooms in')
    field = self.one('.page .tabletools input')
    field.send_keys('dot' + Keys.ENTER)
    self.wait('return document.querySelector(".graph .marked") !== null', 'the search marks a node')
    self.js('document.querySelector(".graph .marked").dispatchEvent(new MouseEvent("click", {bubbles: true}))')
    self.wait('return !document.getElementById("detail").hidden', 'a click on it opens its details')
    self.js('document.querySelector("#detail .actions a").click()')
    self.wait('return document.querySelector(".graph .marked") !== null', 'details lead to the graph')

  def check_memory(self):
    """The curve: the worst moment first, another by click and by key, the buffers of that moment, and back."""
    if 'memory' not in self.tabs():
      return
    self.tab('memory')
    moment = 'return Number(document.querySelector(".curve").getAttribute("aria-valuenow"))'
    alive = 'return Number(document.getElementById("memory-table").getAttribute("aria-rowcount")) - 1'
    worst, most = self.js(moment), self.js('return Number(document.querySelector(".curve").getAttribute("aria-valuemax"))')
    self.check(self.count('.moment .tag') == 1 and self.js(alive) > 0, 'memory: the worst moment and its buffers')
    self.js('document.querySelector(".curve").focus()')
    self.keys(Keys.HOME)
    self.wait(f'{moment} === 1', 'Home goes to the first step')
    self.keys(Keys.ARROW_RIGHT)
    self.wait(f'{moment} === {min(2, most)}', 'an arrow goes one step on')
    self.wait('const d = JSON.parse(document.getElementById("data").textContent).plans[0].memory.buffers, t = '
              f'{min(2, most) - 1}; return Number(document.getElementById("memory-table").getAttribute("aria-rowcount")) - 1'
              ' === d.begin.filter((b, i) => b <= t && t <= d.end[i]).length', 'the buffers alive then')
    chart = self.one('.curve')
    webdriver.ActionChains(self.driver).move_to_element(chart).click().perform()
    self.wait(f'const m = Number(document.querySelector(".curve").getAttribute("aria-valuenow")); return Math.abs(m - {most} / 2) <= 1 + {most} / 100', 'a click chooses a moment')
    if self.js(moment) != worst:
      self.js('document.querySelector(".moment button").click()')
      self.wait(f'{moment} === {worst}', 'and the button goes back to the worst')
    self.js('document.querySelector("#memory-table .tr").click()')
    self.wait('return document.querySelector("#detail .facts") !== null', 'a buffer opens')
    self.check_fit('a buffer')
    self.js('document.querySelector("#detail header button").click()')

  def check_scheme(self):
    light = self.js('const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 3')
    self.check((light < 100) == self.dark, 'the colours follow the system')
    self.click('#theme')
    self.click('#theme')
    dark = self.js('const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 3')
    self.check(dark < 100, 'the button chooses dark')
    self.click('#theme')


def make(tool, hardware, program, out, failures):
  begin = time.time()
  done = subprocess.run([tool, 'render', '--report', program, '-o', out, *(['--hardware', hardware] if hardware != 'none' else [])], capture_output=True, text=True)
  seconds, size = time.time() - begin, out.stat().st_size if out.exists() else 0
  failures.check(done.returncode == 0 and size > 0, f'{program}: exit {done.returncode}: {done.stderr[:300]}')
  failures.check(seconds < MAKE_SECONDS and size < MAKE_BYTES, f'{program}: {seconds:.2f} s and {size} bytes')
  print(f'{pathlib.Path(program).name}: {seconds:.2f} s, {size:,} bytes', flush=True)
  return done.returncode == 0


def check_window(page, axe):
  seconds = page.open()
  page.check_scheme()
  minor = set()
  for name in page.tabs():
    page.tab(name)
    page.check_fit(name)
    minor |= {v[1] for v in page.check_access(name, axe)}
    page.picture(name)
  page.check_search()
  minor |= {v[1] for v in page.check_access('details', axe)}
  page.check_table()
  page.check_collectives()
  page.check_partitioner()
  page.check_memory()
  page.check_graph()
  page.quiet()
  print(f'  {page.where}: opens in {seconds:.2f} s, scrolls at {page.frames:.0f} ms a frame (nine of ten within)'
        + (f', minor remarks of axe-core: {", ".join(sorted(minor))}' if minor else ''), flush=True)


def check_report(path, failures, screens, axe):
  for size in WIDTHS:
    for dark in (False, True):
      with Page(path, size, dark, failures, screens) as page:
        try:
          check_window(page, axe)
        except WebDriverException as error:
          page.check(False, f'{type(error).__name__}: {error.msg.splitlines()[0]}, after "{failures.last}"')


def check_hostile(tool, hardware, folder, failures, screens):
  """Names with markup, quotes, line separators and 10,000 characters: shown as they are, cut, nowhere markup."""
  program = folder / 'hostile.mlir'
  program.write_text(HOSTILE.replace('LONG', 'n' * 10000), encoding='utf-8')
  out = folder / 'hostile.html'
  if not make(tool, hardware, program, out, failures):
    return
  with Page(out, WIDTHS[2], False, failures, screens) as page:
    page.open()
    for name in page.tabs():
      page.tab(name)
      page.check_fit(name)
      page.picture(name)
    page.tab('arguments')
    names = page.js('return [...document.querySelectorAll("#arguments-table .tr")].map((r) => r.firstElementChild.textContent)')
    page.check(any('</script><script>' in n for n in names), f'a name with markup is shown as it is: {names}')
    page.check(page.js('return window.broken === undefined') and page.count('img') == 0 and page.count('script') == 2 and page.count('b') == 0,
               'no name has become markup')
    page.quiet()


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
  parser.add_argument('--tool', default=ROOT / 'build/dev/shardwright')
  parser.add_argument('--hardware', default='h100')
  parser.add_argument('--screens', type=pathlib.Path)
  parser.add_argument('files', nargs='*')
  arguments = parser.parse_args()
  if not os.access(arguments.tool, os.X_OK):
    parser.error(f'{arguments.tool} is not there')
  axe, failures = axe_source(), Failures()
  if arguments.screens:
    arguments.screens.mkdir(parents=True, exist_ok=True)
  with tempfile.TemporaryDirectory(prefix='report-') as temporary:
    folder = pathlib.Path(temporary)
    for program in arguments.files or [ROOT / 'models/mlp.mlir']:
      out = folder / (pathlib.Path(program).name.split('.')[0] + '.html')
      if make(arguments.tool, arguments.hardware, program, out, failures):
        check_report(out, failures, arguments.screens, axe)
    check_hostile(arguments.tool, arguments.hardware, folder, failures, arguments.screens)
  print(f'{failures.checks - len(failures.failed)} of {failures.checks} checks passed')
  return 1 if failures.failed else 0


if __name__ == '__main__':
  sys.exit(main())
