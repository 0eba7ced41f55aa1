#!/usr/bin/env python3
"""Lets XLA partition and run the small worlds (tests/property), and compares.

  SHARDWRIGHT_WORLDS_LIST=worlds.jsonl build/dev/tests/property/sw_property_tests "[worlds]"
  check_worlds.py worlds.jsonl                  the wrong ones: is XLA's own program wrong too?
  check_worlds.py worlds.jsonl --right 500      and 500 of the others, drawn
  check_worlds.py worlds.jsonl --op pad         programs whose op this is

Each world is compiled by XLA for made-up CPU devices with the shardings as they stand, and run; every device's piece
is compared with what the program computes on one device. Printed, for each program: how many worlds were looked at,
in how many XLA is right and the tool wrong, both are wrong, the tool is right and XLA wrong, and one example of each.
"""
import argparse
import collections
import json
import os
import random
import re
import sys

from jax_env import ensure_jax, force_devices


def annotated(module: str, shardings: list[str]) -> str:
  """The module with the shardings of its parameters and of its root."""
  head, entry = module.split('ENTRY main', 1)
  root = shardings[-1]
  if re.search(r'ROOT r = \(', entry):
    count = re.search(r'ROOT r = \((.*?)\) ', entry)[1].count('[')
    root = '{' + ', '.join([root] * count) + '}'
  for i, sharding in enumerate(shardings[:-1]):
    entry = entry.replace(f'parameter({i})', f'parameter({i}), sharding={sharding}')
  return head + 'ENTRY main' + re.sub(r'(ROOT r = .*)', lambda m: f'{m[1]}, sharding={root}', entry)


def inputs_of(module: str, seed: int):
  import numpy as np
  import run_hlo
  kinds = {'s32': 'i32', 'f32': 'f32', 'pred': 'i1', 'c64': 'complex<f32>', 'u32': 'ui32', 'bf16': 'bf16', 'f64': 'f64',
           's8': 'i8', 'u8': 'ui8'}
  rng = np.random.default_rng(seed)
  found = []
  for element, dims in re.findall(r'p\d+ = (\w+)\[([\d,]*)\] parameter', module.split('ENTRY main', 1)[1]):
    shape = [int(d) for d in dims.split(',') if d]
    array = run_hlo.random_array(rng, kinds[element], shape)
    if 'cholesky' in module or 'triangular-solve' in module:
      if len(shape) >= 2 and shape[-1] == shape[-2]:
        array = array @ array.swapaxes(-1, -2) + 4 * np.eye(shape[-1], dtype=array.dtype)
    found.append(array)
  return found


def devices_of(shardings: list[str]) -> int:
  import math
  for s in shardings:
    if m := re.search(r'devices=\[([\d,]+)\]', s):
      return math.prod(map(int, m[1].split(',')))
  return 1


def run_by_xla(module: str, shardings: list[str], arrays) -> str:
  """What is wrong with what XLA computes; empty: nothing."""
  import run_hlo
  devices = devices_of(shardings)
  whole = run_hlo.execute(run_hlo.compiled(run_hlo.computation(module), 1, 1, False), [[a] for a in arrays], 1)
  executable = run_hlo.compiled(run_hlo.computation(annotated(module, shardings)), 1, devices, False)
  pieces = []
  for array, sharding in zip(arrays, shardings):
    how = run_hlo.Cut(sharding, list(array.shape), devices)
    filler = run_hlo.np.full(how.piece_shape(), 77 if array.dtype != bool else True).astype(array.dtype)
    pieces.append([how.piece(array, d, filler) for d in range(devices)])
  got = run_hlo.execute(executable, pieces, devices)
  for (want,), found in zip(whole, got):
    how = run_hlo.Cut(shardings[-1], list(want.shape), devices)
    for d in range(devices):
      if how.difference(want, d, found[d]) > 1e-4:
        return f'device {d} has {found[d].tolist()} instead of {want[how.window(d)].tolist()}'
  return ''


def worlds(path: str):
  module = None
  for line in open(path):
    read = json.loads(line)
    if 'module' in read:
      module = read['module']
    else:
      yield module, read['shardings'], read['as_xla']


def op_of(module: str) -> str:
  return re.search(r'ROOT r = (.*)', module.split('ENTRY main', 1)[1])[1]


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('list')
  parser.add_argument('--op', default='')
  parser.add_argument('--right', type=int, default=0)
  parser.add_argument('--most', type=int, default=40, help='of each program')
  args = parser.parse_args()
  ensure_jax()
  force_devices(8)
  os.environ['XLA_FLAGS'] += ' --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true'
  draw = random.Random(1)
  chosen = collections.defaultdict(list)
  rest = []
  for module, shardings, wrong in worlds(args.list):
    if not re.search(args.op, op_of(module)):
      continue
    if wrong:
      chosen[module].append((shardings, wrong))
    elif args.right:
      rest.append((module, shardings, wrong))
  for module in chosen:
    if len(chosen[module]) > args.most:
      chosen[module] = draw.sample(chosen[module], args.most)
  for module, shardings, wrong in draw.sample(rest, min(args.right, len(rest))):
    chosen[module].append((shardings, wrong))
  total = collections.Counter()
  for module, found in chosen.items():
    arrays = inputs_of(module, 1)
    counts, examples = collections.Counter(), {}
    for shardings, wrong in found:
      if devices_of(shardings) == 1:
        continue
      try:
        theirs = run_by_xla(module, shardings, arrays)
      except Exception as error:
        theirs = f'refused: {str(error)[:200]}'
      verdict = ('both wrong' if theirs else 'tool wrong, XLA right') if wrong else 'XLA wrong, tool right' if theirs else 'right'
      counts[verdict] += 1
      examples.setdefault(verdict, f'{" ".join(shardings)}\n      tool: {wrong}\n      XLA: {theirs}')
    total += counts
    print(op_of(module))
    for verdict, count in counts.items():
      print(f'  {count} {verdict}' + ('' if verdict == 'right' else f': {examples[verdict]}'))
    sys.stdout.flush()
  print(dict(total))
  return 0


if __name__ == '__main__':
  sys.exit(main())
