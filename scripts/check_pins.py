#!/usr/bin/env python3
"""Writes the pins that `shardwright diff` proposes into programs and asks the real partitioners whether they now agree.

  check_pins.py DIR...            folders CASE/ with shardy.input.mlir and gspmd.input.mlir: one program, lowered by JAX
                                  for each partitioner
  check_pins.py DIR... --only CASE CASE

Each program is compiled by jaxlib with Shardy and with GSPMD, and the shardings of its results are compared. Where they
or the tool's two plans differ, the pins are put behind the values they name, as `sdy.sharding_constraint` in the one
text and `@Sharding` in the other, and both are compiled again. A value is found in the text for GSPMD by lining up the
operations of both. Prints a row for each such program; exits 1 when a verdict of the tool is not the real one, or pins
leave the real partitioners apart.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from jax_env import ROOT, ensure_jax

sys.path.insert(0, str(ROOT / 'tests' / 'oracle'))


def ask_tool(tool: str, path: pathlib.Path, *extra: str) -> dict:
  done = subprocess.run([tool, 'diff', str(path), '--partitioners', 'gspmd,shardy', '--format', 'json', *extra],
                        capture_output=True, text=True, timeout=600)
  if done.returncode not in (0, 1):
    raise RuntimeError(f'{path}: exit {done.returncode}: {done.stderr[:300]}')
  return json.loads(done.stdout)


_TYPE = r'tensor<(?:[^<>]|<[^<>]*>)*>'


def operation(line: str) -> str:
  """What a line does, without names and shardings: the same in both texts."""
  line = re.sub(rf'sdy\.sharding_constraint.*? : ({_TYPE}).*', r'constraint \1', line)
  line = re.sub(rf'stablehlo\.custom_call @Sharding.* -> ({_TYPE}).*', r'constraint \1', line)
  line = re.sub(r'(\{(?:sdy|mhlo)\.sharding = (?:#sdy\.sharding<[^>]*>|"[^"]*")\})', '', line)
  return re.sub(r'%[\w#:]+', '%', line).strip()


def line_in_other(text: str, other: str, number: int) -> int | None:
  """The line of `other` with the operation of line `number` of `text`; both from 1."""
  a, b = ([operation(line) for line in t.splitlines()] for t in (text, other))
  for match in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
    if match.a <= number - 1 < match.a + match.size:
      return match.b + number - 1 - match.a + 1
  return None


def indent_of(line: str) -> int:
  return len(line) - len(line.lstrip())


def end_of_op(lines: list[str], at: int) -> int:
  """The index of the last line of the op that begins at index `at`: its regions are closed at its own indentation."""
  indent = indent_of(lines[at])
  if not lines[at].rstrip().endswith('{') and not lines[at + 1].lstrip().startswith('cond {'):
    return at
  while at + 1 < len(lines):
    at += 1
    if indent_of(lines[at]) <= indent + 1 and lines[at].lstrip().startswith('}') and not lines[at].endswith('{'):
      break
  return at


def block_end(lines: list[str], at: int, indent: int) -> int:
  """The index behind the last line that is indented at least `indent`, from `at` on."""
  while at < len(lines) and (not lines[at].strip() or indent_of(lines[at]) >= indent):
    at += 1
  return at


def insert_pin(lines: list[str], first: int, indent: int, name: str, kind: str, line: int, make) -> str:
  """Puts the constraint at index `first`; what follows in the block, and inside, uses it."""
  used = re.compile(rf'{re.escape(name)}(?![\w#])')
  new = f'%pinned_{line}_{re.sub(r"[^0-9A-Za-z_]", "_", name[1:])}'
  for i in range(first, block_end(lines, first, indent)):
    lines[i] = used.sub(new, lines[i])
  lines.insert(first, ' ' * indent + make(new, name, kind))
  return '\n'.join(lines) + '\n'


def region_start(lines: list[str], at: int, region: str) -> int:
  """The index of the first line of the `condition` or the `body` of the loop at index `at`."""
  opening = 'cond {' if region == 'condition' else '} do {'
  return next(i for i in range(at, len(lines)) if lines[i].strip() == opening and
              indent_of(lines[i]) <= indent_of(lines[at]) + 1) + 1


def with_pin(text: str, line: int, name: str, region: str | None, make) -> str:
  """The text with a constraint behind the value `name` that line `line` defines; `make(new, old, type)` spells it.
  The variable of a loop has one name in both regions: `region` says which of them is meant."""
  lines = text.splitlines()
  at = line - 1
  several = re.match(r'\s*(%\w+(?:, %\w+)+) = ', lines[at])  # results with names of their own, not numbers
  if several and '#' in name:
    index, name = int(name.split('#')[1]), several[1].split(', ')[int(name.split('#')[1])]
    kind = re.findall(_TYPE, lines[at].rsplit(' -> ', 1)[-1])[index]
    return insert_pin(lines, at + 1, indent_of(lines[at]), name, kind, line, make)
  argument = re.search(rf'{re.escape(name)}: ({_TYPE})', lines[at])
  carried = re.findall(r'(%\w+) = ', lines[at].partition('stablehlo.while(')[2])
  if name in carried:
    kind = re.findall(_TYPE, lines[at])[carried.index(name)]
    first = region_start(lines, at, region)
    indent = indent_of(lines[first])
  elif argument and not lines[at].lstrip().startswith(name.split('#')[0]):
    first, kind = at + 1, argument[1]
    indent = indent_of(lines[first])
  else:
    last = end_of_op(lines, at)
    first, indent = last + 1, indent_of(lines[at])
    loop = 'stablehlo.while(' in lines[at]
    signature = lines[at].rsplit(') : ', 1)[-1] if loop else lines[last].rsplit(' : ', 1)[-1]
    types = re.findall(_TYPE, signature.rsplit(' -> ', 1)[-1])
    kind = types[int(name.split('#')[1]) if '#' in name and len(types) > 1 else -1]
  return insert_pin(lines, first, indent, name, kind, line, make)


def pinned(text: str, other: str, pins: list[dict]) -> tuple[str, str]:
  """Both texts with all pins, the last of the text first so that lines stay where they are."""
  # Of a loop's line, the body before the condition, which stands above it.
  for pin in sorted(pins, key=lambda p: (-p['line'], p['region'] != 'body')):
    sdy, hlo = pin['sdy'], pin['hlo']
    there = line_in_other(text, other, pin['line'])
    if there is None:
      raise LookupError(f'{pin["value"]} of line {pin["line"]} is not in the text for GSPMD')
    number = pin['value'].partition('#')[2]
    name = pin['value']
    line = other.splitlines()[there - 1]
    defines = re.match(r'\s*(%\w+)', text.splitlines()[pin['line'] - 1])
    if defines and defines[1] == name.split('#')[0]:
      name = re.match(r'\s*(%\w+)', line)[1] + (f'#{number}' if number else '')
    other = with_pin(other, there, name, pin['region'], lambda new, old, kind:
                     f'{new} = stablehlo.custom_call @Sharding({old}) {{mhlo.sharding = "{hlo}"}} : ({kind}) -> {kind}')
    text = with_pin(text, pin['line'], pin['value'], pin['region'],
                    lambda new, old, kind: f'{new} = sdy.sharding_constraint {old} {sdy} : {kind}')
  return text, other


class Case:
  """One program before and after its pins."""

  def __init__(self, compiler, tool: str, folder: pathlib.Path):
    self.compiler, self.tool = compiler, tool
    self.path = folder / 'shardy.input.mlir'
    self.text, self.other = self.path.read_text(), (folder / 'gspmd.input.mlir').read_text()
    self.found = ask_tool(tool, self.path)
    self.real = self.differing(self.text, self.other)
    self.ours = [o['index'] for o in self.found['outputs']]

  def differing(self, text: str, other: str) -> list[int]:
    from placement import WHOLE, placement_hlo
    sides = [[placement_hlo(s) if s else WHOLE for s in self.compiler.decide(t, p)[0]]
             for t, p in ((text, 'shardy'), (other, 'gspmd'))]
    return [i for i, (a, b) in enumerate(zip(*sides, strict=True)) if a != b]

  def pins(self) -> list[dict]:
    return (self.found['settlement'] or {}).get('pins', [])

  def settle(self) -> tuple[list[int], list[int]]:
    """The results on which the real partitioners differ with the pins, and those on which the tool says so."""
    text, other = pinned(self.text, self.other, self.pins())
    with tempfile.TemporaryDirectory() as scratch:
      path = pathlib.Path(scratch) / 'pinned.mlir'
      path.write_text(text)
      ours = [o['index'] for o in ask_tool(self.tool, path)['outputs']]
    return self.differing(text, other), ours


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('folders', nargs='+', metavar='DIR')
  parser.add_argument('--only', nargs='*', metavar='CASE')
  parser.add_argument('--tool', metavar='PATH', help='default: build/release/shardwright, built first')
  args = parser.parse_args()
  ensure_jax()
  import live_gspmd
  if not args.tool:
    if subprocess.run([ROOT / 'scripts' / 'shardwright', 'version'], stdout=subprocess.DEVNULL).returncode:
      sys.exit('error: the tool does not build')
    args.tool = str(ROOT / 'build' / 'release' / 'shardwright')
  tool, same, wrong, agree, apart = os.path.abspath(args.tool), 0, 0, 0, 0
  print(f'{"program":24} {"results that differ":20} {"tool":8} pins  {"real after":12} {"tool after":12}')
  with live_gspmd.Compiler(256) as compiler:
    for folder in sorted(p.parent for d in args.folders for p in pathlib.Path(d).glob('*/shardy.input.mlir')):
      if args.only and folder.name not in args.only or not (folder / 'gspmd.input.mlir').exists():
        continue
      try:
        case = Case(compiler, tool, folder)
      except live_gspmd.NotPartitioned:
        continue
      same, wrong = same + (case.real == case.ours), wrong + (case.real != case.ours)
      if not case.real and not case.ours:
        continue
      try:
        real, ours = case.settle()
        after = ['differ: ' + ' '.join(map(str, d)) if d else 'agree' for d in (real, ours)]
      except (LookupError, RuntimeError, live_gspmd.NotPartitioned) as error:
        real, after = [0], [str(error), '']
      agree, apart = agree + (not real), apart + bool(real)
      print(f'{folder.name:24} {" ".join(map(str, case.real)) or "none":20} '
            f'{"the same" if case.real == case.ours else " ".join(map(str, case.ours)) or "none":8} '
            f'{len(case.pins()):4}  {after[0]:12} {after[1]:12}', flush=True)
  print(f'verdicts of the tool: {same} as the real partitioners, {wrong} not; with the pins {agree} programs agree, '
        f'{apart} do not')
  sys.exit(1 if wrong or apart else 0)


if __name__ == '__main__':
  main()
