#!/usr/bin/env python3
"""Compares the collectives of the tool with those that the XLA of jaxlib inserts into random programs.

  differential_collectives.py --count 200 --seed 1000           programs 1000 to 1199, under Shardy and under GSPMD
  differential_collectives.py --partitioner gspmd --minutes 20  one propagator, until the time is up
  differential_collectives.py --recorded                        the programs of tests/oracle with other argument shardings
  differential_collectives.py --ops 8                           programs of 8 operations each, attributes drawn (random_ops.py)
  differential_collectives.py --files step.mlir                 lowered programs of yours instead
  differential_collectives.py --keep build/records ...          also keep what XLA did, for oracle_collectives.py and --again
  differential_collectives.py --again build/records             compare with what was kept; jax is not needed

Each program (random_programs.py) is lowered and compiled for made-up CPU devices. Two questions are asked of the tool:
`local` gives it XLA's own propagated HLO, so that only the partitioner is judged; `whole` gives it the lowered program.
Kind, local shape and device groups of all collectives must be the same, as often. What differs is printed with the line
of the lowered program that XLA inserted it for; --shrink also cuts the program down to a few ops, in build/mismatches/.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from jax_env import ROOT, ensure_jax, force_devices
from oracle_collectives import COLLECTIVE, device_groups
import lowered_text

ENGINES = ('shardy', 'gspmd')


def key(kind: str, shape: str, groups) -> tuple:
  return kind, shape, tuple(sorted(tuple(group) for group in groups or []))


def inserted(hlo: str) -> collections.Counter:
  """Every collective of a partitioned module, by kind, local shape and groups."""
  return collections.Counter(key(kind, re.sub(r'\{[^{}]*\}', '', shape), device_groups(attributes))
                             for shape, kind, attributes in COLLECTIVE.findall(hlo))


def causes(hlo: str) -> dict[tuple, list[int]]:
  """The lines of the lowered text that each of them was inserted for, if XLA named them (live_gspmd)."""
  found = collections.defaultdict(list)
  for shape, kind, attributes in COLLECTIVE.findall(hlo):
    if line := re.search(r'op_name="line:(\d+)"', attributes):
      found[key(kind, re.sub(r'\{[^{}]*\}', '', shape), device_groups(attributes))].append(int(line[1]))
  return found


class Record:
  """One program under one propagator: the lowered text, XLA's HLO after propagation and after partitioning."""

  def __init__(self, name: str, engine: str, text: str, propagated: str, partitioned: str):
    self.name, self.engine, self.text = name, engine, text
    self.propagated, self.partitioned = propagated, partitioned

  def keep(self, folder: pathlib.Path) -> None:
    import live_gspmd
    place = folder / self.name
    place.mkdir(parents=True, exist_ok=True)
    (place / f'{self.engine}.input.mlir').write_text(self.text)
    (place / f'{self.engine}.propagated.hlo').write_text(live_gspmd.without_metadata(self.propagated))
    (place / f'{self.engine}.partitioned.hlo').write_text(self.partitioned)


def kept(folder: pathlib.Path, engine: str):
  for place in sorted(p for p in folder.iterdir() if (p / f'{engine}.partitioned.hlo').exists()):
    parts = [place / f'{engine}.{part}' for part in ('input.mlir', 'propagated.hlo', 'partitioned.hlo')]
    yield Record(place.name, engine, *(p.read_text() if p.exists() else '' for p in parts))


def planned(tool: str, text: str, suffix: str, partitioner: str) -> tuple[collections.Counter, dict[tuple, list[int]]]:
  """(what the tool inserts, for which lines)"""
  with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, f'program.{suffix}')
    file.write_text(text)
    done = subprocess.run([tool, 'plan', str(file), '--partitioner', partitioner, '--format', 'json'],
                          capture_output=True, text=True, timeout=120)
  if done.returncode not in (0, 1, 4):
    raise RuntimeError(f'exit {done.returncode}: {done.stderr.strip()[:300]}')
  lines, found = collections.defaultdict(list), json.loads(done.stdout)['collectives']
  for c in found:
    lines[key(c['op'], c['shape'], c['groups'])].append(c['cause']['line'])
  return collections.Counter(key(c['op'], c['shape'], c['groups']) for c in found), lines


def differences(tool: str, record: Record, question: str) -> list[str]:
  """In words; empty where the tool agrees."""
  wanted, wanted_for = inserted(record.partitioned), causes(record.partitioned)
  try:
    if question == 'local':
      given, given_for = planned(tool, record.propagated, 'hlo', 'none')
    else:
      given, given_for = planned(tool, record.text, 'mlir', record.engine)
  except (RuntimeError, ValueError, subprocess.TimeoutExpired) as problem:
    return [f'failed: {problem}']

  def word(kind, k, lines):
    groups = ','.join('{' + ','.join(map(str, g)) + '}' for g in k[2])
    return f'{kind} {k[0]} {k[1]} {groups[:60]} line {sorted(set(n for n in lines.get(k, []) if n))}'

  return ([word('missing', k, wanted_for) for k in (wanted - given).elements()] +
          [word('extra', k, given_for) for k in (given - wanted).elements()])


def random_program(seed: int, engine: str) -> tuple[str, str]:
  import jax
  import random_programs
  jax.config.update('jax_use_shardy_partitioner', engine == 'shardy')
  return f'seed_{seed}', random_programs.lowered(seed)


def random_operations(count: int):
  import random_arguments
  import random_ops

  def make(seed: int, engine: str) -> tuple[str, str]:
    drawn = (random_ops.program(1000 * seed + k, count) for k in range(1000))
    lines = next(text for text in drawn if not re.search('[<x]0x', text))  # XLA makes constants of what is empty
    lines = lines.replace('func.func @main', 'func.func public @main')
    text = f'module attributes {{mhlo.num_partitions = 12 : i32, mhlo.num_replicas = 1 : i32}} {{\n{lines}}}\n'
    return f'ops_{seed}', text if engine == 'shardy' else random_arguments.as_tiles(text)

  return make


def resharded_records():
  """A function from (seed, engine) to (name, text): a program of tests/oracle with other shardings for its arguments."""
  import lzma
  import random_arguments
  found: dict[str, list] = {engine: [] for engine in ENGINES}
  with lzma.open(ROOT / 'tests' / 'oracle' / 'whole.collectives.jsonl.xz', 'rt') as records:
    for record in map(json.loads, records):
      found[record['engine']].append((record['case'].replace('/', '_'), record['lowered']))

  def make(seed: int, engine: str):
    name, text = found[engine][seed % len(found[engine])]
    return f'{name}_{seed}', random_arguments.reshard(text, engine, seed)

  return make


def programs(args):
  """Yields (name, engine, lowered text)."""
  if args.files:
    for path in args.files:
      text = lowered_text.without_locations(lowered_text.read(path))
      engine = 'gspmd' if 'mhlo.sharding' in text else 'shardy'
      yield pathlib.Path(path).name.split('.')[0], engine, text
    return
  make = random_operations(args.ops) if args.ops else resharded_records() if args.recorded else random_program
  start, seed = time.monotonic(), args.seed
  while seed < args.seed + args.count if args.minutes is None else time.monotonic() - start < 60 * args.minutes:
    for engine in args.partitioner:
      try:
        name, text = make(seed, engine)
      except Exception as error:  # jax refuses some combinations only when it lowers the whole
        print(f'seed {seed} does not lower: {type(error).__name__}: {str(error)[:100]}', flush=True)
        continue
      if text:
        yield name, engine, text
    seed += 1


def ask_xla(compiler, name: str, engine: str, text: str):
  """A Record, or None if XLA does not take the program."""
  import live_gspmd
  try:
    return Record(name, engine, text, *compiler.partition(text, engine))
  except live_gspmd.NotPartitioned:
    return None


def records(compiler, args):
  for name, engine, text in programs(args):
    record = ask_xla(compiler, name, engine, text)
    if record and args.keep:
      record.keep(pathlib.Path(args.keep))
    yield record


def shrink(compiler, args, record: Record, question: str) -> str:
  import reduce_module
  goal = differences(args.tool, record, question)[0].split()[:2]

  def holds(text: str) -> bool:
    smaller = ask_xla(compiler, record.name, record.engine, text)
    return smaller is not None and any(d.split()[:2] == goal for d in differences(args.tool, smaller, question))

  return reduce_module.shrink(lowered_text.without_locations(record.text), holds)


def report(compiler, args, record: Record, question: str, found: list[str]) -> None:
  print(f'{record.name} {record.engine} {question}: {len(found)} differ')
  lines = record.text.splitlines()
  for difference in found[:args.show]:
    print('  ' + difference)
    for number in re.findall(r'\d+', difference.rpartition('line ')[2])[:2] if question == 'whole' else ():
      print(f'    {number}: {lines[int(number) - 1].strip()[:200]}' if int(number) <= len(lines) else number)
  sys.stdout.flush()
  if args.shrink and compiler:
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f'{record.name}.{record.engine}.mlir'
    path.write_text(''.join(f'// {question} {d}\n' for d in found[:5]) + shrink(compiler, args, record, question))
    print(f'  shrunk: {path}', flush=True)


class Tally:

  def __init__(self):
    self.counts = collections.Counter()
    self.good, self.total = collections.Counter(), collections.Counter()

  def add(self, record: Record, question: str, found: list[str]) -> None:
    wanted = sum(inserted(record.partitioned).values())
    extra = sum(d.startswith('extra') for d in found)
    missing = wanted if found and found[0].startswith('failed') else sum(d.startswith('missing') for d in found)
    place = f'{record.engine} {question}'
    self.good[place] += wanted - missing
    self.total[place] += wanted + extra
    self.counts[place, not found] += 1

  def print(self) -> bool:
    for place in sorted(self.total):
      good, total, whole = self.good[place], self.total[place], self.counts[place, True]
      print(f'{place}: {good}/{total} collectives = {100 * good / max(1, total):.2f} %, '
            f'{whole}/{whole + self.counts[place, False]} programs whole')
    return not any(self.counts[place, False] for place in self.total)


def run(compiler, found, args) -> int:
  tally = Tally()

  def ask(record):
    return record, [(q, differences(args.tool, record, q)) for q in args.question] if record else []

  with concurrent.futures.ThreadPoolExecutor(1 if compiler else os.cpu_count() or 1) as pool:
    for record, answers in pool.map(ask, found) if not compiler else map(ask, found):
      for question, differ in answers:
        tally.add(record, question, differ)
        if differ and not (question == 'whole' and len(answers) == 2 and answers[0][1] == differ):
          report(compiler, args, record, question, differ)
  return 0 if tally.print() else 1


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--count', type=int, default=100, help='how many programs (100)')
  parser.add_argument('--seed', type=int, default=0, help='the first seed (0)')
  parser.add_argument('--minutes', type=float, help='in place of --count')
  parser.add_argument('--recorded', action='store_true', help='programs of tests/oracle with other argument shardings')
  parser.add_argument('--ops', type=int, metavar='N', help='programs of N operations each, all attributes drawn')
  parser.add_argument('--files', nargs='+', metavar='FILE', help='these programs, as lowered')
  parser.add_argument('--partitioner', nargs='+', choices=ENGINES, default=list(ENGINES))
  parser.add_argument('--question', nargs='+', choices=['local', 'whole'], default=['local', 'whole'])
  parser.add_argument('--tool', metavar='PATH', help='default: build/release/shardwright, built first')
  parser.add_argument('--keep', metavar='DIR', help='write what XLA did here')
  parser.add_argument('--again', metavar='DIR', help='compare with what was kept here')
  parser.add_argument('--show', type=int, default=4, help='print this many differences a program (4)')
  parser.add_argument('--shrink', action='store_true', help='cut down each program that differs')
  parser.add_argument('--out', default=str(ROOT / 'build' / 'mismatches'), metavar='DIR', help='default: build/mismatches')
  args = parser.parse_args()
  if not args.again:
    ensure_jax()
    force_devices(256)
  if not args.tool:
    if subprocess.run([ROOT / 'scripts' / 'shardwright', 'version'], stdout=subprocess.DEVNULL).returncode:
      sys.exit('error: the tool does not build')
    args.tool = str(ROOT / 'build' / 'release' / 'shardwright')
  args.tool = os.path.abspath(args.tool)
  if not os.access(args.tool, os.X_OK):
    sys.exit(f'error: {args.tool} is not a program')
  if args.again:
    found = (record for engine in args.partitioner for record in kept(pathlib.Path(args.again), engine))
    sys.exit(run(None, found, args))
  import live_gspmd
  with live_gspmd.Compiler(256) as compiler:
    sys.exit(run(compiler, records(compiler, args), args))


if __name__ == '__main__':
  main()
