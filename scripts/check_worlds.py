#!/usr/bin/env python3
"""Lets XLA partition and run the small worlds (tests/property), and compares.

  SHARDWRIGHT_WORLDS_LIST=worlds.jsonl build/dev/tests/property/sw_property_tests "[worlds]"
  check_worlds.py worlds.jsonl                  the wrong ones: is XLA's own program wrong too?
  check_worlds.py worlds.jsonl --right 500      and 500 of the others, drawn
  check_worlds.py worlds.jsonl --op pad         programs whose op this is
  check_worlds.py worlds.jsonl --collectives 8  of each program for so many devices 8: XLA's collectives against the tool's

Each world is compiled by XLA for made-up CPU devices with the shardings as they stand, and run; every device's piece
is compared with what the program computes on one device. Printed, for each program: how many worlds were looked at,
in how many XLA is right and the tool wrong, both are wrong, the tool is right and XLA wrong, and one example of each.

With --collectives nothing is run. XLA partitions, the tool partitions what XLA has propagated, and kinds, local shapes
and device groups of all collectives must be the same, as often. Many worlds are put into one module, which is halved
where it differs, until one world is left.
"""
import argparse
import collections
import json
import os
import random
import re
import sys

from jax_env import ROOT, ensure_jax, force_devices


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


def batched(found: list[dict]) -> str:
  """One module with several worlds of one program beside one another."""
  head, entry = found[0]['module'].split('ENTRY main', 1)
  lines, roots, shapes, outputs, parameters = [], [], [], [], 0
  for k, world in enumerate(found):
    body = annotated(world).split('ENTRY main', 1)[1].split('{\n', 1)[1].rsplit('}', 1)[0].rstrip()
    names = re.findall(r'^  (?:ROOT )?(\S+) = ', body, re.M)
    for name in names:
      body = re.sub(rf'(?<![\w.=-]){re.escape(name)}(?=[ ,)])(?!=)', f'{name}_{k}', body)
    count = len(re.findall(r' parameter\(\d+\)', body))
    body = re.sub(r' parameter\((\d+)\)', lambda m: f' parameter({int(m[1]) + parameters})', body)
    parameters += count
    root = re.search(r'^  ROOT (\S+) = (\S+) ', body, re.M)
    roots.append(root[1])
    shapes.append(root[2])
    outputs += world['outputs']
    lines.append(body.replace('  ROOT ', '  '))
  end = f'  ROOT all = ({", ".join(shapes)}) tuple({", ".join(roots)}), sharding={{{", ".join(outputs)}}}'
  head = head.replace('HloModule world', f'HloModule world, num_partitions={found[0]["devices"]}', 1)
  return head + 'ENTRY main {\n' + '\n'.join(lines) + '\n' + end + '\n}\n'


def collectives_that_differ(compiler, tool: str, hlo: str, devices: int) -> list[str]:
  import differential_collectives
  import lowered_text
  import run_hlo
  text = lowered_text.without_locations(run_hlo.computation(hlo))
  count = f'attributes {{mhlo.num_partitions = {devices} : i32, '
  text = re.sub(r'^(module @\S+) (?:attributes \{)?', lambda m: f'{m[1]} {count}', text, count=1, flags=re.M)
  record = differential_collectives.ask_xla(compiler, 'world', 'gspmd', text)
  if record is None:
    return ['XLA does not partition it']
  return differential_collectives.differences(tool, record, 'local')


def can_be_lowered(module: str) -> bool:
  """Whether all its ops are StableHLO's, which is what programs are handed to XLA in."""
  import lowered_text
  import run_hlo
  from jax._src.interpreters import mlir
  from jaxlib.mlir import ir
  try:
    with mlir.make_ir_context():
      ir.Module.parse(lowered_text.without_locations(run_hlo.computation(module)))
    return True
  except Exception:
    return False


def compare_collectives(args) -> int:
  import live_gspmd
  draw = random.Random(args.seed)
  of_program, batches = collections.defaultdict(list), collections.defaultdict(list)
  for world in worlds(args.list):
    if world['devices'] > 1 and re.search(args.op, op_of(world['module'])):
      of_program[world['module'], world['devices']].append(world)
  total = collections.Counter()
  for (module, devices), found in of_program.items():
    if not can_be_lowered(module):
      print(f'{op_of(module)}\n  is no op of StableHLO')
      continue
    head, entry = module.split('ENTRY main', 1)
    alone = '.s' in module or 'manual' in module or re.search(r'ROOT r = \(', entry)
    for world in draw.sample(found, min(args.collectives, len(found))):
      batches[(head, devices, len(batches) if alone else None)].append(world)
  with live_gspmd.Compiler(8) as compiler:

    def look_at(found: list[dict]) -> None:
      module = batched(found) if len(found) > 1 else annotated(found[0])
      differ = collectives_that_differ(compiler, args.tool, module, found[0]['devices'])
      if differ and len(found) > 1:
        look_at(found[:len(found) // 2])
        look_at(found[len(found) // 2:])
        return
      total['same' if not differ else 'refused by XLA' if differ[0].startswith('XLA') else 'different'] += len(found)
      if differ:
        print(f'{op_of(found[0]["module"])}\n  {" ".join(found[0]["named"].values())}\n    ' + '\n    '.join(differ),
              flush=True)

    for found in batches.values():
      draw.shuffle(found)
      for begin in range(0, len(found), args.together):
        look_at(found[begin:begin + args.together])
  print(dict(total))
  return int(total['different'] > 0)


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('list')
  parser.add_argument('--op', default='')
  parser.add_argument('--right', type=int, default=0)
  parser.add_argument('--most', type=int, default=40, help='of each program')
  parser.add_argument('--seed', type=int, default=1)
  parser.add_argument('--collectives', type=int, metavar='N', help='compare collectives, of N worlds of each program')
  parser.add_argument('--together', type=int, default=60, help='this many worlds in one module (60)')
  parser.add_argument('--tool', default=str(ROOT / 'build' / 'dev' / 'shardwright'), metavar='PATH')
  args = parser.parse_args()
  ensure_jax()
  force_devices(8)
  os.environ['XLA_FLAGS'] += ' --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true'
  return compare_collectives(args) if args.collectives else compare_results(args)


if __name__ == '__main__':
  sys.exit(main())
