#!/usr/bin/env python3
"""Holds what `shardwright run` computes against jaxlib: programs and inputs are the same, the executables are XLA's.

For every program (a folder with `<partitioner>.input.mlir`, or a file), `run --save` writes the inputs and the results of
the program as it was written; jaxlib compiles the same text for as many CPU devices as it is partitioned for, runs it
on those inputs, and its results must be equal: floats within --tolerance of the largest magnitude of their array,
everything else exactly. Programs that the tool refuses are counted with the reason. Where results differ, both run the
program again with every float made f64: if they then agree within 1e-9, or differ by a millionth of what they differed by
before (of results that are nothing but rounding), what differed was rounding.

Every program has a process of its own.

  scripts/check_run.py recorded/programs --tool build/dev/shardwright --partitioners shardy,gspmd
"""
import argparse
import collections
import multiprocessing
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from jax_env import ensure_jax


def programs(paths: list[str], partitioners: list[str]):
  """(name, text, partitioner) of every program: a file, or what is recorded below a folder."""
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
    import run_hlo
    from live_gspmd import _main_attributes
    run_hlo.know_lapack()
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


def small_type(text: str):
  """NumPy has no bfloat16: such files hold bytes."""
  import ml_dtypes
  return {'bf16': ml_dtypes.bfloat16}.get(text)


def load(path: str, element: str):
  import numpy as np
  array, dtype = np.load(path), small_type(element)
  return array.view(dtype) if dtype is not None and array.dtype.kind == 'V' else array


def element_types(text: str) -> tuple[list[str], list[str]]:
  """Element types of the arguments and of the results of main."""
  head = text[text.index('func.func public @main('):]
  head = head[:head.index('\n')]
  arrow = head.rindex(') -> ')
  arguments = re.findall(r'%arg\d+: tensor<(?:\d+x)*([^<>]+(?:<[^<>]*>)?)>', head[:arrow])
  results = re.findall(r'tensor<(?:\d+x)*([^<>]+(?:<[^<>]*>)?)>', head[arrow:])
  return arguments, results


def in_f64(text: str) -> str:
  """The program with every f32, f16 and bf16 made f64, constants given by their bits too."""
  def constant(match):
    digits, element = match[1], match[2]
    if element == 'bf16':
      number = struct.unpack('>f', bytes.fromhex(digits + '0000'))[0]
    else:
      number = struct.unpack('>e' if element == 'f16' else '>f', bytes.fromhex(digits))[0]
    return f'dense<0x{struct.pack(">d", number).hex().upper()}> : tensor<{match[0].split("tensor<")[1][:-len(element) - 1]}f64>'
  text = re.sub(r'dense<0x([0-9A-F]+)> : tensor<(?:\d+x)*(f32|f16|bf16)>', constant, text)
  text = re.sub(r'\b((?:\d+x)*)(?:f32|f16|bf16)\b(?=[>,: )])', r'\1f64', text)
  return re.sub(r'@lapack_s(\w+_ffi)', r'@lapack_d\1', text)


class Refused(Exception):
  """The tool does not run this program."""


def differences(runner: Runner, tool: str, path: pathlib.Path, by: str, options: list[str], folder: str) -> list:
  """(worst difference, largest magnitude) of every result; inputs and results stay in `folder`."""
  import numpy as np
  text = path.read_text()
  done = subprocess.run([tool, 'run', str(path), '--partitioner', by, *options, '--save', folder, '-o', os.devnull],
                        capture_output=True, text=True)
  if done.returncode not in (0, 1):
    reasons = re.findall(r'error: (.*)', done.stderr)
    raise Refused(reasons[0] if reasons else f'exit {done.returncode}')
  arguments, results = element_types(text)
  inputs = [load(f'{folder}/arg{i}.npy', t) for i, t in enumerate(arguments)]
  wholes = [load(f'{folder}/out{i}.npy', t) for i, t in enumerate(results)]
  return [difference(np, wholes[i], pieces, sharding)
          for i, (pieces, sharding) in enumerate(runner.run(text, by == 'shardy', inputs))]


def relative(off: float, largest: float) -> float:
  return off / largest if largest > 0 else (0.0 if off == 0 else float('inf'))


def check(tool: str, path: pathlib.Path, by: str, seed: int, tolerance: float, devices: int) -> tuple[str, str]:
  """(kind, what to say about it)"""
  runner = Runner(devices)
  with tempfile.TemporaryDirectory() as folder:
    try:
      before = differences(runner, tool, path, by, ['--seed', str(seed)], folder)
    except Refused as why:
      return 'refused', str(why)
    worst = max((relative(*d) for d in before), default=0.0)
    if worst <= tolerance:
      return 'equal', ''
    said = f'off by {worst:.2g} of the largest magnitude'
    try:
      import numpy as np
      text = path.read_text()
      for i, element in enumerate(element_types(text)[0]):
        given = load(f'{folder}/arg{i}.npy', element)
        if given.dtype.kind in 'fV':
          np.save(f'{folder}/arg{i}.npy', given.astype(np.float64))
      wide = pathlib.Path(folder) / 'wide.mlir'
      wide.write_text(in_f64(text))
      after = differences(runner, tool, wide, by, ['--inputs', folder], f'{folder}/wide')
    except Exception as error:  # pylint: disable=broad-except  # not every program can be made so
      return 'different', f'{said}; not in f64: {str(error).splitlines()[0][:160]}'
    rounding = all(relative(*now) <= 1e-9 or now[0] <= 1e-6 * then[0] for then, now in zip(before, after))
    absolute = ', '.join(f'{then[0]:.2g} then {now[0]:.2g}' for then, now in zip(before, after) if relative(*then) > tolerance)
    return 'equal in f64' if rounding else 'different', f'{said}, absolute {absolute} in f64'


def in_child(pipe, arguments) -> None:
  try:
    pipe.send(check(*arguments))
  except Exception as error:  # pylint: disable=broad-except  # what jaxlib cannot compile or run
    pipe.send(('jaxlib cannot', str(error).splitlines()[0][:160]))


def in_process(arguments, seconds: float) -> tuple[str, str]:
  """jax is there already, but has no devices yet, so a process can be split off."""
  context = multiprocessing.get_context('fork')
  here, there = context.Pipe(duplex=False)
  child = context.Process(target=in_child, args=(there, arguments))
  child.start()
  there.close()
  try:
    if here.poll(seconds):
      return here.recv()
    return 'not finished', f'stopped after {seconds:g} s'
  except EOFError:
    child.join()
    return 'jaxlib cannot', f'it ended with {child.exitcode}'
  finally:
    child.kill()
    child.join()


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('paths', nargs='+')
  parser.add_argument('--tool', default='build/dev/shardwright')
  parser.add_argument('--partitioners', default='shardy,gspmd')
  parser.add_argument('--tolerance', type=float, default=1e-5)
  parser.add_argument('--seed', type=int, default=0)
  parser.add_argument('--devices', type=int, default=8)
  parser.add_argument('--seconds', type=float, default=300, help='for one program')
  args = parser.parse_args()
  ensure_jax()
  import jax  # once, for all processes
  import ml_dtypes  # pylint: disable=unused-import
  del jax, ml_dtypes
  counts = collections.Counter()
  for name, path, by in programs(args.paths, args.partitioners.split(',')):
    kind, said = in_process((args.tool, path, by, args.seed, args.tolerance, args.devices), args.seconds)
    counts[kind] += 1
    if kind != 'equal':
      print(f'{name}: {kind}: {said}', flush=True)
  print(', '.join(f'{n} {kind}' for kind, n in sorted(counts.items())))
  return 1 if counts['different'] else 0


if __name__ == '__main__':
  sys.exit(main())
