#!/usr/bin/env python3
"""Lets XLA read, and run, the programs that `plan --emit` writes.

  check_partitioned_hlo.py DIR...          every program recorded below these folders, both partitioners
  check_partitioned_hlo.py DIR... --run    and runs it on made-up CPU devices beside the program that was partitioned

A recorded program is a folder with `shardy.input.mlir` and `gspmd.input.mlir`, or one of them. Read means: parsed by
XLA and, what is partitioned, taken through its importer, which checks the type of every operation. Run means: both programs get the same
random inputs, and every device's piece of every result must be what the cut of the whole result says. A program with
manual regions is run as XLA itself partitions it, since it says something else on one device.

Prints a line for each program that XLA refuses or that computes something else, and one for each set; exits 1 if there
is such a program.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from jax_env import ROOT, ensure_jax, force_devices

# As sums are added up in another order, results differ a little; nearly cancelled ones a little more.
TOLERANCE = {'f64': 1e-9, 'complex<f64>': 1e-9, 'f32': 2e-3, 'complex<f32>': 2e-3}
COARSE = 0.1  # of types with fewer bits
# What asks the host while it runs, or is random beyond what the program says.
NOT_RUN = re.compile(r'xla_python_cpu_callback|xla_ffi_python_cpu_callback|stablehlo\.(infeed|outfeed|rng )')


def programs(folder: pathlib.Path) -> list[tuple[pathlib.Path, str]]:
  """(input, partitioner) of every program."""
  found = [(case / f'{p}.input.mlir', p) for case in sorted(folder.iterdir()) for p in ('shardy', 'gspmd')]
  return [(path, p) for path, p in found if path.exists()]


def emit(tool: str, path: pathlib.Path, partitioner: str) -> tuple[str, str, dict]:
  """The two texts and the report, or an exception with what the tool says."""
  with tempfile.TemporaryDirectory() as folder:
    files = [pathlib.Path(folder) / name for name in ('partitioned.hlo', 'annotated.hlo', 'plan.json')]
    done = subprocess.run([tool, 'plan', path, '--partitioner', partitioner, '-q', '--format', f'json={files[2]}',
                           *(word for file in files[:2] for word in ('--emit', f'{file.name}={file}'))],
                          capture_output=True, text=True, timeout=300)
    if done.returncode:
      raise RuntimeError(f'exit {done.returncode}: {done.stderr.strip()}')
    return files[0].read_text(), files[1].read_text(), json.loads(files[2].read_text())


def main_arguments(text: str, report: dict) -> list[dict]:
  """Those of main stand before those of the loops inside it, which the report calls arguments of main too."""
  count = len(re.findall(r'parameter\(\d+\)', text[text.index('\nENTRY '):]))
  first: dict[int, dict] = {}
  for v in sorted((v for v in report['values'] if v['kind'] == 'argument' and v['function'] == 'main'),
                  key=lambda v: v['line']):
    first.setdefault(v['index'], v)
  return [first[i] for i in range(count)]


def compare(text: str, report: dict, path: pathlib.Path, partitioner: str) -> str:
  """What the program computes otherwise than the one it was made from; empty: nothing."""
  import numpy as np
  import run_hlo
  devices = int(re.search(r'num_partitions=(\d+)', text)[1])
  arguments = main_arguments(text, report)
  random = np.random.default_rng(len(text))
  cut = lambda v: run_hlo.Cut(v['sharding']['hlo'], v['type']['shape'], devices)
  index = {v['name']: v['index'] for v in report['outputs']}
  inputs, pieces = [], []
  for v in arguments:
    element, how = v['type']['element'], cut(v)
    inputs.append(run_hlo.random_array(random, element, v['type']['shape']))
    filler = run_hlo.random_array(random, element, how.piece_shape())
    pieces.append([how.piece(inputs[-1], d, filler) for d in range(devices)])
  got = run_hlo.run_partitioned(text, pieces, devices)

  def differing(whole: list) -> dict[str, float]:
    found = {}
    for v in report['outputs']:
      how = cut(v)
      for d in range(devices):
        by = how.difference(np.asarray(whole[v['index']]), d, got[v['index']][d])
        if by > TOLERANCE.get(v['type']['element'], COARSE):
          found[v['name']] = max(by, found.get(v['name'], 0))
    return found

  module = path.read_text()
  plain = path.with_name('gspmd.input.mlir')
  plain = plain.read_text() if plain.exists() else module
  manual = re.search('manual_computation|SPMDFullToShardShape', module)
  by_xla = lambda: run_hlo.run_by_xla(module, inputs, devices, partitioner == 'shardy')
  whole = by_xla() if manual else run_hlo.run_whole(plain, inputs)
  wrong = differing(whole)
  if wrong and not manual:
    # Where what is added up cancels, XLA's own partitioner is as far away.
    theirs = by_xla()
    wrong = {name: by for name, by in wrong.items()
             if run_hlo.difference(whole[index[name]], theirs[index[name]]) < by / 10}
  return 'computes otherwise: ' + ', '.join(f'{name} by {by:.2g}' for name, by in wrong.items()) if wrong else ''


def check(tool: str, path: pathlib.Path, partitioner: str, run: bool) -> dict:
  """What is wrong with it, empty for nothing, and whether it was run."""
  import run_hlo
  try:
    text, annotated, report = emit(tool, path, partitioner)
  except RuntimeError as error:
    return {'wrong': f'not emitted: {error}', 'ran': False}
  try:
    run_hlo.verify(text)
    run_hlo.read(annotated)
  except Exception as error:  # whatever XLA says
    return {'wrong': f'refused: {error}', 'ran': False}
  if not run or NOT_RUN.search(path.read_text()):
    return {'wrong': '', 'ran': False}
  try:
    return {'wrong': compare(text, report, path, partitioner), 'ran': True}
  except Exception as error:
    return {'wrong': f'not run: {type(error).__name__}: {error}', 'ran': False}


class Worker:
  """A process that asks XLA: some programs bring XLA down, or run for ever."""

  def __init__(self, tool: str, run: bool):
    self.command = [sys.executable, __file__, '--worker', '--tool', tool, *(['--run'] if run else [])]
    self.process = None

  def ask(self, path: pathlib.Path, partitioner: str) -> dict:
    if self.process is None:
      self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
    self.process.stdin.write(json.dumps([str(path), partitioner]) + '\n')
    self.process.stdin.flush()
    answer = self.process.stdout.readline()
    if answer:
      return json.loads(answer)
    self.process.wait()
    self.process = None
    return {'wrong': 'XLA crashed', 'ran': False}


def work(arguments: argparse.Namespace) -> int:
  force_devices(256)
  os.environ['XLA_FLAGS'] += ' --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true'
  import jax
  jax.config.update('jax_enable_x64', True)
  for line in sys.stdin:
    path, partitioner = json.loads(line)
    print(json.dumps(check(arguments.tool, pathlib.Path(path), partitioner, arguments.run)), flush=True)
  return 0


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('folders', nargs='*', type=pathlib.Path)
  parser.add_argument('--run', action='store_true', help='run the programs too')
  parser.add_argument('--only', default='', help='programs whose name has this in it')
  parser.add_argument('--tool', default=str(ROOT / 'build' / 'dev' / 'shardwright'))
  parser.add_argument('--worker', action='store_true', help=argparse.SUPPRESS)
  arguments = parser.parse_args()
  ensure_jax()
  if arguments.worker:
    return work(arguments)
  worker, bad = Worker(arguments.tool, arguments.run), 0
  for folder in arguments.folders:
    found = [(path, p) for path, p in programs(folder) if arguments.only in path.parent.name]
    wrong = ran = 0
    for path, partitioner in found:
      answer = worker.ask(path, partitioner)
      ran += answer['ran']
      if answer['wrong']:
        wrong += 1
        print(f'  {path.parent.name} ({partitioner}): {" ".join(answer["wrong"].split())[:400]}', flush=True)
    line = f'{folder.name:12} {len(found):4} programs, {len(found) - wrong:4} good'
    print(line + (f', {ran} run' if arguments.run else ''), flush=True)
    bad += wrong
  return 1 if bad or not arguments.folders else 0


if __name__ == '__main__':
  sys.exit(main())
