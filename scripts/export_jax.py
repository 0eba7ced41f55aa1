#!/usr/bin/env python3
"""Writes the lowered text of one JAX function of yours, ready for shardwright.

  export_jax.py train:step --args train:step_args --mesh data=2,model=4 -o step.mlir
  export_jax.py train:step --arg 'f32[64,32]@data' --arg "f32[32,128]@None,model" --mesh data=2,model=4 -o step.mlir
  export_jax.py train:step --args train:step_args -o step.mlir.xz       # one device, no mesh

MODULE is importable from the current folder (or --path), or a path to a .py file. FUNCTION may be plain or already
jitted. The arguments come from --args MODULE:NAME, else from FUNCTION_args in the same module: a tuple of arguments
(arrays, jax.ShapeDtypeStruct, or any tree of them), a tuple (args, kwargs) of a tuple and a dict, or a function that
returns one of these; a function that has a parameter gets the mesh. Nothing runs on a device: the devices of the mesh
are made up, and arrays are only asked for their shapes.

Run it with the Python that your model runs with: it needs that Python's jax and your model's own packages.
"""
import argparse
import contextlib
import importlib
import importlib.util
import inspect
import math
import os
import pathlib
import re
import sys
import traceback

from jax_env import force_devices
import lowered_text

DTYPES = {'pred': 'bool', 'bool': 'bool', 'bf16': 'bfloat16', 'f8e4m3fn': 'float8_e4m3fn', 'f8e5m2': 'float8_e5m2'}
DTYPES |= {f'f{n}': f'float{n}' for n in (16, 32, 64)} | {f'c{n}': f'complex{n}' for n in (64, 128)}
DTYPES |= {f'{short}{n}': f'{long}{n}' for short, long in (('s', 'int'), ('i', 'int'), ('u', 'uint'), ('ui', 'uint'))
           for n in (4, 8, 16, 32, 64)}


class Failure(Exception):
  """A message for the user; no traceback."""


def parse_mesh(text: str) -> dict[str, int]:
  axes: dict[str, int] = {}
  for item in filter(None, text.split(',')):
    match = re.fullmatch(r'\s*(\w+)\s*=\s*([1-9]\d*)\s*', item)
    if not match:
      raise Failure(f'--mesh: cannot read {item!r}; expected NAME=SIZE, as in data=2,model=4')
    if match[1] in axes:
      raise Failure(f'--mesh: axis {match[1]!r} is given twice')
    axes[match[1]] = int(match[2])
  return axes


def load(module_name: str, path: list[str]):
  sys.path[:0] = path
  try:
    if module_name.endswith('.py'):
      file = pathlib.Path(module_name)
      if not file.exists():
        raise Failure(f'no file {module_name}')
      sys.path.insert(0, str(file.resolve().parent))
      spec = importlib.util.spec_from_file_location(file.stem, file)
      module = importlib.util.module_from_spec(spec)
      sys.modules[file.stem] = module
      spec.loader.exec_module(module)
      return module
    return importlib.import_module(module_name)
  except ModuleNotFoundError as error:
    hint = f'; looked in {", ".join(path)} (see --path)' if error.name == module_name.split('.')[0] else ''
    raise Failure(f'cannot import {module_name}: {error}{hint}') from None


def find(reference: str, option: str, path: list[str]):
  module_name, colon, name = reference.rpartition(':')
  if not colon or not module_name or not name:
    raise Failure(f'{option}: expected MODULE:NAME, got {reference!r}')
  value = module = load(module_name, path)
  for part in name.split('.'):
    if not hasattr(value, part):
      import difflib
      near = difflib.get_close_matches(part, [n for n in dir(value) if not n.startswith('_')], 3)
      raise Failure(f'{module_name} has no {name!r}' + (f'; did you mean {" or ".join(near)}?' if near else ''))
    value = getattr(value, part)
  return value, module, name


def make_mesh(axes: dict[str, int]):
  import jax
  import numpy
  devices = numpy.array(jax.devices()[:math.prod(axes.values())]).reshape(tuple(axes.values()))
  try:
    return jax.sharding.Mesh(devices, tuple(axes), axis_types=(jax.sharding.AxisType.Auto,) * len(axes))
  except (AttributeError, TypeError):  # a jax from before axis types
    return jax.sharding.Mesh(devices, tuple(axes))


def parse_argument(text: str, mesh):
  """`f32[64,32]@data,None` -> an abstract array; after the @ comes what stands inside PartitionSpec(...)."""
  import jax
  match = re.fullmatch(r'\s*(\w+)\[([\d,\s]*)\](?:@(.*))?\s*', text)
  if not match or match[1] not in DTYPES:
    raise Failure(f'--arg: cannot read {text!r}; expected TYPE[SIZES] or TYPE[SIZES]@SPEC, as in f32[64,32]@data,None '
                  f'(types: {" ".join(DTYPES)})')
  shape = tuple(int(n) for n in match[2].replace(' ', '').split(',') if n)
  dtype = jax.numpy.dtype(DTYPES[match[1]])
  if match[3] is None:
    return jax.ShapeDtypeStruct(shape, dtype)
  if mesh is None:
    raise Failure(f'--arg {text}: a sharding needs --mesh')
  names = dict.fromkeys(re.findall(r'[A-Za-z_]\w*', match[3]))
  unknown = [n for n in names if n not in (*mesh.axis_names, 'None')]
  if unknown:
    raise Failure(f'--arg {text}: the mesh has no axis {unknown[0]!r} (it has {", ".join(mesh.axis_names)})')
  if not re.fullmatch(r'[\w\s,()]*', match[3]):
    raise Failure(f'--arg {text}: after the @ only axis names, None and parentheses are read, as in (data,model),None')
  try:
    source = f'({match[3]},)' if match[3].strip() else '()'
    entries = eval(source, {'__builtins__': {}}, {name: name for name in mesh.axis_names})
    spec = jax.sharding.PartitionSpec(*entries)
    return jax.ShapeDtypeStruct(shape, dtype, sharding=jax.sharding.NamedSharding(mesh, spec))
  except Exception as error:  # jax has its own kinds for axes used twice and the like
    raise Failure(f'--arg {text}: {error}') from None


def abstract(tree):
  """Arrays become their shapes (and shardings, where they have one on several devices); other leaves stay."""
  import jax
  import numpy

  def leaf(value):
    if isinstance(value, jax.Array):
      sharding = value.sharding if len(value.sharding.device_set) > 1 else None
      return jax.ShapeDtypeStruct(value.shape, value.dtype, sharding=sharding)
    return jax.ShapeDtypeStruct(value.shape, value.dtype) if isinstance(value, numpy.ndarray) else value

  return jax.tree.map(leaf, tree)


def gather_arguments(options, module, name: str, mesh):
  if options.arg:
    return tuple(parse_argument(text, mesh) for text in options.arg), {}
  if options.args:
    given, _, label = find(options.args, '--args', options.path)
  else:
    label = f'{name.split(".")[-1]}_args'
    if not hasattr(module, label):
      raise Failure(f'no arguments: give --arg TYPE[SIZES] for each, or --args MODULE:NAME, '
                    f'or write {label} in the module')
    given = getattr(module, label)
  if callable(given):
    wants = [p for p in inspect.signature(given).parameters.values()
             if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if wants and mesh is None:
      raise Failure(f'{label}({wants[0].name}) wants the mesh: give --mesh')
    given = given(mesh) if wants else given()
  if isinstance(given, (tuple, list)):
    named = len(given) == 2 and isinstance(given[0], tuple) and isinstance(given[1], dict)
    return given if named else (tuple(given), {})
  raise Failure(f'{label} gives a {type(given).__name__}; expected a tuple of arguments, or (args, kwargs)')


def lower(options) -> str:
  axes = parse_mesh(options.mesh or '')
  if importlib.util.find_spec('jax') is None:
    raise Failure(f'{sys.executable} has no jax; run this script with the Python that your model runs with')
  force_devices(max(options.devices, math.prod(axes.values())))
  import jax
  with contextlib.suppress(ImportError, AttributeError):  # keeps this script out of the recorded call stacks
    from jax._src import source_info_util
    source_info_util.register_exclusion(os.path.realpath(__file__))
  if options.partitioner:
    jax.config.update('jax_use_shardy_partitioner', options.partitioner == 'shardy')
  function, module, name = find(options.function, 'FUNCTION', options.path)
  if not callable(function):
    raise Failure(f'{options.function} is a {type(function).__name__}, not a function')
  mesh = make_mesh(axes) if axes else None
  args, kwargs = gather_arguments(options, module, name, mesh)
  if not hasattr(function, 'lower'):
    function = jax.jit(function, donate_argnums=options.donate, static_argnums=options.static)
  set_mesh = getattr(jax.sharding, 'use_mesh', None) or getattr(jax, 'set_mesh', None)
  with (set_mesh(mesh) if mesh is not None and options.set_mesh else contextlib.nullcontext()):
    args, kwargs = abstract(args), abstract(kwargs)
    if options.platform:
      lowered = function.trace(*args, **kwargs).lower(lowering_platforms=(options.platform,))
    else:
      lowered = function.lower(*args, **kwargs)
  text = lowered.as_text(debug_info=not options.no_debug_info)
  return text if options.keep_paths else lowered_text.relative_locations(text, [pathlib.Path(p) for p in options.path])


def parse_options() -> argparse.Namespace:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  numbers = lambda text: tuple(int(n) for n in text.split(',') if n)
  parser.add_argument('function', metavar='MODULE:FUNCTION')
  parser.add_argument('--args', metavar='MODULE:NAME', help='where the arguments come from (default: FUNCTION_args)')
  parser.add_argument('--arg', action='append', metavar='SPEC', help='an argument, as f32[64,32]@data,None; repeatable')
  parser.add_argument('--mesh', metavar='AXES', help='as data=2,model=4; without it the program is for one device')
  parser.add_argument('--set-mesh', action='store_true', help='make the mesh current while tracing')
  parser.add_argument('--devices', type=int, default=1, metavar='N',
                      help='at least N made-up devices, for a function that makes its own mesh')
  parser.add_argument('-o', '--out', default='-', metavar='FILE',
                      help='.mlir, or .mlir.xz for compressed (default: standard output)')
  parser.add_argument('--partitioner', choices=['shardy', 'gspmd'], help="default: this jax's own choice")
  parser.add_argument('--platform', choices=['cpu', 'tpu', 'cuda', 'rocm'], help='default: cpu')
  parser.add_argument('--donate', type=numbers, default=(), metavar='N,M', help='numbers of donated arguments')
  parser.add_argument('--static', type=numbers, default=(), metavar='N,M', help='numbers of static arguments')
  parser.add_argument('--path', action='append', metavar='DIR', help='where modules are (default: the current folder)')
  parser.add_argument('--no-debug-info', action='store_true', help='without names, files and lines')
  parser.add_argument('--keep-paths', action='store_true', help='whole file paths in locations, not relative ones')
  options = parser.parse_args()
  options.path = [os.path.abspath(p) for p in options.path or ['.']]
  return options


def main() -> None:
  options = parse_options()
  try:
    text = lower(options)
    lowered_text.write(options.out, text)
  except Failure as failure:
    sys.exit(f'error: {failure}')
  except OSError as error:
    sys.exit(f'error: cannot write {options.out}: {error.strerror}')
  except Exception as error:  # the user's own code or jax failed: their traceback, from their code on
    traceback.print_exc()
    sys.exit(f'error: {options.function} could not be lowered: {type(error).__name__}')
  if options.out != '-':
    lines = text.count('\n')
    print(f'{options.out}: {lines:,} lines, {len(text) / 1e6:.2f} MB of text', file=sys.stderr)


if __name__ == '__main__':
  main()
