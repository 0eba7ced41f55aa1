#!/usr/bin/env python3
"""Writes the lowered programs of models/ from the model code in models/src/.

The programs are lowered for made-up CPU devices with abstract arguments, so this needs neither an accelerator nor
memory for the parameters. Locations are kept (Python file, line, function), with paths cut to the repository or the
package they come from. Needs jax; makes .venv for it when the running Python has none (jax_env.py).
"""
import argparse
import os
import re
import sys

from jax_env import JAX_VERSION, ROOT, ensure_jax, force_devices
import lowered_text

# name -> (file, mesh, one line for the table of models/README.md)
MODELS = {
    'mlp': ('mlp.mlir', {'data': 2, 'model': 4}, 'perceptron, training step, momentum'),
    'mlp_unsharded': ('mlp_unsharded.mlir', {}, 'the same on one device: no mesh, no sharding'),
    'gqa_block': ('gqa_block.mlir', {'data': 2, 'tensor': 4}, 'transformer block, 32 query and 8 key heads, forward'),
    'llama3_8b_train': ('llama3_8b_train.mlir', {'data': 1, 'fsdp': 4, 'tensor': 2},
                        'Llama 3 8B, training step, 8 x 8192 tokens, scanned and rematerialized layers, AdamW'),
    'llama3_70b_train': ('llama3_70b_train.mlir', {'data': 1, 'fsdp': 32, 'tensor': 8},
                         'Llama 3 70B, training step on 256 devices, 64 x 8192 tokens'),
    'llama3_8b_decode': ('llama3_8b_decode.mlir', {'data': 2, 'tensor': 4},
                         'Llama 3 8B, one decoding step, cache of 32 x 8192 positions'),
    'decoder_10m_train': ('decoder_10m_train.mlir', {'data': 2, 'model': 4},
                          'decoder with ten million parameters in f32, 16 x 16 tokens, training step, gradient descent'),
    'moe_train': ('moe_train.mlir', {'data': 2, 'expert': 8},
                  'decoder with 16 experts, top-2 routing with a capacity, training step, AdamW'),
    'resnet_stage_train': ('resnet_stage_train.mlir', {'data': 8},
                           'third stage of ResNet-50, training step with batch normalization, momentum'),
    'vit_b16_train': ('vit_b16_train.mlir.xz', {'data': 4, 'model': 2},
                      'ViT-B/16, 1024 images, training step, layers written out, AdamW'),
}


def build(name: str, mesh, unrolled: int = 0):
  """The Program (models/src/program.py) of one name."""
  import dataclasses
  import decoder, llama, mlp, moe, resnet, transformer_block, vit
  match name:
    case 'mlp' | 'mlp_unsharded':
      return mlp.program(mesh)
    case 'gqa_block':
      return transformer_block.program(mesh)
    case 'llama3_8b_train':
      return llama.train(llama.LLAMA3_8B, mesh, batch=8, length=8192)
    case 'llama3_70b_train':
      return llama.train(llama.LLAMA3_70B, mesh, batch=64, length=8192)
    case 'llama3_70b_unrolled':
      return llama.train(dataclasses.replace(llama.LLAMA3_70B, depth=unrolled), mesh, 64, 8192, unrolled=True)
    case 'llama3_8b_decode':
      return llama.decode(llama.LLAMA3_8B, mesh, batch=32, length=8192)
    case 'decoder_10m_train':
      return decoder.program(mesh, batch=16, length=16)
    case 'moe_train':
      return moe.program(mesh, batch=64, length=2048)
    case 'resnet_stage_train':
      return resnet.program(mesh)
    case 'vit_b16_train':
      return vit.program(mesh, batch=1024)
  raise KeyError(name)


def make_mesh(axes: dict[str, int]):
  import jax
  import numpy
  if not axes:
    return None
  count = int(numpy.prod(list(axes.values())))
  devices = numpy.array(jax.devices()[:count]).reshape(tuple(axes.values()))
  return jax.sharding.Mesh(devices, tuple(axes), axis_types=(jax.sharding.AxisType.Auto,) * len(axes))


def hide_exporter_frames() -> None:
  """Keeps this script's own lines out of the recorded call stacks, so that editing it does not change the models."""
  from jax._src import source_info_util
  for file in (__file__, ROOT / 'models' / 'src' / 'program.py'):
    source_info_util.register_exclusion(os.path.realpath(file))


def lower(name: str, axes: dict[str, int], debug_info: bool = True, unrolled: int = 0) -> str:
  text = build(name, make_mesh(axes), unrolled).lower().as_text(debug_info=debug_info)
  return lowered_text.relative_locations(text, [ROOT])


def size_row(name: str, text: str, file: str, axes: dict[str, int], what: str) -> str:
  ops = len(re.findall(r'^\s+(?:%\S+ = |")?"?(?:stablehlo|sdy|chlo|func\.call|call)\b', text, re.M))
  mesh = ', '.join(f'{a}={n}' for a, n in axes.items()) or '-'
  return f'| `{file}` | {what} | {mesh} | {ops:,} | {len(text) / 1e6:.2f} MB |'


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('names', nargs='*', metavar='NAME', help=f'which (all by default): {", ".join(MODELS)}')
  parser.add_argument('-o', '--out', default=str(ROOT / 'models'), metavar='DIR', help='default: models/')
  parser.add_argument('--check', action='store_true', help='write nothing; name the files that differ; exit 1 if any')
  parser.add_argument('--partitioner', choices=['shardy', 'gspmd'], default='shardy', help='whose annotations (shardy)')
  parser.add_argument('--no-debug-info', action='store_true', help='without locations, as lower(...).as_text() prints')
  parser.add_argument('--unrolled', type=int, metavar='N',
                      help='instead: Llama 3 70B with N layers written out one by one, as llama3_70b_N_layers.mlir '
                      'in --out (80 layers: 60,000 operations)')
  args = parser.parse_args()
  unknown = [n for n in args.names if n not in MODELS]
  if unknown:
    parser.error(f'unknown model {unknown[0]!r}; known: {", ".join(MODELS)}')
  ensure_jax()
  force_devices(256)
  sys.path.insert(0, str(ROOT / 'models' / 'src'))
  hide_exporter_frames()
  import jax
  jax.config.update('jax_use_shardy_partitioner', args.partitioner == 'shardy')

  if args.unrolled:
    axes = MODELS['llama3_70b_train'][1]
    text = lower('llama3_70b_unrolled', axes, not args.no_debug_info, args.unrolled)
    path = os.path.join(args.out, f'llama3_70b_{args.unrolled}_layers.mlir')
    lowered_text.write(path, text)
    print(path)
    return
  stale, rows = [], []
  for name in args.names or MODELS:
    file, axes, what = MODELS[name]
    text = lower(name, axes, not args.no_debug_info)
    path = os.path.join(args.out, file)
    if args.check:
      if not os.path.exists(path) or lowered_text.read(path) != text:
        stale.append(path)
    else:
      lowered_text.write(path, text)
    rows.append(size_row(name, text, file, axes, what))
    print(rows[-1], flush=True)
  for path in stale:
    print(f'{path}: differs from what jax {JAX_VERSION} lowers now', file=sys.stderr)
  sys.exit(1 if stale else 0)


if __name__ == '__main__':
  main()
