#!/usr/bin/env python3
"""Holds the kernels of `shardwright run` against jaxlib where numbers are special: every element type, and in it zeros of
both signs, infinities, NaN, the smallest and largest numbers, ties of rounding; indices out of range; empty arrays.

Each case is a small StableHLO program that both run on the same inputs, and every element must be the same: NaN where
NaN is, the same infinities, integers and predicates exactly, floats exactly and with the same sign of zero, those of
functions that both approximate, of sums and of transforms within eight roundings.

Where XLA's CPU backend leaves what the specification says, nothing is compared, or both are right:
  results below the smallest normal number   XLA runs with such numbers flushed to zero
  integers to a power that is negative or of more than six bits   XLA looks at six bits of it, so that 0 to the 64th is 1
  the bits of a negative number of four bits     XLA counts those of the byte that it stands in
  quotients of complex numbers whose parts are near the largest number: XLA's are less exact
  complex numbers with NaN, infinity or -0 in a part, or for which XLA gives such   formulas differ there, none is the rule
  integers of floats that are out of their range   the specification leaves them open

  scripts/check_kernels.py --tool build/dev/shardwright [--only TEXT] [--list]
"""
import argparse
import collections
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

from jax_env import ensure_jax

FLOATS = ['f32', 'f64', 'f16', 'bf16', 'f8E4M3FN', 'f8E5M2']
SMALL_FLOATS = ['f8E4M3B11FNUZ', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f8E4M3', 'f8E3M4']
SIGNED, UNSIGNED = ['i4', 'i8', 'i16', 'i32', 'i64'], ['ui4', 'ui8', 'ui16', 'ui32', 'ui64']
COMPLEX = ['complex<f32>', 'complex<f64>']
INTEGERS = SIGNED + UNSIGNED

APPROXIMATED = {'cbrt', 'cosine', 'exponential', 'exponential_minus_one', 'log', 'log_plus_one', 'logistic', 'rsqrt', 'sine',
                'sqrt', 'tan', 'tanh', 'atan2', 'power'}
UNARY = {
    'abs': FLOATS + SIGNED + COMPLEX, 'cbrt': FLOATS, 'ceil': FLOATS, 'cosine': FLOATS + COMPLEX,
    'count_leading_zeros': INTEGERS, 'exponential': FLOATS + COMPLEX, 'exponential_minus_one': FLOATS + COMPLEX,
    'floor': FLOATS, 'is_finite': FLOATS, 'log': FLOATS + COMPLEX, 'log_plus_one': FLOATS + COMPLEX,
    'logistic': FLOATS + COMPLEX, 'negate': FLOATS + INTEGERS + COMPLEX, 'not': INTEGERS + ['i1'], 'popcnt': [e for e in INTEGERS if e != 'i4'],
    'real': COMPLEX, 'imag': COMPLEX, 'round_nearest_afz': FLOATS, 'round_nearest_even': FLOATS,
    'rsqrt': FLOATS + COMPLEX, 'sign': FLOATS + SIGNED + COMPLEX, 'sine': FLOATS + COMPLEX, 'sqrt': FLOATS + COMPLEX,
    'tan': FLOATS + COMPLEX, 'tanh': FLOATS + COMPLEX,
}
BINARY = {
    'add': FLOATS + INTEGERS + COMPLEX + ['i1'], 'and': INTEGERS + ['i1'], 'atan2': FLOATS, 'divide': FLOATS + INTEGERS + COMPLEX,
    'maximum': FLOATS + INTEGERS + ['i1'], 'minimum': FLOATS + INTEGERS + ['i1'],
    'multiply': FLOATS + INTEGERS + COMPLEX + ['i1'], 'or': INTEGERS + ['i1'], 'power': FLOATS + INTEGERS,
    'remainder': FLOATS + INTEGERS, 'shift_left': INTEGERS, 'shift_right_arithmetic': INTEGERS,
    'shift_right_logical': INTEGERS, 'subtract': FLOATS + INTEGERS + COMPLEX, 'xor': INTEGERS + ['i1'],
}
INEXACT = APPROXIMATED | {'fft', 'reduce'}


def bits_of(element: str) -> int:
  return int(''.join(c for c in element.replace('complex<', '').split('E')[0] if c.isdigit()))


class Case:
  """One program; `arrays` are its inputs."""

  def __init__(self, name: str, op: str, element: str, text: str, arrays: list):
    self.name, self.op, self.element, self.text, self.arrays = name, op, element, text, arrays


def special(np, kind_of, element: str):
  """The numbers of a type that rules are wrong about."""
  kind = kind_of(element)
  if element == 'i1':
    return np.array([False, True])
  if element in INTEGERS:
    bits = bits_of(element)
    low, high = (0, 2**bits - 1) if element in UNSIGNED else (-2**(bits - 1), 2**(bits - 1) - 1)
    some = [low, low + 1, high, high - 1, 0, 1, 2, 3, 5, 7, bits - 1, bits, -1, -2, -3, -7, 2**(bits // 2), high // 3]
    return np.array(sorted({n for n in some if low <= n <= high}), dtype=object).astype(kind)
  if element.startswith('complex'):
    parts = special(np, kind_of, element[8:-1])
    few = parts[np.isfinite(parts) & ~((parts == 0) & np.signbit(parts))][::2].tolist()
    return np.array([complex(a, b) for a in few for b in few]).astype(kind)
  import ml_dtypes
  info = ml_dtypes.finfo(kind)
  some = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.75, 2.0, 3.0, -3.0, 7.0, 10.0, -10.0, 0.1, -0.1, 88.0,
          -88.0, 0.999, 1e-3, -1e-3, 100.5, float('nan'), float('inf'), float('-inf'), float(info.max),
          float(info.min), float(info.smallest_normal), -float(info.smallest_normal)]
  with np.errstate(all='ignore'):
    return np.array(some).astype(kind)


def tensor(shape, element: str) -> str:
  return 'tensor<' + ''.join(f'{n}x' for n in shape) + element + '>'


def program(arguments: list[str], results: list[str], lines: str) -> str:
  given = ', '.join(f'%arg{i}: {t}' for i, t in enumerate(arguments))
  return (f'module @case {{\n  func.func public @main({given}) -> ({", ".join(results)}) {{\n{lines}\n'
          f'    return {", ".join(f"%r{i}" for i in range(len(results)))} : {", ".join(results)}\n  }}\n}}\n')


def pointwise_cases(np, kind_of):
  """Unary ops on every special number, binary ops on every pair, compare in every direction, select, clamp, convert."""
  def result_of(op: str, element: str) -> str:
    if op == 'is_finite':
      return 'i1'
    return element[8:-1] if op in ('real', 'imag', 'abs') and element.startswith('complex') else element

  for op, elements in UNARY.items():
    for element in elements:
      x = special(np, kind_of, element)
      a, r = tensor(x.shape, element), tensor(x.shape, result_of(op, element))
      yield Case(f'{op} {element}', op, element,
                 program([a], [r], f'    %r0 = "stablehlo.{op}"(%arg0) : ({a}) -> {r}'), [x])
  for op, elements in BINARY.items():
    for element in elements:
      x = special(np, kind_of, element)
      if x.size > 40:
        x = x[::max(1, x.size // 40)]
      a, b = np.repeat(x, x.size), np.tile(x, x.size)
      if op == 'power' and element in INTEGERS:
        inside = (b.astype(object) >= 0) & (b.astype(object) < 64)
        a, b = a[inside.astype(bool)], b[inside.astype(bool)]
      if op == 'divide' and element in COMPLEX:
        inside = (np.abs(a) < 1e30) & (np.abs(b) < 1e30)
        a, b = a[inside], b[inside]
      t = tensor(a.shape, element)
      yield Case(f'{op} {element}', op, element,
                 program([t, t], [t], f'    %r0 = "stablehlo.{op}"(%arg0, %arg1) : ({t}, {t}) -> {t}'), [a, b])
  for element in FLOATS + INTEGERS + ['i1']:
    x = special(np, kind_of, element)
    a, b = np.repeat(x, x.size), np.tile(x, x.size)
    t, p = tensor(a.shape, element), tensor(a.shape, 'i1')
    how = 'FLOAT' if element in FLOATS else 'SIGNED' if element in SIGNED else 'UNSIGNED'
    lines = [f'    %r{i} = stablehlo.compare {d}, %arg0, %arg1, {how} : ({t}, {t}) -> {p}'
             for i, d in enumerate(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE'])]
    yield Case(f'compare {element}', 'compare', element, program([t, t], [p] * 6, '\n'.join(lines)), [a, b])
    if element in FLOATS and element not in ('f8E4M3FN', 'f8E5M2'):
      yield Case(f'compare TOTALORDER {element}', 'compare', element,
                 program([t, t], [p], f'    %r0 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : ({t}, {t}) -> {p}'),
                 [a, b])
    low, high = np.roll(a, 5), np.roll(b, 3)
    yield Case(f'clamp {element}', 'clamp', element,
               program([t, t, t], [t], f'    %r0 = stablehlo.clamp %arg0, %arg1, %arg2 : {t}'), [low, a, high])
  everything = FLOATS + SMALL_FLOATS + INTEGERS + ['i1']
  for source in everything + COMPLEX:
    x = special(np, kind_of, source)
    for target in everything + (COMPLEX if source in COMPLEX else []):
      # A float outside of the integers of the result has no defined value.
      values = x
      if source in COMPLEX and target not in COMPLEX:
        continue
      if target in INTEGERS and source in FLOATS + SMALL_FLOATS:
        wide = x.astype(np.float64)
        limit = 2.0**(bits_of(target) - (target in SIGNED))
        values = x[np.isfinite(wide) & (wide < limit) & (wide > (-limit if target in SIGNED else -1))]
      a, r = tensor(values.shape, source), tensor(values.shape, target)
      yield Case(f'convert {source} {target}', 'convert', f'{source} {target}',
                 program([a], [r], f'    %r0 = stablehlo.convert %arg0 : ({a}) -> {r}'), [values])
  for exponent, mantissa in ((8, 7), (5, 10), (4, 3), (5, 2), (8, 23), (2, 1)):
    for element in ('f32', 'f64', 'bf16', 'f16'):
      x = special(np, kind_of, element)
      t = tensor(x.shape, element)
      yield Case(f'reduce_precision e{exponent}m{mantissa} {element}', 'reduce_precision', element,
                 program([t], [t], f'    %r0 = stablehlo.reduce_precision %arg0, format = e{exponent}m{mantissa} : {t}'), [x])


def reducer(op: str, element: str) -> str:
  t = f'tensor<{element}>'
  return (f'({{\n    ^bb0(%x: {t}, %y: {t}):\n      %s = stablehlo.{op} %x, %y : {t}\n'
          f'      stablehlo.return %s : {t}\n    }})')


def structured_cases(np, kind_of):
  """Reductions and sorts of NaN, indices that are out of range, empty arrays, transforms."""
  for element in ('f32', 'f64', 'i32', 'ui8', 'i1'):
    x = np.resize(special(np, kind_of, element), (6, 4))
    a, r, s = tensor((6, 4), element), tensor((4,), element), tensor((), element)
    zero = 'false' if element == 'i1' else '0.0' if element in FLOATS else '0'
    for op in ('maximum', 'minimum') + (('or', 'and') if element == 'i1' else ('add', 'multiply')):
      yield Case(f'reduce {op} {element}', 'reduce', element, program([a], [r], (
          f'    %z = stablehlo.constant dense<{zero}> : {s}\n    %r0 = "stablehlo.reduce"(%arg0, %z) {reducer(op, element)} '
          f'{{dimensions = array<i64: 0>}} : ({a}, {s}) -> {r}')), [x])
    empty = np.zeros((0, 4), kind_of(element))
    e = tensor((0, 4), element)
    op = 'or' if element == 'i1' else 'add'
    yield Case(f'reduce of nothing {element}', 'reduce', element, program([e], [r], (
        f'    %z = stablehlo.constant dense<{zero}> : {s}\n    %r0 = "stablehlo.reduce"(%arg0, %z) {reducer(op, element)} '
        f'{{dimensions = array<i64: 0>}} : ({e}, {s}) -> {r}')), [empty])
    yield Case(f'concatenate with nothing {element}', 'concatenate', element, program(
        [e, a], [a], f'    %r0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : ({e}, {a}) -> {a}'), [empty, x])
    for order in ('LT', 'GT'):
      how = 'TOTALORDER' if element in FLOATS else 'SIGNED' if element in SIGNED else 'UNSIGNED'
      i = tensor((6, 4), 'i32')
      b = (f'({{\n    ^bb0(%a: {s}, %b: {s}, %c: tensor<i32>, %d: tensor<i32>):\n'
           f'      %l = stablehlo.compare {order}, %a, %b, {how} : ({s}, {s}) -> tensor<i1>\n'
           f'      stablehlo.return %l : tensor<i1>\n    }})')
      yield Case(f'sort {order} {element}', 'sort', element, program([a, i], [a, i], (
          f'    %q:2 = "stablehlo.sort"(%arg0, %arg1) {b} {{dimension = 0 : i64, is_stable = true}} : ({a}, {i}) -> ({a}, {i})\n'
          f'    %r0 = stablehlo.reshape %q#0 : ({a}) -> {a}\n    %r1 = stablehlo.reshape %q#1 : ({i}) -> {i}')),
          [x, np.arange(24, dtype=np.int32).reshape(6, 4)])
  x = np.arange(20, dtype=np.float32).reshape(5, 4)
  a = tensor((5, 4), 'f32')
  for element in ('i8', 'ui8', 'i32', 'ui32', 'i64'):
    at = np.array([[-7], [-1], [0], [3], [4], [5], [100]]) % 256 if element[0] == 'u' else np.array([[-7], [-1], [0], [3], [4], [5], [100]])
    at = at.astype(kind_of(element))
    i, r = tensor((7, 1), element), tensor((7, 2, 4), 'f32')
    yield Case(f'gather out of range {element}', 'gather', element, program([a, i], [r], (
        '    %r0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], '
        'start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 4>}> '
        f': ({a}, {i}) -> {r}')), [x, at])
    u = tensor((7, 2, 4), 'f32')
    yield Case(f'scatter out of range {element}', 'scatter', element, program([a, i, u], [a], (
        f'    %r0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{{indices_are_sorted = false, scatter_dimension_numbers = '
        '#stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, '
        f'unique_indices = false}}> {reducer("add", "f32")} : ({a}, {i}, {u}) -> {a}')),
        [x, at, np.arange(56, dtype=np.float32).reshape(7, 2, 4)])
    for start in (-3, 0, 2, 4, 120):
      p = np.array(start % 256 if element[0] == 'u' else start).astype(kind_of(element))
      s, r = tensor((), element), tensor((2, 4), 'f32')
      zero = f'    %z = stablehlo.constant dense<0> : {s}\n'
      yield Case(f'dynamic_slice at {start} {element}', 'dynamic_slice', element, program([a, s], [r], (
          f'{zero}    %r0 = stablehlo.dynamic_slice %arg0, %arg1, %z, sizes = [2, 4] : ({a}, {s}, {s}) -> {r}')), [x, p])
      yield Case(f'dynamic_update_slice at {start} {element}', 'dynamic_update_slice', element, program([a, r, s], [a], (
          f'{zero}    %r0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %z : ({a}, {r}, {s}, {s}) -> {a}')),
          [x, -x[:2], p])
  yield from transform_cases(np)
  yield from random_cases(np)


def transform_cases(np):
  random = np.random.default_rng(0)
  for n in (1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 31, 64):
    for real, cplx in (('f32', 'complex<f32>'), ('f64', 'complex<f64>')):
      kind = np.complex64 if real == 'f32' else np.complex128
      z = (random.normal(size=(2, n)) + 1j * random.normal(size=(2, n))).astype(kind)
      half = z[:, :n // 2 + 1].copy()
      half[:, 0] = half[:, 0].real
      if n % 2 == 0:
        half[:, -1] = half[:, -1].real
      c, r, h = tensor((2, n), cplx), tensor((2, n), real), tensor((2, n // 2 + 1), cplx)
      for how, given, result, array in (('FFT', c, c, z), ('IFFT', c, c, z), ('RFFT', r, h, z.real.copy()), ('IRFFT', h, r, half)):
        yield Case(f'fft {how} {n} {real}', 'fft', real, program(
            [given], [result], f'    %r0 = stablehlo.fft %arg0, type = {how}, length = [{n}] : ({given}) -> {result}'), [array])
  x = random.normal(size=(3, 4, 6)).astype(np.float32)
  yield Case('fft RFFT 4x6 f32', 'fft', 'f32', program(
      [tensor((3, 4, 6), 'f32')], [tensor((3, 4, 4), 'complex<f32>')],
      f'    %r0 = stablehlo.fft %arg0, type = RFFT, length = [4, 6] : ({tensor((3, 4, 6), "f32")}) -> {tensor((3, 4, 4), "complex<f32>")}'), [x])


def random_cases(np):
  """Bits of both generators, in shapes that their blocks do not divide; two in a row, since the state goes on."""
  for how, words in (('THREE_FRY', 2), ('PHILOX', 2), ('PHILOX', 3), ('DEFAULT', 2)):
    state = np.array([0x9E3779B97F4A7C15, 2**64 - 3, 77][:words], np.uint64)
    t = tensor((words,), 'ui64')
    for element in ('ui4', 'ui8', 'ui16', 'ui32', 'ui64', 'i4', 'i32', 'i64'):
      for shape in ((), (1,), (3,), (4, 5), (7, 3), (2, 3, 5), (0,)):
        r = tensor(shape, element)
        lines = (f'    %r0, %r1 = stablehlo.rng_bit_generator %arg0, algorithm = {how} : ({t}) -> ({t}, {r})\n'
                 f'    %r2, %r3 = stablehlo.rng_bit_generator %r0, algorithm = {how} : ({t}) -> ({t}, {r})')
        yield Case(f'rng_bit_generator {how} {words} {element} {shape}', 'rng_bit_generator', element,
                   program([t], [t, r, t, r], lines), [state])


def near(np, case: Case, expected, found):
  """Which floats are as good as the same."""
  import ml_dtypes
  is_complex = expected.dtype.kind == 'c'
  parts = lambda a: np.stack([a.real, a.imag]) if is_complex else a[None]
  e, f = parts(expected), parts(found)
  info = ml_dtypes.finfo(e.dtype)
  e, f = e.astype(np.float64), f.astype(np.float64)
  exact = case.op not in INEXACT and not case.element.startswith('complex')
  with np.errstate(all='ignore'):
    same = (e == f) & ((np.signbit(e) == np.signbit(f)) | (not exact)) | (np.isnan(e) & np.isnan(f))
    same |= (e == 0) & (np.abs(f) < float(info.smallest_normal))
    if not exact:
      scale = np.broadcast_to(np.maximum(np.hypot(*e), 1), e.shape) if is_complex else np.abs(e)
      if case.op == 'fft':
        scale = np.full_like(e, np.abs(e).max())
      same |= (np.abs(e - f) <= 8 * float(info.eps) * scale) & np.isfinite(e)
    if is_complex:
      same |= ~np.isfinite(e)
  return same.all(axis=0)


def difference(np, case: Case, expected, found) -> str:
  """What is wrong; empty: nothing."""
  if expected.shape != found.shape:
    return f'shape {found.shape} instead of {expected.shape}'
  if expected.dtype.kind in 'biu' or 'int' in str(expected.dtype):
    bad = np.asarray(expected.astype(object) != found.astype(object), bool)
  else:
    bad = ~near(np, case, expected, found)
  if not bad.any():
    return ''
  at = tuple(int(i) for i in np.argwhere(bad)[0])
  given = ', '.join(str(a[at]) for a in case.arrays if a.shape == bad.shape)
  return f'{int(bad.sum())} of {bad.size}: {list(at)} of {given or "…"} is {found[at]} instead of {expected[at]}'


def run_by_tool(np, tool: str, case: Case, kinds: list, folder: pathlib.Path) -> list:
  path = folder / 'case.mlir'
  path.write_text(case.text)
  for i, array in enumerate(case.arrays):
    np.save(folder / f'arg{i}.npy', array if array.dtype.isbuiltin == 1 else array.view(f'V{array.dtype.itemsize}'))
  saved = folder / 'saved'
  done = subprocess.run([tool, 'run', str(path), '--inputs', str(folder), '--save', str(saved), '-o', os.devnull],
                        capture_output=True, text=True, check=False)
  if done.returncode not in (0, 1):
    raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr else f'exit {done.returncode}')
  found = []
  for i, kind in enumerate(kinds):
    array = np.load(saved / f'out{i}.npy')
    found.append(array if array.dtype == kind else array.view(kind) if array.dtype.kind == 'V' else array.astype(kind))
  return found


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--tool', default='build/dev/shardwright')
  parser.add_argument('--only', default='', help='cases with this text in their name')
  parser.add_argument('--list', action='store_true', help='say also which cases one of the two refuses')
  args = parser.parse_args()
  ensure_jax()
  import jax
  import numpy as np
  import run_hlo
  jax.config.update('jax_enable_x64', True)
  counts: collections.Counter = collections.Counter()
  for case in itertools.chain(pointwise_cases(np, run_hlo.numpy_type), structured_cases(np, run_hlo.numpy_type)):
    if args.only not in case.name:
      continue
    try:
      expected = run_hlo.run_whole(case.text, case.arrays)
    except Exception as error:  # pylint: disable=broad-except  # what XLA does not compile for CPUs
      counts['jaxlib cannot'] += 1
      if args.list:
        print(f'{case.name}: jaxlib cannot: {str(error).splitlines()[0][:160]}')
      continue
    with tempfile.TemporaryDirectory() as folder:
      try:
        found = run_by_tool(np, args.tool, case, [e.dtype for e in expected], pathlib.Path(folder))
      except RuntimeError as error:
        counts['refused'] += 1
        print(f'{case.name}: refused: {error}', flush=True)
        continue
    wrong = [w for w in (difference(np, case, np.asarray(e), f) for e, f in zip(expected, found)) if w]
    counts['different' if wrong else 'equal'] += 1
    if wrong:
      print(f'{case.name}: {wrong[0]}', flush=True)
  print(', '.join(f'{n} {kind}' for kind, n in sorted(counts.items())))
  return 1 if counts['different'] or counts['refused'] else 0


if __name__ == '__main__':
  sys.exit(main())
