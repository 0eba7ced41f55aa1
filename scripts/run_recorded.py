#!/usr/bin/env python3
"""Runs recorded programs on simulated devices, each in a process of its own, and counts how their results compare.

Every `<partitioner>.input.mlir` below the paths is one case: `shardwright run` partitions it, executes it as written and
as partitioned, and compares. Whatever is not plain agreement is printed with its reason; the last line is the count.

  scripts/run_recorded.py recorded/programs recorded/random --tool build/dev/shardwright
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import time

from check_run import programs


def case(tool: str, path: pathlib.Path, by: str, extra: list[str], seconds: float) -> tuple[str, str]:
  """(kind, reason)."""
  command = [tool, 'run', str(path), '--partitioner', by, '--format', 'json', *extra]
  try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
  except subprocess.TimeoutExpired:
    return 'not finished', f'stopped after {seconds:g} s'
  if done.returncode in (0, 1) and done.stdout:
    report = json.loads(done.stdout)
    if not report['agrees']:
      wrong = [o for o in report['outputs'] if not o['agrees']]
      return 'wrong', f"{len(wrong)} of {len(report['outputs'])} results, {wrong[0]['name']} by {wrong[0]['relative']}"
    in_f64 = [o for o in report['outputs'] if o['wrong'] > 0]
    if in_f64:
      return 'agrees in f64', ', '.join(f"{o['name']} off by {o['relative']}, in f64 by {o['relative_in_f64']}" for o in in_f64[:3])
    return 'agrees', ''
  reasons = re.findall(r'error: (.*)', done.stderr)
  kind = {4: 'too large'}.get(done.returncode, f'exit {done.returncode}')
  return kind, reasons[0] if reasons else done.stderr.strip()[-200:]


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('paths', nargs='+')
  parser.add_argument('--tool', default='build/dev/shardwright')
  parser.add_argument('--partitioners', default='shardy,gspmd')
  parser.add_argument('--seconds', type=float, default=300, help='for one program')
  parser.add_argument('--slow', type=float, default=60, help='programs that take longer are named, with their time')
  parser.add_argument('extra', nargs='*', help='after --: options of `shardwright run`')
  arguments = sys.argv[1:]
  extra: list[str] = []
  if '--' in arguments:
    at = arguments.index('--')
    arguments, extra = arguments[:at], arguments[at + 1:]
  args = parser.parse_args(arguments)
  counts = collections.Counter()
  for name, path, by in programs(args.paths, args.partitioners.split(',')):
    begin = time.time()
    kind, reason = case(args.tool, path, by, extra, args.seconds)
    counts[kind] += 1
    took = time.time() - begin
    if kind != 'agrees' or took > args.slow:
      print(f'{name}: {kind}: {reason} ({took:.1f} s)', flush=True)
  print(', '.join(f'{n} {kind}' for kind, n in sorted(counts.items())))
  return 1 if counts['wrong'] else 0


if __name__ == '__main__':
  sys.exit(main())
