#!/usr/bin/env python3
"""Compares the collectives after --backend with those of XLA's own compilers, program by program.

  compare_backends.py SET...             sets of recorded answers (folders of programs), with build/dev/shardwright
  compare_backends.py --tool PATH --target xla-gpu tpu --differences SET...

For every program of a set and every target, the kinds and the number of collectives that the tool prints are held
against the recorded ones; the last line of a target counts the programs that agree.

  xla-cpu   `optimized_collectives` of expect.json
  xla-gpu   the h100 collectives of aot.json
  tpu       the v5e and v5p collectives of aot.json

What is given to the tool, the first of these that the program has: P.propagated.hlo with `--partitioner none`, so that
only the partitioner and the passes after it are under test; h100.partitioned.hlo (from after the partitioner, so only
the passes are; not for xla-cpu); P.input.mlir (with `--input mlir` always this one). P is shardy or gspmd.
Needs only Python; exits 1 when a target has not one program, or the tool fails.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHORT = {'all-reduce': 'AR', 'all-gather': 'AG', 'reduce-scatter': 'RS', 'all-to-all': 'A2A',
         'collective-permute': 'CP', 'collective-broadcast': 'CB', 'ragged-all-to-all': 'RA2A'}
ENGINES = ('shardy', 'gspmd')
AOT_TARGETS = {'xla-gpu': ('h100',), 'tpu': ('v5e', 'v5p')}


def count(collectives) -> collections.Counter:
  return collections.Counter(SHORT.get(c['op'].removesuffix('-start'), c['op']) for c in collectives)


def shown(counts: collections.Counter) -> str:
  return ' '.join(f'{n} {kind}' for kind, n in sorted(counts.items())) or 'none'


def load(path: pathlib.Path) -> dict:
  return json.loads(path.read_text()) if path.exists() else {}


def recorded(folder: pathlib.Path, backend: str):
  """Yields (what compiled it, partitioner, counts) for every recorded answer of this compiler."""
  if backend == 'xla-cpu':
    answers = load(folder / 'expect.json')
    for engine in ENGINES:
      found = answers.get(engine, {}).get('optimized_collectives')
      if found is not None:
        yield 'cpu', engine, count(found)
    return
  for target, engines in load(folder / 'aot.json').items():
    if target.startswith(AOT_TARGETS[backend]):
      for engine in ENGINES:
        answer = engines.get(engine, {})
        found = answer.get('collectives')
        # The text of some TPU programs could not be had; then there are no cycles either.
        no_text = backend == 'tpu' and not found and not answer.get('estimated_cycles')
        if found is not None and not no_text:
          yield target, engine, count(found)


def input_of(folder: pathlib.Path, engine: str, backend: str, kind: str) -> list[str]:
  """Arguments that name the input, empty when there is none of the wanted kind."""
  propagated, dump = folder / f'{engine}.propagated.hlo', folder / 'h100.partitioned.hlo'
  text = folder / f'{engine}.input.mlir'
  if kind in ('any', 'propagated') and propagated.exists():
    return [str(propagated), '--partitioner', 'none']
  if kind in ('any', 'partitioned') and backend != 'xla-cpu' and dump.exists():
    return [str(dump)]
  if kind in ('any', 'mlir') and text.exists():
    return [str(text), '--partitioner', engine]
  return []


def ours(tool: str, arguments: list[str], backend: str):
  """Counts, or what the tool said when it failed."""
  command = [tool, 'plan', *arguments, '--backend', backend, '--format', 'json', '--quiet']
  done = subprocess.run(command, capture_output=True, text=True)
  if done.returncode != 0:
    return f'exit {done.returncode}: ' + (done.stderr.strip().splitlines() or [''])[0]
  found = json.loads(done.stdout).get('collectives')
  return 'no collectives in the report' if found is None else count(found)


def compare(task):
  folder, backend, target, engine, wanted, tool, kind = task
  arguments = input_of(folder, engine, backend, kind)
  got = ours(tool, arguments, backend) if arguments else None
  return folder, target, engine, wanted, got


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('sets', nargs='+', type=pathlib.Path)
  parser.add_argument('--tool', default=str(ROOT / 'build/dev/shardwright'))
  parser.add_argument('--target', nargs='+', choices=('xla-cpu', 'xla-gpu', 'tpu'),
                      default=('xla-cpu', 'xla-gpu', 'tpu'))
  parser.add_argument('--input', choices=('any', 'propagated', 'partitioned', 'mlir'), default='any')
  parser.add_argument('--only', nargs='+', metavar='PROGRAM')
  parser.add_argument('--differences', action='store_true', help='list only the programs that differ')
  parser.add_argument('-j', type=int, default=2)
  args = parser.parse_args()

  failed = False
  with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
    for backend in args.target:
      for folder in args.sets:
        programs = [p for p in sorted(folder.iterdir()) if p.is_dir() and (not args.only or p.name in args.only)]
        tasks = [(p, backend, *answer, args.tool, args.input) for p in programs for answer in recorded(p, backend)]
        equal = total = 0
        for program, target, engine, wanted, got in pool.map(compare, tasks):
          if got is None:
            continue
          total += 1
          equal += got == wanted
          failed |= isinstance(got, str)
          if got != wanted or not args.differences:
            text = got if isinstance(got, str) else shown(got)
            print(f'{backend:8} {target:11} {engine:7} {program.name:34} {"equal" if got == wanted else "DIFFER":7}'
                  f'{text:28} | {shown(wanted)}')
        if tasks:
          share = 100 * equal / total if total else 0
          print(f'{backend:8} {folder.name}: {equal} of {total} agree in kinds and counts ({share:.1f} %)')
  sys.exit(1 if failed else 0)


if __name__ == '__main__':
  main()
