#!/usr/bin/env python3
"""Records which collectives XLA's partitioner inserted, for tests/oracle/replay_collectives.py.

  oracle_collectives.py FOLDER... -o tests/oracle/collectives.jsonl.xz
  oracle_collectives.py FOLDER... --whole -o tests/oracle/whole.collectives.jsonl.xz

Each FOLDER holds recorded cases NAME/: ENGINE.propagated.hlo, the program with the sharding of every value, and
ENGINE.partitioned.hlo, what XLA's partitioner made of it (ENGINE is shardy or gspmd). One record is a line of JSON: the
first text, and of the second the kind, local shape and device groups (or pairs) of every collective. With --whole the
text is ENGINE.input.mlir, the program as lowered, or (ENGINE none) with the sharding of every value written into it.
differential_collectives.py --keep writes such folders.
"""
import argparse
import itertools
import json
import lzma
import pathlib
import re

COLLECTIVE = re.compile(r'^\s*(?:ROOT )?%?\S+ = (.+?) (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute|'
                        r'collective-broadcast|ragged-all-to-all)(?:-start)?\((?:.*?)\)(.*)$', re.M)


def numbers(text: str | None) -> list[int]:
  return [int(v) for v in (text or '').split(',') if v]


def product(sizes: list[int]) -> int:
  total = 1
  for size in sizes:
    total *= size
  return total


def transposed(values: list[int], sizes: list[int], perm: list[int]) -> list[int]:
  """The row-major list of an array of these sizes after its dimensions are put in the order `perm`."""
  strides = [product(sizes[d + 1:]) for d in range(len(sizes))]
  return [values[sum(i * strides[d] for i, d in zip(index, perm))]
          for index in itertools.product(*(range(sizes[d]) for d in perm))]


def cut(values: list[int], size: int) -> list[list[int]]:
  return [values[i:i + size] for i in range(0, len(values), size)]


def iota(sizes: list[int], reshape: list[int], perm: list[int]) -> list[list[int]]:
  values = list(range(product(reshape)))
  return cut(transposed(values, reshape, perm) if perm else values, sizes[-1])


def mesh_groups(match: re.Match) -> list[list[int]]:
  """`mesh['x'=2,'y'=4] {'y'}`: the devices that differ only along the axes named (or parts of axes)."""
  axes = [(name, int(size)) for name, size in re.findall(r"'([^']+)'=(\d+)", match[1])]
  devices = list(range(product([size for _, size in axes])))
  if match[2]:
    reshape = numbers(match[2])
    devices = transposed(devices, reshape, numbers(match[3])) if match[3] else devices
  references = re.findall(r"'([^']+)'(?::\((\d+)\)(\d+))?", match[4])
  names, sizes = [], []
  for name, size in axes:
    part = next((r for r in references if r[0] == name and r[1]), None)
    parts = [(name, size)]
    if part:
      before, own = int(part[1]), int(part[2])
      parts = [(name + '<', before), (name, own), (name + '>', size // before // own)]
    for label, extent in parts:
      names.append(label)
      sizes.append(extent)
  inner = [names.index(r[0]) for r in references]
  outer = [i for i in range(len(names)) if i not in inner]
  return cut(transposed(devices, sizes, outer + inner), product([sizes[i] for i in inner]))


def device_groups(attributes: str) -> list[list[int]] | None:
  if match := re.search(r'source_target_pairs=\{((?:\{[\d,]*\},?)*)\}', attributes):
    return [numbers(pair) for pair in re.findall(r'\{([\d,]*)\}', match[1])]
  if match := re.search(r'replica_groups=\{(\{.*?\})?\}', attributes):
    return [numbers(group) for group in re.findall(r'\{([\d,]+)\}', match[1] or '')]
  if match := re.search(r'replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?', attributes):
    return iota(numbers(match[1]), numbers(match[2]), numbers(match[3]))
  match = re.search(r"replica_groups=mesh\[(.*?)\](?:, device_ids=\(\[([\d,]+)\](?:T\(([\d,]+)\))?\))? \{(.*?)\}", attributes)
  return mesh_groups(match) if match else None


def collectives(text: str) -> list[list]:
  found = []
  for shape, kind, attributes in COLLECTIVE.findall(text):
    found.append([kind, re.sub(r'\{[^{}]*\}', '', shape), device_groups(attributes)])
  return sorted(found, key=json.dumps)


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('folders', nargs='+', type=pathlib.Path)
  parser.add_argument('-o', '--output', required=True, type=pathlib.Path)
  parser.add_argument('--whole', action='store_true', help='from the lowered programs, not from propagated HLO')
  arguments = parser.parse_args()
  part, field = ('input.mlir', 'lowered') if arguments.whole else ('propagated.hlo', 'input')
  count = 0
  with lzma.open(arguments.output, 'wt', preset=9) as out:
    for folder in arguments.folders:
      for case in sorted(p for p in folder.iterdir() if p.is_dir()):
        for engine in ('shardy', 'gspmd', 'none') if arguments.whole else ('shardy', 'gspmd'):
          source, result = case / f'{engine}.{part}', case / f'{engine}.partitioned.hlo'
          if not source.exists() or not result.exists():
            continue
          record = {'case': f'{folder.name}/{case.name}', 'engine': engine, field: source.read_text(),
                    'collectives': collectives(result.read_text())}
          out.write(json.dumps(record) + '\n')
          count += 1
  print(f'{count} programs in {arguments.output}')


if __name__ == '__main__':
  main()
