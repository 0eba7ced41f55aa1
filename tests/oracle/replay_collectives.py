#!/usr/bin/env python3
"""Compares the collectives of the tool's partitioning with those that XLA's partitioner inserted, program by program.

  replay_collectives.py --tool build/dev/shardwright        what ctest runs

A record (scripts/oracle_collectives.py) holds HLO with the sharding of every value, which the tool gets with
`--partitioner none`, or a lowered program, which it gets with the record's partitioner. Kind, local shape and groups (or
pairs) of all collectives must be the same, as often. No Python packages are needed.
"""
import argparse
import collections
import concurrent.futures
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def key(kind: str, shape: str, groups: list[list[int]] | None) -> tuple:
  return kind, shape, tuple(sorted(tuple(group) for group in groups or []))


def planned(tool: str, record: dict) -> collections.Counter:
  lowered = 'lowered' in record
  with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, 'program.mlir' if lowered else 'program.hlo')
    file.write_text(record['lowered'] if lowered else record['input'])
    done = subprocess.run([tool, 'plan', str(file), '--partitioner', record['engine'] if lowered else 'none',
                           '--format', 'json'], capture_output=True, text=True)
  if done.returncode:
    raise RuntimeError(f'exit {done.returncode}: {done.stderr[:300]}')
  return collections.Counter(key(c['op'], c['shape'], c['groups']) for c in json.loads(done.stdout)['collectives'])


def judge(tool: str, line: str) -> tuple[str, int, int, list[str]]:
  """Name of the program, collectives that agree, all of either side, and the differences in words."""
  record = json.loads(line)
  name = f'{record["engine"]} {record["case"]}'
  wanted = collections.Counter(key(*c) for c in record['collectives'])
  try:
    given = planned(tool, record)
  except (RuntimeError, ValueError) as problem:
    return name, 0, max(1, sum(wanted.values())), [str(problem)]
  differences = [f'missing {k}' for k in (wanted - given).elements()] + [f'extra {k}' for k in (given - wanted).elements()]
  return name, sum((wanted & given).values()), sum((wanted | given).values()), differences


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--tool', required=True)
  parser.add_argument('--records', default=str(HERE / 'collectives.jsonl.xz'))
  parser.add_argument('--show', type=int, default=5, help='print this many differences a program')
  arguments = parser.parse_args()
  with lzma.open(arguments.records, 'rt') as records:
    lines = records.read().splitlines()
  good = total = whole = 0
  with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
    for name, agreeing, all_of_them, differences in pool.map(lambda line: judge(arguments.tool, line), lines):
      good, total, whole = good + agreeing, total + all_of_them, whole + (not differences)
      for difference in differences[:arguments.show]:
        print(f'{name}: {difference}')
  print(f'{good}/{total} collectives agree, {whole}/{len(lines)} programs whole')
  sys.exit(0 if lines and whole == len(lines) else 1)


if __name__ == '__main__':
  main()
