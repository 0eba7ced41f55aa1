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


def annotated(world: dict) -> str:
  """The module with the shardings of this world."""
  module = world['module']
  head, entry = module.split('ENTRY main', 1)
  for name, sharding in world['named'].items():
    line = re.compile(rf'^(  (?:ROOT )?{re.escape(name)} = .*)$', re.M)
    entry = line.sub(lambda m: f'{m[1]}, sharding={sharding}', entry)
    if '.s' in name:  # others are names of the entry computation alone
      head = line.sub(lambda m: f'{m[1]}, sharding={sharding}', head)
  module = head + 'ENTRY main' + entry
  return module.replace('HloModule world', f'HloModule world, num_partitions={world["devices"]}', 1)


ELEMENTS = {'pred': 'i1', 'c64': 'complex<f32>', 'c128': 'complex<f64>'}


def element_of(hlo: str) -> str:
  """An element type as StableHLO spells it."""
  if hlo in ELEMENTS:
    return ELEMENTS[hlo]
  if hlo.startswith('f8') or hlo.startswith('f4'):
    return hlo[0] + hlo[1:].upper()
  return {'s': 'i', 'u': 'ui'}.get(hlo[0], hlo[0]) + hlo[1:] if hlo[0] in 'su' else hlo


def inputs_of(module: str, seed: int):
  import numpy as np
  import run_hlo
  rng = np.random.default_rng(seed)
  found = []
  for element, dims in re.findall(r'p\d+ = (\w+)\[([\d,]*)\] parameter', module.split('ENTRY main', 1)[1]):
    shape = [int(d) for d in dims.split(',') if d]
    array = run_hlo.random_array(rng, element_of(element), shape)
    if re.search('cholesky|triangular-solve|lapack', module) and len(shape) >= 2 and shape[-1] == shape[-2]:
      array = array @ array.swapaxes(-1, -2) + 4 * np.eye(shape[-1], dtype=array.dtype)
    found.append(array)
  return found


def run_by_xla(world: dict, arrays) -> str:
  """What is wrong with what XLA computes; empty: nothing."""
  import run_hlo
  devices, module = world['devices'], world['module']
  if 'manual' in module:
    raise ValueError('there is no program for one device to compare with')
  whole = run_hlo.execute(run_hlo.compiled(run_hlo.computation(module), 1, 1, False), [[a] for a in arrays], 1)
  executable = run_hlo.compiled(run_hlo.computation(annotated(world)), 1, devices, False)
  pieces = []
  for array, sharding in zip(arrays, world['inputs']):
    how = run_hlo.Cut(sharding, list(array.shape), devices)
    filler = run_hlo.np.full(how.piece_shape(), 77 if array.dtype != bool else True).astype(array.dtype)
    pieces.append([how.piece(array, d, filler) for d in range(devices)])
  got = run_hlo.execute(executable, pieces, devices)
  for (want,), found, sharding in zip(whole, got, world['outputs']):
    how = run_hlo.Cut(sharding, list(want.shape), devices)
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
      yield dict(read, module=module)


def op_of(module: str) -> str:
  return re.search(r'ROOT r = (.*)', module.split('ENTRY main', 1)[1])[1]


def sampled(args, of_wrong: bool) -> dict[str, list[dict]]:
  """By module: the wrong worlds, some of each, and some of the others; or without regard to what is wrong."""
  draw = random.Random(args.seed)
  chosen, rest = collections.defaultdict(list), []
  for world in worlds(args.list):
    if world['devices'] == 1 or not re.search(args.op, op_of(world['module'])):
      continue
    if of_wrong and world['as_xla']:
      chosen[world['module']].append(world)
    else:
      rest.append(world)
  for module, found in chosen.items():
    draw.shuffle(found)
    chosen[module] = sorted(found, key=lambda w: bool(w['miscompiles']))[:args.most]  # what nothing explains comes first
  for world in draw.sample(rest, min(args.right, len(rest))):
    chosen[world['module']].append(world)
  return chosen


def compare_results(args) -> int:
  total = collections.Counter()
  for module, found in sampled(args, True).items():
    arrays = inputs_of(module, 1)
    counts, examples = collections.Counter(), {}
    for world in found:
      wrong = world['as_xla']
      try:
        theirs = run_by_xla(world, arrays)
      except Exception as error:
        theirs = f'refused: {str(error)[:200]}'
      verdict = ('both wrong' if theirs else 'tool wrong, XLA right') if wrong else 'XLA wrong, tool right' if theirs else 'right'
      counts[verdict] += 1
      examples.setdefault(verdict, f'{" ".join(world["inputs"] + world["outputs"])}\n      {world["miscompiles"]} '
                                   f'tool: {wrong}\n      XLA: {theirs}')
    total += counts
    print(op_of(module))
    for verdict, count in counts.items():
      print(f'  {count} {verdict}' + ('' if verdict == 'right' else f': {examples[verdict]}'))
    sys.stdout.flush()
  print(dict(total))
  return 0


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('list')
  parser.add_argument('--op', default='')
  parser.add_argument('--right', type=int, default=0)
  parser.add_argument('--most', type=int, default=40, help='of each program')
  parser.add_argument('--seed', type=int, default=1)
  args = parser.parse_args()
  ensure_jax()
  force_devices(8)
  os.environ['XLA_FLAGS'] += ' --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true'
  return compare_results(args)


if __name__ == '__main__':
  sys.exit(main())
