#!/usr/bin/env python3
"""Holds what `shardwright run` computes against jaxlib: programs and inputs are the same, the executables are XLA's.

For every program (a folder with `<partitioner>.input.mlir`, or a file), `run --save` writes the inputs and the results of
the program as it was written; jaxlib compiles the same text for as many CPU devices as it is partitioned for, runs it
on those inputs, and its results must be equal: floats within --tolerance of the largest magnitude of their array,
everything else exactly. Programs that the tool refuses are counted with the reason.

  scripts/check_run.py recorded/programs --tool build/dev/shardwright --partitioners shardy,gspmd
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from jax_env import ensure_jax


def programs(paths: list[str], partitioners: list[str]):
  for path in map(pathlib.Path, paths):
    if path.is_file():
      yield from ((path.stem, path, by) for by in partitioners)
      continue
    for by in partitioners:
      for text in sorted(path.rglob(f'{by}.input.mlir')):
        yield f'{text.parent.name}/{by}', text, by


def device_count(text: str) -> int:
  match = re.search(r'mhlo\.num_partitions = (\d+)', text)
  return int(match[1]) if match else 1


class Runner:
  """Runs lowered text on CPU devices of jaxlib."""

  def __init__(self, devices: int):
    os.environ['XLA_FLAGS'] = f'--xla_force_host_platform_device_count={devices}'
    import jax
    jax.config.update('jax_enable_x64', True)
    self.jax = jax

  def run(self, text: str, shardy: bool, inputs: list):
    jax = self.jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.sharding_impls import GSPMDSharding
    from jaxlib.mlir import ir
    from live_gspmd import _main_attributes
    count = device_count(text)
    devices = jax.devices()[:count]
    with mlir.make_ir_context() as context:
      context.allow_unregistered_dialects = True
      module = ir.Module.parse(text)
      options = xla_client.CompileOptions()
      options.num_partitions = count
      build = options.executable_build_options
      build.num_partitions, build.use_spmd_partitioning, build.use_shardy_partitioner = count, count > 1, shardy
      given, taken = _main_attributes(module)
      name = 'sdy.sharding' if shardy else 'mhlo.sharding'
      build.allow_spmd_sharding_propagation_to_parameters = [name not in a for a in given]
      build.allow_spmd_sharding_propagation_to_output = [name not in a for a in taken]
      executable = devices[0].client.compile_and_load(module, xla_client.DeviceList(tuple(devices)), options)

    def sharding(op_sharding):
      if op_sharding is None:
        return GSPMDSharding.get_replicated(tuple(devices))
      return GSPMDSharding(tuple(devices), op_sharding)

    kept = executable.get_parameter_shardings() or [None] * len(inputs)
    args = [jax.device_put(x, sharding(s)) for x, s in zip(inputs, kept)]
    results = executable.execute_sharded(args).disassemble_into_single_device_arrays()
    shardings = executable.get_output_shardings() or [None] * len(results)
    return [(pieces, sharding(s)) for pieces, s in zip(results, shardings)]


def difference(np, whole, pieces, sharding) -> tuple[float, float]:
  """(worst difference, largest magnitude) of the pieces of one result against the whole."""
  worst, largest = 0.0, 0.0
  exact = whole.dtype.kind in 'biu'
  wide = whole if exact else whole.astype(np.complex128)
  if not exact and whole.size:
    finite = np.abs(wide)[np.isfinite(wide)]
    largest = float(finite.max()) if finite.size else 0.0
  where = sharding.devices_indices_map(whole.shape)
  for piece in pieces:
    expected = wide[where[next(iter(piece.devices()))]]
    found = np.asarray(piece)
    if exact:
      worst = max(worst, float('inf') if (expected != found).any() else 0.0)
      continue
    found = found.astype(np.complex128)
    same = (expected == found) | (np.isnan(expected) & np.isnan(found))
    off = np.where(same, 0, np.abs(expected - found))
    worst = max(worst, float(np.where(np.isnan(off), np.inf, off).max()) if off.size else 0.0)
  return worst, largest


def load(np, jax, path, dtype=None):
  array = np.load(path)
  return array.view(dtype) if dtype is not None and array.dtype.kind == 'V' else array


def small_type(text: str):
  """NumPy has no bfloat16: such files hold bytes."""
  import ml_dtypes
  return {'bf16': ml_dtypes.bfloat16}.get(text)


def element_types(text: str) -> tuple[list[str], list[str]]:
  """Element types of the arguments and of the results of main."""
  head = text[text.index('func.func public @main('):]
  head = head[:head.index('\n')]
  arrow = head.rindex(') -> ')
  arguments = re.findall(r'%arg\d+: tensor<(?:\d+x)*([^<>]+(?:<[^<>]*>)?)>', head[:arrow])
  results = re.findall(r'tensor<(?:\d+x)*([^<>]+(?:<[^<>]*>)?)>', head[arrow:])
  return arguments, results


def check(runner: Runner, tool: str, path: pathlib.Path, by: str, seed: int, tolerance: float) -> str:
  """Empty when equal; what is wrong, or 'refused: why'."""
  import numpy as np
  text = path.read_text()
  with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([tool, 'run', str(path), '--partitioner', by, '--seed', str(seed), '--save', folder, '-o', os.devnull],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
      reasons = re.findall(r'error: (.*)', done.stderr)
      return 'refused: ' + (reasons[0] if reasons else f'exit {done.returncode}')
    arguments, results = element_types(text)
    inputs = [load(np, runner.jax, f'{folder}/arg{i}.npy', small_type(t)) for i, t in enumerate(arguments)]
    wholes = [load(np, runner.jax, f'{folder}/out{i}.npy', small_type(t)) for i, t in enumerate(results)]
  worst = 0.0
  for i, (pieces, sharding) in enumerate(runner.run(text, by == 'shardy', inputs)):
    off, largest = difference(np, wholes[i], pieces, sharding)
    worst = max(worst, off / largest if largest > 0 else (0.0 if off == 0 else float('inf')))
  return '' if worst <= tolerance else f'off by {worst:.2g} of the largest magnitude'


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('paths', nargs='+')
  parser.add_argument('--tool', default='build/dev/shardwright')
  parser.add_argument('--partitioners', default='shardy,gspmd')
  parser.add_argument('--tolerance', type=float, default=1e-5)
  parser.add_argument('--seed', type=int, default=0)
  parser.add_argument('--devices', type=int, default=8)
  args = parser.parse_args()
  ensure_jax()
  runner = Runner(args.devices)
  counts, refused = collections.Counter(), collections.Counter()
  for name, path, by in programs(args.paths, args.partitioners.split(',')):
    try:
      said = check(runner, args.tool, path, by, args.seed, args.tolerance)
    except Exception as error:  # pylint: disable=broad-except  # what jaxlib cannot compile or run
      said = f'jaxlib: {str(error).splitlines()[0][:120]}'
    kind = 'equal' if not said else said.split(':')[0] if said.startswith(('refused', 'jaxlib')) else 'different'
    counts[kind] += 1
    if said:
      refused[said] += 1
      print(f'{name}: {said}', flush=True)
  print(', '.join(f'{n} {kind}' for kind, n in sorted(counts.items())))
  return 1 if counts['different'] else 0


if __name__ == '__main__':
  sys.exit(main())
