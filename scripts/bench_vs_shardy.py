#!/usr/bin/env python3
"""Times the tool against Shardy's own pipeline in jaxlib, on the same file in one run, and shows how the time grows.

  bench_vs_shardy.py                      Llama 3 70B with 80 layers written out (60,000 operations), made for this run
  bench_vs_shardy.py FILE                 any lowered program
  bench_vs_shardy.py FILE --gspmd         a program lowered for GSPMD, against XLA's own propagation pass
  bench_vs_shardy.py --scaling            also: 2 to 80 layers, and the same program on 8 and on 65,536 devices

Ours is the whole command, `shardwright plan FILE`, from starting the process to its end, reading included, as the
median of --runs after one run that warms the file cache; memory is the largest resident set of the process. Shardy's is
reading the text and the registered import, propagation and closing passes, in this process, with the verifier between
passes off and process start and imports not counted. With --gspmd theirs is the pass alone: the time between XLA's
dumps before and after it, less what printing such a module takes; ours is still the whole command. Both are timed
alternately, so that a busy machine slows both.
"""
import argparse
import dataclasses
import os
import re
import statistics
import subprocess
import sys
import tempfile

from jax_env import ROOT, ensure_jax, force_devices
import lowered_text

LAYERS = (2, 8, 32, 80)


# A process begins with the resident set of the one that forks it, so a small one has to start the tool.
LAUNCHER = """
import os, sys, time
null = os.open(os.devnull, os.O_WRONLY)
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
      os.waitstatus_to_exitcode(status))
"""


@dataclasses.dataclass
class Run:
  seconds: float
  cpu: float        # seconds of CPU: what stays the same on a busy machine
  megabytes: float  # largest resident set


def run_ours(command: list[str]) -> Run:
  done = subprocess.run([sys.executable, '-S', '-E', '-c', LAUNCHER, *command], capture_output=True, text=True)
  *numbers, status = done.stdout.split() if done.stdout else (0, 0, 0, done.returncode)
  if int(status):
    sys.exit(f'error: {" ".join(command)} exits {status}: {done.stderr[:500]}')
  return Run(*map(float, numbers))


def median(runs: list[Run]) -> Run:
  return Run(statistics.median(r.seconds for r in runs), statistics.median(r.cpu for r in runs),
             max(r.megabytes for r in runs))


def median_ours(command: list[str], runs: int) -> Run:
  run_ours(command)
  return median([run_ours(command) for _ in range(runs)])


def count_ops(text: str) -> int:
  return len(re.findall(r'^\s+(?:%\S+ = )?"?(?:stablehlo|chlo|sdy|mhlo|func|call)\b', text, re.M))


def on_mesh(text: str, devices: int) -> str:
  """The same program with the mesh axes resized so that they multiply to `devices`, a power of two at most 2^20."""
  axes = re.findall(r'"([^"]+)"=(\d+)', re.search(r'sdy\.mesh @\w+ = <\[(.*?)\]', text)[1])
  live = [name for name, size in axes if int(size) > 1] or [axes[0][0]]
  sizes, left = dict(axes), devices
  for index, name in enumerate(live):
    share = left if index == len(live) - 1 else 1 << (left.bit_length() - 1) // (len(live) - index)
    sizes[name], left = share, left // share
  listed = ', '.join(f'"{name}"={sizes[name] if name in live else 1}' for name, _ in axes)
  text = re.sub(r'(sdy\.mesh @\w+ = <\[).*?\](>)(?: \{stablehlo\.mesh = .*?\}\})?', rf'\g<1>{listed}]\2', text, count=1)
  return re.sub(r'mhlo\.num_partitions = \d+', f'mhlo.num_partitions = {devices}', text)


def compare(tool: str, path: str, text: str, runs: int) -> None:
  import live_shardy
  command = [tool, 'plan', path]
  run_ours(command)
  ours, theirs = [], []
  for _ in range(runs):
    ours.append(run_ours(command))
    theirs.append(live_shardy.timed(text))
  mine = median(ours)
  reading, propagating, cpu = (statistics.median(column) for column in zip(*theirs))
  whole = statistics.median(r + p for r, p, _ in theirs)
  print(f'{os.path.basename(path)}: {len(text) / 1e6:.2f} MB, {count_ops(text):,} operations, median of {runs}')
  print(f'  shardwright plan  {mine.seconds:8.3f} s   {mine.cpu:7.3f} s of CPU   {mine.megabytes:.0f} MB peak, '
        f'fastest {min(r.seconds for r in ours):.3f} s')
  print(f'  Shardy in jaxlib  {whole:8.3f} s   {cpu:7.3f} s of CPU   reading {reading:.3f} s, '
        f'propagating {propagating:.3f} s, verifier off')
  print(f'  ratio             {whole / mine.seconds:8.2f}     {cpu / mine.cpu:7.2f}')


def compare_gspmd(tool: str, path: str, text: str, runs: int) -> None:
  import live_gspmd
  command = [tool, 'plan', path, '--partitioner', 'gspmd']
  run_ours(command)
  ours, theirs = [], []
  for _ in range(runs):
    ours.append(run_ours(command))
    theirs.append(live_gspmd.timed_propagation(text)[0])
  mine, seconds = median(ours), statistics.median(theirs)
  print(f'{os.path.basename(path)}: {len(text) / 1e6:.2f} MB, {count_ops(text):,} operations, median of {runs}')
  print(f'  shardwright plan --partitioner gspmd  {mine.seconds:8.3f} s   {mine.megabytes:.0f} MB peak, reading included')
  print(f'  sharding-propagation of XLA           {seconds:8.3f} s   the pass alone')
  print(f'  ratio                                 {seconds / mine.seconds:8.2f}')


def scaling(tool: str, programs: dict[int, str], folder: str, runs: int) -> None:
  base = None
  print('time per operation')
  for layers, text in programs.items():
    path = os.path.join(folder, f'llama3_70b_{layers}_layers.mlir')
    lowered_text.write(path, text)
    run = median_ours([tool, 'plan', path], runs)
    each = run.cpu / count_ops(text)
    base = base or each
    print(f'  {layers:3d} layers, {count_ops(text):7,} operations  {run.seconds:7.3f} s  {run.cpu:7.3f} s of CPU  '
          f'{run.megabytes:4.0f} MB  {each * 1e6:6.2f} us of CPU an operation  ({each / base:.2f} of the first)')
  print('devices')
  text, first = programs[max(programs)], None
  for devices in (8, 256, 65536):
    path = os.path.join(folder, f'devices_{devices}.mlir')
    lowered_text.write(path, on_mesh(text, devices))
    run = median_ours([tool, 'plan', path], runs)
    first = first or run.cpu
    print(f'  {devices:6,} devices  {run.seconds:7.3f} s  {run.cpu:7.3f} s of CPU  {run.megabytes:4.0f} MB  '
          f'({run.cpu / first:.2f} of the first)')


def unrolled(layers: int) -> str:
  """Made in another process: this one keeps its memory and its caches for the measurement."""
  with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, ROOT / 'scripts' / 'export_models.py', '--unrolled', str(layers), '--no-debug-info',
                    '-o', folder], check=True, stdout=subprocess.DEVNULL)
    return lowered_text.read(os.path.join(folder, f'llama3_70b_{layers}_layers.mlir'))


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('file', nargs='?', metavar='FILE', help='.mlir or .mlir.xz')
  parser.add_argument('--scaling', action='store_true', help='growth with operations and with devices (Llama 3 70B)')
  parser.add_argument('--gspmd', action='store_true', help="GSPMD's propagation instead of Shardy's")
  parser.add_argument('--runs', type=int, default=5, metavar='N', help='of each (5)')
  parser.add_argument('--tool', metavar='PATH', help='default: build/release/shardwright, built first')
  args = parser.parse_args()
  if args.gspmd and (not args.file or args.scaling):
    parser.error('--gspmd wants a file lowered for GSPMD, and no --scaling')
  ensure_jax()
  force_devices(1)
  if not args.tool:
    if subprocess.run([ROOT / 'scripts' / 'shardwright', 'version'], stdout=subprocess.DEVNULL).returncode:
      sys.exit('error: the tool does not build')
    args.tool = str(ROOT / 'build' / 'release' / 'shardwright')
  with tempfile.TemporaryDirectory() as folder:
    if args.file:
      text, path = lowered_text.without_locations(lowered_text.read(args.file)), args.file
    else:
      text, path = unrolled(LAYERS[-1]), os.path.join(folder, f'llama3_70b_{LAYERS[-1]}_layers.mlir')
      lowered_text.write(path, text)
    (compare_gspmd if args.gspmd else compare)(args.tool, path, text, args.runs)
    if args.scaling:
      programs = {n: text if n == LAYERS[-1] and not args.file else unrolled(n) for n in LAYERS}
      scaling(args.tool, programs, folder, args.runs)


if __name__ == '__main__':
  main()
