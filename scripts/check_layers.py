#!/usr/bin/env python3
"""Checks the structure of the sources: layers, third-party headers, sizes, and that CMake lists every file.

A folder of src/ may include only the folders that the table below gives it (the linker alone does not stop a leak
through headers). Heavy third-party headers stay in the one place that needs them, files within 800 lines, functions
within 80.
Prints one line per finding, as FILE:LINE: text; exits 1 if there is any. Standard library only.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_FILE_LINES, MAX_FUNCTION_LINES, MAX_COLUMNS = 800, 80, 120

# folder -> the folders directly below it; what those may include, it may include too.
DEPENDS = {
    'base': (), 'source': ('base',), 'ir': ('source',), 'sharding': ('ir',), 'ops': ('sharding',),
    'text': ('ops',), 'propagate': ('ops',), 'partition': ('propagate',), 'schedule': ('partition',),
    'memory': ('schedule',), 'cost': ('schedule',), 'exec': ('partition',),
    'search': ('propagate', 'partition', 'memory', 'cost'),
    'report': ('propagate', 'partition', 'schedule', 'memory', 'cost', 'exec', 'search'),
    'draw': ('report',), 'cli': ('text', 'exec', 'report', 'draw'),
}
# Folders inside one layer that must not know one another.
STRANGERS = (('propagate/shardy', 'propagate/gspmd'), ('text/mlir', 'text/hlo'))

# pattern of a third-party header -> where it may be included, as path prefixes below src/
THIRD_PARTY = {
    r'CLI/': ('cli/',), r'yaml-cpp/': ('text/yaml/',), r'Eigen/|eigen3/': ('exec/',),
    r'tbb/|oneapi/': ('base/parallel.cc',), r'nlohmann/': ('report/',), r'graphviz/|gvc\.h|cgraph\.h': ('draw/',),
    r'lzma\.h|zlib\.h': ('source/',), r'catch2/|rapidcheck|benchmark/': (),
}


def closure(folder: str) -> set[str]:
  return {folder}.union(*(closure(below) for below in DEPENDS[folder]))


def blank(match: re.Match) -> str:
  """Spaces in place of a comment or literal, keeping line ends so that line numbers stay."""
  return re.sub(r'[^\n]', ' ', match.group(0))


def strip(code: str) -> str:
  """The code without comments, literals and preprocessor lines."""
  code = re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'',
                blank, code, flags=re.S)
  return re.sub(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', blank, code, flags=re.M)


def functions(code: str):
  """Yields (first line, last line, head) of every function body that is not inside another function."""
  stack: list[tuple[bool, int, str]] = []  # (is a function, first line, head) of every open brace
  line, head, start = 1, '', 1
  for char in strip(code):
    if char == '\n':
      line += 1
    if char == '{':
      inside = any(f for f, _, _ in stack)
      words = head.strip()
      scope = re.match(r'(inline\s+)?(namespace|struct|class|union|enum|extern)\b', words)
      scope = scope and not re.search(r'\)\s*\w*$', words)
      stack.append((bool('(' in words and not inside and not scope), start, words))
      head = ''
    elif char == '}':
      if stack:
        is_function, first, words = stack.pop()
        if is_function:
          yield first, line, words
      head = ''
    elif char == ';' and head.count('(') == head.count(')'):
      head = ''
    else:
      if not head.strip() and not char.isspace():
        start = line
      head += char


def check_includes(path: pathlib.Path, text: str):
  inside = path.relative_to(ROOT / 'src').as_posix()
  folder = inside.split('/')[0] if '/' in inside else None  # main.cc may include everything
  for number, line in enumerate(text.splitlines(), 1):
    match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
    if not match:
      continue
    target = match[2]
    if match[1] == '"':
      if not (ROOT / 'src' / target).exists():
        yield number, f'"{target}" is not a path below src/'
      elif folder and target.split('/')[0] not in closure(folder):
        yield number, f'{folder}/ may not include {target.split("/")[0]}/ (only {", ".join(sorted(closure(folder)))})'
      for pair in STRANGERS:
        for mine, other in (pair, pair[::-1]):
          if inside.startswith(mine + '/') and target.startswith(other + '/'):
            yield number, f'{mine}/ may not include {other}/'
    for pattern, places in THIRD_PARTY.items():
      if re.match(pattern, target) and not any(inside.startswith(p) for p in places):
        yield number, f'<{target}> belongs in {" or ".join(places) or "tests"} only'
    if target.startswith('fmt/') and path.suffix != '.cc':
      yield number, f'<{target}> may be included in .cc files only'


def check_sizes(path: pathlib.Path, text: str, with_functions: bool):
  """Sizes, and for sources of the tool: columns, functions, an opening comment (a .cc may leave it to its header)."""
  lines = text.splitlines()
  if len(lines) > MAX_FILE_LINES:
    yield len(lines), f'{len(lines)} lines; at most {MAX_FILE_LINES} are allowed in a file'
  if with_functions and lines and not lines[0].startswith('//') and not path.with_suffix('.h').exists():
    yield 1, 'the file does not open with a comment that says what it is for'
  for number, line in enumerate(lines, 1):
    if len(line) > MAX_COLUMNS and 'R"' not in line and with_functions:
      yield number, f'{len(line)} columns; at most {MAX_COLUMNS} are allowed'
    if re.search(r'//.*\b(TODO|FIXME|XXX)\b', line):
      yield number, 'a note of unfinished work'
  if with_functions:
    for first, last, head in functions(text):
      if last - first + 1 > MAX_FUNCTION_LINES:
        name = re.findall(r'([\w:~]+)\s*\(', head)
        yield first, f'{name[0] if name else "function"}() has {last - first + 1} lines; at most {MAX_FUNCTION_LINES}'


def check_listed():
  """Every source below src/ and tests/ is named in the CMakeLists.txt of its folder or of one above."""
  for path in sorted([*(ROOT / 'src').rglob('*.cc'), *(ROOT / 'tests').rglob('*.cc')]):
    for folder in path.parents:
      lists = folder / 'CMakeLists.txt'
      name = re.escape(path.relative_to(folder).as_posix())
      if lists.exists() and re.search(rf'(?<![\w./-]){name}(?![\w.-])', lists.read_text()):
        break
      if lists.exists() and re.search(rf'sw_fuzz\({path.stem}\b', lists.read_text()):
        break
      if folder == ROOT:
        yield path, 1, 'is in no CMakeLists.txt, so nothing builds it'
        break


def findings():
  for path in sorted((ROOT / 'src').rglob('*')):
    if path.suffix in ('.cc', '.h', '.def'):
      text = path.read_text()
      folder = path.relative_to(ROOT / 'src').parts[0]
      if path.parent != ROOT / 'src' and folder not in DEPENDS:
        yield path, 1, f'src/{folder}/ is not in the table of layers'
        continue
      for number, message in (*check_includes(path, text), *check_sizes(path, text, path.suffix != '.def')):
        yield path, number, message
      if path.suffix == '.h' and '#pragma once' not in text:
        yield path, 1, 'a header without #pragma once'
      if path.stem in ('util', 'utils', 'helpers', 'misc', 'common'):
        yield path, 1, 'name the file by what is in it'
  for path in sorted((ROOT / 'tests').rglob('*')):
    if path.suffix in ('.cc', '.h', '.py'):
      for number, message in check_sizes(path, path.read_text(), False):
        yield path, number, message
  yield from check_listed()


def self_test() -> None:
  """The function finder is the one part that can go wrong in silence: it must find these and count them right."""
  body = '\n'.join(['  x();'] * 90)
  sample = ('namespace a {\nstruct S {\n  int f() const { return 1; }\n  int g = 2;\n};\n// void no() {\n'
            f'void long_one(int a,\n    int b) {{\n  auto l = [&](int) {{\n{body}\n  }};\n  call("}}{{", \'{{\');\n}}\n'
            'S::S(int q) : g(q) {\n}\n}\n')
  found = {re.findall(r'([\w:~]+)\s*\(', head)[0]: last - first + 1 for first, last, head in functions(sample)}
  if found != {'f': 1, 'long_one': 96, 'S::S': 2}:
    sys.exit(f'check_layers.py: self-test failed: {found}')
  if 'text' in closure('propagate') or 'base' not in closure('text') or 'cli' in closure('report'):
    sys.exit('check_layers.py: self-test failed: the table of layers')


def main() -> None:
  self_test()
  count = 0
  for path, number, message in findings():
    print(f'{path.relative_to(ROOT)}:{number}: {message}')
    count += 1
  files = sum(1 for p in (ROOT / 'src').rglob('*') if p.suffix in ('.cc', '.h', '.def'))
  print(f'{files} files of src/ checked, {count} findings')
  sys.exit(1 if count else 0)


if __name__ == '__main__':
  main()
