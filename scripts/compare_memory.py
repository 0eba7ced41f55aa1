#!/usr/bin/env python3
"""Compares the bytes that `shardwright memory` gives with what the real H100 and TPU compilers give, on programs of
real size that were made for it (`memory_programs.py`) or on a module of yours with the same PROGRAMS.

Compiles ahead of time, so no accelerator is needed, but jax 0.10.2 with its CUDA plugin and a CUDA toolkit
(pip: jax-cuda13-plugin, jax-cuda13-pjrt), or with libtpu, in the Python that runs this. A program takes seconds to two
minutes and is kept, with the answer, below --keep, so that a second call compiles nothing that it has.

  compare_memory.py --target h100 --gpu-config h100.txtpb [--only NAME ...]
  compare_memory.py --target v5p

--gpu-config is a description of the GPU in text form, as XLA keeps them (GpuTargetConfigProto).
Exit code 1 when a total is off by more than --tolerance (default: never).
"""
import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = {'h100': ('cuda', '1x1x8', 'h100'), 'v5e': ('tpu', '2x4', 'tpu-v5e'), 'v5p': ('tpu', '2x2x2', 'tpu-v5p')}
PARTS = ('argument', 'output', 'alias', 'temp')


def options() -> argparse.Namespace:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--target', choices=TARGETS, required=True)
  parser.add_argument('--gpu-config', type=pathlib.Path, help='needed for a GPU')
  parser.add_argument('--cuda', default='/usr/local/cuda', help='where the CUDA toolkit is')
  parser.add_argument('--module', type=pathlib.Path, default=ROOT / 'scripts' / 'memory_programs.py')
  parser.add_argument('--only', nargs='*', default=[])
  parser.add_argument('--keep', type=pathlib.Path, default=ROOT / 'build' / 'memory')
  parser.add_argument('--tool', default=str(ROOT / 'build' / 'dev' / 'shardwright'))
  parser.add_argument('--hlo', action='store_true', help='keep what the compiler runs, too')
  parser.add_argument('--tolerance', type=float, default=float('inf'), help='a share, 0.1 is 10 %%')
  return parser.parse_args()


def topology(target: str, config: pathlib.Path | None):
  from jax.experimental import topologies
  platform, shape, _ = TARGETS[target]
  if platform == 'tpu':
    return topologies.get_topology_desc(platform='tpu', topology_name=f'{target}:{shape}')
  if config is None:
    sys.exit('error: --gpu-config is needed for a GPU')
  try:
    from jax.experimental.compilation_cache import compilation_cache  # noqa: F401  the plugin needs jax set up
    import jax_plugins.xla_cuda13 as plugin
    plugin.initialize()
  except Exception as problem:  # already registered by jax itself
    if 'ALREADY_EXISTS' not in str(problem):
      raise
  return topologies.get_topology_desc(platform='cuda', topology_name=target, topology=shape,
                                      target_config=config.read_text())


def compile_program(name: str, make, axes: dict, devices, folder: pathlib.Path, target: str, hlo: bool) -> dict:
  """Leaves the lowered text in the folder; the answer is what the compiler counts, or why there is none."""
  import jax
  from memory_programs import Shapes
  step, arguments, donated = make(Shapes(axes, devices))
  step.__name__ = name
  lowered = jax.jit(step, donate_argnums=donated).lower(*arguments)
  (folder / f'{target}.mlir').write_text(lowered.as_text())
  try:
    compiled = lowered.compile()
  except Exception as problem:
    return {'error': str(problem)[:2000]}
  counted = compiled.memory_analysis()
  if hlo:
    (folder / f'{target}.scheduled.hlo').write_text(compiled.as_text())
  return {part: getattr(counted, f'{part}_size_in_bytes') for part in PARTS}


def recorded(arguments: argparse.Namespace) -> dict[str, dict]:
  answers, missing = {}, []
  spec = importlib.util.spec_from_file_location('programs', arguments.module)
  sys.path.insert(0, str(ROOT / 'scripts'))
  programs = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(programs)
  unknown = set(arguments.only) - set(programs.PROGRAMS)
  if unknown:
    sys.exit(f'error: no program {", ".join(sorted(unknown))}; there are {", ".join(programs.PROGRAMS)}')
  for name in arguments.only or programs.PROGRAMS:
    file = arguments.keep / name / f'{arguments.target}.json'
    if file.exists():
      answers[name] = json.loads(file.read_text())
    else:
      missing.append(name)
  if missing:
    devices = list(topology(arguments.target, arguments.gpu_config).devices)
    for name in missing:
      folder = arguments.keep / name
      folder.mkdir(parents=True, exist_ok=True)
      make, axes = programs.PROGRAMS[name]
      answers[name] = compile_program(name, make, axes, devices, folder, arguments.target, arguments.hlo)
      (folder / f'{arguments.target}.json').write_text(json.dumps(answers[name]))
      print(f'compiled {name}', file=sys.stderr, flush=True)
  return answers


def total(bytes_of: dict) -> int:
  return bytes_of['argument'] + bytes_of['output'] - bytes_of['alias'] + bytes_of['temp']


def main() -> int:
  arguments = options()
  os.environ.setdefault('JAX_PLATFORMS', 'cpu')
  os.environ.setdefault('TPU_SKIP_MDS_QUERY', '1')
  if TARGETS[arguments.target][0] == 'cuda':
    os.environ['XLA_FLAGS'] = f'{os.environ.get("XLA_FLAGS", "")} --xla_gpu_cuda_data_dir={arguments.cuda}'
  errors = []
  for name, real in recorded(arguments).items():
    if 'error' in real:
      print(f'{name:20s} the compiler refuses: {real["error"][:100]!r}')
      continue
    run = subprocess.run([arguments.tool, 'memory', arguments.keep / name / f'{arguments.target}.mlir', '--hardware',
                          TARGETS[arguments.target][2], '--format', 'json'], capture_output=True, text=True)
    if run.returncode:
      print(f'{name:20s} FAILED {run.stderr[:200]}')
      errors.append(float('inf'))
      continue
    ours = json.loads(run.stdout)['memory']
    error = total(ours) / total(real) - 1
    errors.append(abs(error))
    wrong = ' '.join(f'{part} {ours[part]}!={real[part]}' for part in PARTS[:3] if ours[part] != real[part])
    print(f'{name:20s} total {total(real):>14,d} predicted {error:+7.1%}   temp {real["temp"]:>14,d} predicted '
          f'{ours["temp"] / max(1, real["temp"]) - 1:+7.1%}  {wrong}')
  if not errors:
    sys.exit('error: nothing was compared')
  errors.sort()
  print(f'{arguments.target}: total off by median {statistics.median(errors):.1%}, worst tenth from '
        f'{errors[int(0.9 * (len(errors) - 1))]:.1%}, worst {errors[-1]:.1%} of {len(errors)}')
  return int(errors[-1] > arguments.tolerance)


if __name__ == '__main__':
  sys.exit(main())
