#!/usr/bin/env python3
"""Compares the bytes that `plan --hardware cpu` predicts with those of XLA's own CPU compiler, program by program.

  check_cpu_memory.py SET...                  sets of recorded answers: `cpu_memory` of expect.json
  check_cpu_memory.py --live                  the programs of cpu_memory_programs.py, compiled by the jaxlib at hand
  check_cpu_memory.py --tool PATH --only NAME --at-least BYTES ...

Total = arguments + results - aliases + temporaries. For each program: what XLA says, by how much the prediction is off,
and the temporaries of both; the last line has the median and the worst tenth of what all are off, signs dropped.
Recorded sets need only Python, --live needs jax (see README.md). Exits 1 when the tool fails on a program, or there
is none.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import jax_env

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ('argument', 'output', 'alias', 'temp')


def total(memory: dict) -> int:
  return memory['argument'] + memory['output'] - memory['alias'] + memory['temp']


def recorded(sets: list[pathlib.Path], engine: str):
  """Yields name, text, bytes by kind."""
  for folder in (f for s in sets for f in sorted(s.iterdir())):
    text, answers = folder / f'{engine}.input.mlir', folder / 'expect.json'
    if text.exists() and answers.exists():
      memory = json.loads(answers.read_text()).get(engine, {}).get('cpu_memory')
      if memory:
        yield folder.name, text, memory


def live(folder: pathlib.Path, only: list[str] | None, dump: str | None):
  jax_env.ensure_jax()
  jax_env.force_devices(8)
  if dump:
    os.environ['XLA_FLAGS'] += f' --xla_dump_to={dump} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=layout'
  import jax
  import cpu_memory_programs
  mesh = jax.make_mesh((4, 2), ('data', 'model'), axis_types=(jax.sharding.AxisType.Auto,) * 2)
  for name, (function, arguments, donated) in cpu_memory_programs.programs(mesh).items():
    if only and name not in only:
      continue
    lowered = jax.jit(function, donate_argnums=donated).lower(*arguments)
    text = folder / f'{name}.mlir'
    text.write_text(lowered.as_text())
    found = lowered.compile().memory_analysis()
    yield name, text, {kind: getattr(found, f'{kind}_size_in_bytes') for kind in KINDS}


def ours(tool: str, text: pathlib.Path, engine: str) -> dict | str:
  command = [tool, 'plan', str(text), '--partitioner', engine, '--hardware', 'cpu', '--format', 'json', '--quiet']
  done = subprocess.run(command, capture_output=True, text=True)
  if done.returncode not in (0, 4):
    return f'exit {done.returncode}: ' + (done.stderr.strip().splitlines() or [''])[0]
  return json.loads(done.stdout)['memory']


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('sets', nargs='*', type=pathlib.Path)
  parser.add_argument('--live', action='store_true')
  parser.add_argument('--keep', type=pathlib.Path, metavar='DIR', help='with --live: leave the lowered texts there')
  parser.add_argument('--dump', metavar='DIR', help="with --live: XLA's HLO and buffer assignments go there")
  parser.add_argument('--tool', default=str(ROOT / 'build/dev/shardwright'))
  parser.add_argument('--partitioner', choices=('shardy', 'gspmd'), default='shardy')
  parser.add_argument('--only', nargs='+', metavar='PROGRAM')
  parser.add_argument('--at-least', type=int, default=1 << 20, metavar='BYTES', help='leave out smaller programs')
  args = parser.parse_args()
  if not args.sets and not args.live:
    parser.error('name sets of recorded answers, or say --live')

  errors, failed = [], False
  with tempfile.TemporaryDirectory() as temporary:
    folder = args.keep or pathlib.Path(temporary)
    folder.mkdir(parents=True, exist_ok=True)
    found = live(folder, args.only, args.dump) if args.live else recorded(args.sets, args.partitioner)
    for name, text, wanted in found:
      if (args.only and name not in args.only) or total(wanted) < args.at_least:
        continue
      got = ours(args.tool, text, 'shardy' if args.live else args.partitioner)
      if isinstance(got, str):
        failed = True
        print(f'{name:32} {got}')
        continue
      errors.append(abs(total(got) / total(wanted) - 1))
      fixed = [kind for kind in KINDS[:3] if got[kind] != wanted[kind]]
      print(f'{name:32} {total(wanted):15,} {total(got) / total(wanted) - 1:+8.1%}   temp {wanted["temp"]:15,} '
            f'{got["temp"]:15,}' + ('   differ: ' + ' '.join(fixed) if fixed else ''), flush=True)
  if errors:
    errors.sort()
    print(f'{len(errors)} programs: off by {statistics.median(errors):.1%} in the median, '
          f'{errors[int(.9 * (len(errors) - 1))]:.1%} for the worst tenth, {errors[-1]:.1%} at most')
  sys.exit(1 if failed or not errors else 0)


if __name__ == '__main__':
  main()
