#!/usr/bin/env python3
"""Compares the tool with the live Shardy of jaxlib on random programs, and shrinks what differs to a few ops.

  differential.py --count 200 --seed 1000      programs 1000 to 1199
  differential.py --minutes 20                 until the time is up
  differential.py --files models/*.mlir        these programs instead; --no-shrink to list only
  differential.py --ops 100                    each program is 100 random operations, all attributes drawn (random_ops.py)
  differential.py --partitioner gspmd          GSPMD instead, by compiling each program (slower; no mutations): the tool
                                               reads the HLO that GSPMD got, and the lowered text

Every program is lowered from random JAX code (random_programs.py); two of three are then mutated (mutate_shardings.py).
With --recorded the programs of tests/oracle are mutated instead, which have more kinds of ops.
Compared are the sharding of every op result and of the outputs, by what they mean, and the factor rule of every op, by
its text. Each mismatch is printed with its seed and written, shrunk, to build/mismatches/NAME.mlir, the wanted and the
given answer in comments above the program. Exits 1 if anything differs.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from jax_env import ROOT, ensure_jax, force_devices
import lowered_text

sys.path.insert(0, str(ROOT / 'tests' / 'oracle'))


class Difference:
  def __init__(self, kind: str, line, op: str, wanted, given):
    self.kind, self.line, self.op, self.wanted, self.given = kind, line, op, wanted, given

  def key(self) -> tuple[str, str]:
    """What stays the same while shrinking: the kind of answer and the op."""
    return self.kind, self.op

  def __str__(self) -> str:
    return f'{self.kind} of {self.op} (line {self.line}): wanted {self.wanted}, given {self.given}'


class Rejected(Exception):
  """The real partitioner does not take the program."""


def ask_tool(tool: str, text: str, partitioner: str) -> dict:
  import replay
  if partitioner == 'shardy':
    text = replay.for_passes_alone(text)
  with tempfile.NamedTemporaryFile('w', suffix='.hlo' if text.startswith('HloModule') else '.mlir') as file:
    file.write(text)
    file.flush()
    done = subprocess.run([tool, 'plan', file.name, '--partitioner', partitioner, '--format', 'json'],
                          capture_output=True, text=True, timeout=120)
  if done.returncode not in (0, 1, 4):
    raise RuntimeError(f'exit {done.returncode}: {done.stderr.strip()[:400]}')
  return json.loads(done.stdout)


def ask_shardy(text: str) -> dict:
  """Shardy's answer in the form of the records of tests/oracle."""
  import live_shardy
  try:
    answer = live_shardy.propagate(text)
  except live_shardy.Rejected as error:
    raise Rejected(str(error)) from None
  lines = collections.Counter(o.line for o in answer.ops)
  written = text.splitlines()
  ops = [[o.line, o.op, o.shardings, o.rule] for o in answer.ops
         if o.line and lines[o.line] == 1 and not o.op.startswith('mhlo.') and
         (o.op != 'sdy.reshard' or re.search(r'reshard|sharding_constraint', written[o.line - 1]))]  # not one put in
  return {'text': text, 'meshes': answer.meshes, 'ops': ops, 'outputs': answer.outputs}


def ask_gspmd(compiler, text: str) -> dict:
  """GSPMD's answers by instruction, for the HLO before it, and by line of the lowered text."""
  import live_gspmd
  try:
    before, ops, outputs, lines = compiler.both(text)
  except live_gspmd.NotPartitioned as error:
    raise Rejected(str(error)) from None
  return {'text': before, 'ops': ops, 'outputs': outputs, 'lines': lines}


# Ops of StableHLO that are called otherwise in HLO.
_HLO_NAMES = {'broadcast_in_dim': 'broadcast', 'dot_general': 'dot', 'optimization_barrier': 'opt-barrier'}


def lowered_differences(record: dict, plan: dict) -> list[Difference]:
  """The plan of the lowered text against GSPMD's: results of main, and each op that became one instruction."""
  from placement import WHOLE, placement_hlo

  def placed(sharding: str | None):
    return placement_hlo(sharding) if sharding else WHOLE

  found = []
  for i, (wanted, output) in enumerate(zip(record['outputs'], plan['outputs'], strict=True)):
    if placed(wanted) != placed(output['sharding']['hlo']):
      found.append(Difference('lowered output', i, 'result', wanted, output['sharding']['hlo']))
  for value in plan['values']:
    if value['kind'] != 'result':
      continue
    name = value['op'].split('.')[-1]
    name = _HLO_NAMES.get(name, name.replace('_', '-'))
    wanted = [s for op, dims, s in record['lines'].get(value['line'], [])
              if op == name and dims == value['type'].get('shape')]
    if len(wanted) != 1 or (wanted[0] or '').startswith('{{'):
      continue  # simplified away, written out several times, or of several results
    if placed(wanted[0]) != placed(value['sharding']['hlo']):
      found.append(Difference('lowered value', value['line'], name, wanted[0], value['sharding']['hlo']))
  return found


class Comparison:
  """The tool against one partitioner. Calling it with a text gives all differences; it may raise Rejected."""

  def __init__(self, tool: str, partitioner: str, compiler):
    self.tool, self.partitioner, self.compiler = tool, partitioner, compiler

  def __call__(self, text: str) -> list[Difference]:
    import replay
    record = ask_shardy(text) if self.partitioner == 'shardy' else ask_gspmd(self.compiler, text)
    judge = replay.check_lines if self.partitioner == 'shardy' else replay.check_gspmd
    try:
      tally = judge(record | {'case': '-'}, ask_tool(self.tool, record['text'], self.partitioner))
      lowered = [] if self.partitioner == 'shardy' else lowered_differences(record, ask_tool(self.tool, text, 'gspmd'))
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
      return [Difference('failure', 0, re.sub(r'\S*/\S*|\W+|\d+', ' ', str(error))[:60], 'an answer', str(error))]
    found = []
    for key, what in tally.misses.items():
      _, kind, place, op = key.split(' ')
      wanted, given = re.match(r'wanted (.*), given (.*)', what, re.S).groups()
      found.append(Difference(kind, place, op, wanted, given))
    return found + lowered


def shrink(compare: Comparison, text: str, difference: Difference) -> str:
  import reduce_module

  def holds(candidate: str) -> bool:
    try:
      return any(d.key() == difference.key() for d in compare(candidate))
    except (Rejected, subprocess.TimeoutExpired):
      return False

  return reduce_module.shrink(text, holds)


def report(compare: Comparison, name: str, text: str, found: list[Difference], args) -> None:
  print(f'{name}: {len(found)} differ; first: {found[0]}', flush=True)
  kept = text
  if not args.no_shrink:
    kept = shrink(compare, text, found[0])
    found = [d for d in compare(kept) if d.key() == found[0].key()] or found
    body = [line for line in kept.splitlines() if re.search(r'(stablehlo|chlo|sdy|call)\b', line)]
    print(f'  shrunk to {len(body)} lines: {found[0]}', flush=True)
  os.makedirs(args.out, exist_ok=True)
  head = ''.join('// ' + str(d)[:600].replace('\n', ' ') + '\n' for d in found[:5])
  path = pathlib.Path(args.out) / f'{name}.mlir'
  path.write_text(f'{head}// (lines are counted without this comment)\n{kept}')
  if args.partitioner == 'gspmd':
    path.with_suffix('.hlo').write_text(ask_gspmd(compare.compiler, kept)['text'])


def recorded_texts() -> list[tuple[str, str]]:
  """(case, text) of all programs of tests/oracle that have a mesh."""
  import replay
  found = []
  for record in replay.read_records('shardy', []):
    text = lowered_text.read(ROOT / record['file']) if 'file' in record else record['text']
    text = lowered_text.without_locations(text)
    known = not re.search(r' "?mhlo\.\w+"?\(', text)  # the Shardy of jaxlib has no rules for these, XLA's has
    if known and 'sdy.mesh' in text and text.count('\n') < 1500:
      found.append((record['case'].replace('/', '_'), text))
  return found


def one_program(seed: int, args, recorded: list[tuple[str, str]]) -> tuple[str, str]:
  """(name, text) of one seed."""
  import mutate_shardings
  if args.ops:
    import random_ops
    return f'ops_{seed}', random_ops.program(seed, args.ops)
  if recorded:
    name, text = recorded[seed % len(recorded)]
    name = f'{name}_{seed}'
  else:
    import random_programs
    name, text = f'seed_{seed}', random_programs.lowered(seed)
  mutated = mutate_shardings.mutate(text, seed) if args.partitioner == 'shardy' and (recorded or seed % 3) else None
  return (f'{name}m', mutated) if mutated else (name, text)


def programs(args):
  """Yields (name, text)."""
  if args.files:
    for path in args.files:
      yield pathlib.Path(path).name.split('.')[0], lowered_text.without_locations(lowered_text.read(path))
    return
  recorded = recorded_texts() if args.recorded else []
  start, seed = time.monotonic(), args.seed
  while seed < args.seed + args.count if args.minutes is None else time.monotonic() - start < 60 * args.minutes:
    try:
      yield one_program(seed, args, recorded)
    except Exception as error:  # jax refuses some combinations only when it lowers the whole
      print(f'seed {seed} does not lower: {type(error).__name__}: {str(error)[:100]}', flush=True)
    seed += 1


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--count', type=int, default=100, help='how many programs (100)')
  parser.add_argument('--seed', type=int, default=0, help='the first seed (0)')
  parser.add_argument('--minutes', type=float, help='in place of --count')
  parser.add_argument('--recorded', action='store_true', help='mutate the programs of tests/oracle, not random ones')
  parser.add_argument('--ops', type=int, metavar='N', help='programs of N random operations each')
  parser.add_argument('--files', nargs='+', metavar='FILE', help='compare these programs')
  parser.add_argument('--partitioner', choices=['shardy', 'gspmd'], default='shardy')
  parser.add_argument('--tool', metavar='PATH', help='default: build/release/shardwright, built first')
  parser.add_argument('--out', default=str(ROOT / 'build' / 'mismatches'), metavar='DIR',
                      help='default: build/mismatches')
  parser.add_argument('--no-shrink', action='store_true', help='write programs as they are')
  parser.add_argument('--keep', type=int, default=1, metavar='N', help='shrink N programs of each kind of mismatch (1)')
  args = parser.parse_args()
  ensure_jax()
  force_devices(256)
  if not args.tool:
    if subprocess.run([ROOT / 'scripts' / 'shardwright', 'version'], stdout=subprocess.DEVNULL).returncode:
      sys.exit('error: the tool does not build')
    args.tool = str(ROOT / 'build' / 'release' / 'shardwright')
  tool = os.path.abspath(args.tool)
  if not os.access(tool, os.X_OK):
    sys.exit(f'error: {args.tool} is not a program')
  import jax
  jax.config.update('jax_use_shardy_partitioner', args.partitioner == 'shardy')
  import live_gspmd
  with live_gspmd.Compiler(256) as compiler:
    sys.exit(run(Comparison(tool, args.partitioner, compiler), args))


def run(compare: Comparison, args) -> int:
  counts, kinds = collections.Counter(), collections.Counter()
  for name, text in programs(args):
    try:
      found = compare(text)
    except Rejected as rejected:
      counts['rejected'] += 1
      if args.files:
        print(f'{name}: rejected: {rejected}')
      continue
    counts['differ' if found else 'agree'] += 1
    if found:
      kinds[found[0].key()] += 1
      if kinds[found[0].key()] <= args.keep:
        report(compare, name, text, found, args)
  for (kind, op), count in kinds.most_common():
    print(f'{count} programs differ first in the {kind} of {op}')
  print(', '.join(f'{n} {what}' for what, n in sorted(counts.items())))
  return 1 if kinds else 0


if __name__ == '__main__':
  main()
