#!/usr/bin/env python3
"""Random instances of every operation that has a factor rule, as one StableHLO program with random shardings.

  random_ops.py --seed 7 --count 300 -o ops.mlir; differential.py --files ops.mlir

Random programs (random_programs.py) use operations as JAX does; here their attributes take every value: grouped, dilated and
padded convolutions, gathers and scatters with batching dimensions and permuted index maps, reshapes of odd
factorisations. Sizes are small and often 1 or 0, where rules have their corners.
"""
import argparse
import random
import re

MESH = '<["x"=2, "y"=2, "z"=3]>'
SIZES = [2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 24, 30, 32, 64]


def tensor(shape, element='f32'):
  return 'tensor<' + ''.join(f'{size}x' for size in shape) + element + '>'


def array(values):
  return 'array<i64' + (': ' + ', '.join(map(str, values)) if values else '') + '>'


class Ops:
  """Draws operations. Each method gives (types of the arguments %a0, %a1, ..., lines that define %r, types of %r)."""

  def __init__(self, seed):
    self.random = random.Random(seed)

  # ---- drawing -------------------------------------------------------------------------------------------------------

  def chance(self, share):
    return self.random.random() < share

  def choice(self, items):
    return self.random.choice(items)

  def size(self, empty=True):
    if self.chance(0.15):
      return 1
    return 0 if empty and self.chance(0.02) else self.choice(SIZES)

  def shape(self, low=0, high=4, empty=True):
    return [self.size(empty) for _ in range(self.random.randint(low, high))]

  def order(self, count):
    dims = list(range(count))
    self.random.shuffle(dims)
    return dims

  def some(self, items):
    return self.random.sample(list(items), self.random.randint(0, len(items)))

  def op(self, name, args, results, attributes='', body=''):
    operands = ', '.join(f'%a{i}' for i in range(len(args)))
    count = f':{len(results)}' if len(results) > 1 else ''
    line = f'%r{count} = "{name}"({operands}) {body}{{{attributes}}} : ({", ".join(args)}) -> ({", ".join(results)})'
    return args, [line], results

  def body(self, kinds, element='f32', swapped=False):
    """A region over len(kinds) pairs of scalars; "second" returns the second of a pair."""
    scalar = f'tensor<{element}>'
    args = [f'%x{i}' for i in range(len(kinds))] + [f'%y{i}' for i in range(len(kinds))]
    lines, returned = [], []
    for i, kind in enumerate(kinds):
      pair = (f'%y{i}', f'%x{i}') if swapped else (f'%x{i}', f'%y{i}')
      if kind == 'second':
        returned.append(f'%y{i}')
        continue
      lines.append(f'%z{i} = "stablehlo.{kind}"({", ".join(pair)}) : ({scalar}, {scalar}) -> {scalar}')
      returned.append(f'%z{i}')
    lines.append(f'"stablehlo.return"({", ".join(returned)}) : ({", ".join([scalar] * len(kinds))}) -> ()')
    return '({^bb0(' + ', '.join(f'{arg}: {scalar}' for arg in args) + '): ' + ' '.join(lines) + '}) '

  # ---- pointwise and shape -------------------------------------------------------------------------------------------

  def pointwise(self):
    shape = self.shape()
    whole = tensor(shape)
    kind = self.choice(['unary', 'binary', 'compare', 'select', 'clamp', 'convert'])
    if kind == 'unary':
      return self.op('stablehlo.' + self.choice(['tanh', 'negate', 'exponential', 'rsqrt', 'floor']), [whole], [whole])
    if kind == 'binary':
      return self.op('stablehlo.' + self.choice(['add', 'multiply', 'power', 'atan2']), [whole, whole], [whole])
    if kind == 'compare':
      return self.op('stablehlo.compare', [whole, whole], [tensor(shape, 'i1')],
                     'comparison_direction = #stablehlo<comparison_direction GT>')
    if kind == 'select':
      return self.op('stablehlo.select', [tensor(self.choice([shape, []]), 'i1'), whole, whole], [whole])
    if kind == 'clamp':
      bounds = [tensor(self.choice([shape, []])) for _ in range(2)]
      return self.op('stablehlo.clamp', [bounds[0], whole, bounds[1]], [whole])
    return self.op('stablehlo.convert', [whole], [tensor(shape, 'bf16')])

  def reshape(self):
    count = self.choice([1, 4, 6, 8, 12, 24, 30, 36, 60, 64, 72, 96, 120, 210, 256, 360, 720, 900, 1024, 2310])

    def factored():
      left, shape = count, []
      while left > 1:
        shape.append(self.choice([d for d in range(2, left + 1) if left % d == 0]))
        left //= shape[-1]
      self.random.shuffle(shape)
      while self.chance(0.3):
        shape.insert(self.random.randint(0, len(shape)), 1)
      return shape
    return self.op('stablehlo.reshape', [tensor(factored())], [tensor(factored())])

  def broadcast_in_dim(self):
    shape = self.shape(0, 5)
    dims = self.some(range(len(shape)))
    if self.chance(0.7):
      dims.sort()
    operand = [1 if self.chance(0.3) else shape[d] for d in dims]
    return self.op('stablehlo.broadcast_in_dim', [tensor(operand)], [tensor(shape)],
                   f'broadcast_dimensions = {array(dims)}')

  def transpose(self):
    shape = self.shape(0, 5)
    order = self.order(len(shape))
    return self.op('stablehlo.transpose', [tensor(shape)], [tensor([shape[d] for d in order])],
                   f'permutation = {array(order)}')

  def reverse(self):
    shape = self.shape()
    return self.op('stablehlo.reverse', [tensor(shape)], [tensor(shape)],
                   f'dimensions = {array(self.some(range(len(shape))))}')

  def bitcast_convert(self):
    shape = self.shape()
    narrow, wide = tensor(shape + [4], 'ui8'), tensor(shape)
    args, results = self.choice([(narrow, wide), (wide, narrow), (wide, tensor(shape, 'i32'))])
    return self.op('stablehlo.bitcast_convert', [args], [results])

  def slice(self):
    shape = self.shape()
    start, limit, strides, result = [], [], [], []
    for size in shape:
      first, stride = (0, 1) if self.chance(0.4) else (self.random.randint(0, size), self.choice([1, 1, 2, 3]))
      last = size if first == 0 and stride == 1 and self.chance(0.7) else self.random.randint(first, size)
      start.append(first)
      limit.append(last)
      strides.append(stride)
      result.append(-(-(last - first) // stride))
    return self.op('stablehlo.slice', [tensor(shape)], [tensor(result)],
                   f'start_indices = {array(start)}, limit_indices = {array(limit)}, strides = {array(strides)}')

  def pad(self):
    shape = self.shape()
    low, high, interior, result = [], [], [], []
    for size in shape:
      edge = (0, 0, 0) if self.chance(0.4) else (self.choice([-1, 0, 1, 2]), self.choice([-1, 0, 1, 3]), self.choice([0, 0, 1]))
      whole = size + edge[0] + edge[1] + max(size - 1, 0) * edge[2]
      if whole < 0:
        edge, whole = (0, 0, 0), size
      low.append(edge[0])
      high.append(edge[1])
      interior.append(edge[2])
      result.append(whole)
    return self.op('stablehlo.pad', [tensor(shape), tensor([])], [tensor(result)],
                   f'edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}')

  def concatenate(self):
    shape = self.shape(1, 4, empty=False)
    dim = self.random.randrange(len(shape))
    shared = self.chance(0.4)  # all pieces come from one value
    slices = self.choice([0.0, 0.5, 1.0])
    args, lines, names, sizes = [], [], [], []
    for i in range(self.random.randint(1, 4)):
      if not args or not shared:
        args.append([*shape[:dim], self.size(empty=False), *shape[dim + 1:]])
      source, whole = f'%a{len(args) - 1}', args[-1]
      names.append(source)
      sizes.append(whole)
      if self.chance(slices):
        part = [*whole[:dim], self.random.randint(1, whole[dim]), *whole[dim + 1:]]
        lines.append(f'%s{i} = "stablehlo.slice"({source}) {{start_indices = {array([0] * len(part))}, limit_indices = '
                     f'{array(part)}, strides = {array([1] * len(part))}}} : ({tensor(whole)}) -> {tensor(part)}')
        names[-1], sizes[-1] = f'%s{i}', part
    result = [*shape[:dim], sum(s[dim] for s in sizes), *shape[dim + 1:]]
    lines.append(f'%r = "stablehlo.concatenate"({", ".join(names)}) {{dimension = {dim} : i64}} : '
                 f'({", ".join(map(tensor, sizes))}) -> {tensor(result)}')
    return [tensor(arg) for arg in args], lines, [tensor(result)]

  # ---- products ------------------------------------------------------------------------------------------------------

  def dot_general(self):
    batch, contract = self.shape(0, 2), self.shape(0, 2)
    free = [self.shape(0, 2), self.shape(0, 2)]
    shapes, numbers = [], []
    for side in free:
      order = self.order(len(batch) + len(contract) + len(side))
      sizes = batch + contract + side
      place = {d: i for i, d in enumerate(order)}
      shapes.append([sizes[d] for d in order])
      numbers.append(([place[i] for i in range(len(batch))],
                      [place[len(batch) + i] for i in range(len(contract))],
                      [sizes[d] for d in order if d >= len(batch) + len(contract)]))
    (lhs_batch, lhs_contract, lhs_free), (rhs_batch, rhs_contract, rhs_free) = numbers
    return self.op('stablehlo.dot_general', list(map(tensor, shapes)), [tensor(batch + lhs_free + rhs_free)],
                   f'dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {lhs_batch}, rhs_batching_dimensions = '
                   f'{rhs_batch}, lhs_contracting_dimensions = {lhs_contract}, rhs_contracting_dimensions = {rhs_contract}>')

  @staticmethod
  def windows(size, window, stride, low, high, base, spread):
    """How often a window fits."""
    padded = low + high + ((size - 1) * base + 1 if size else 0)
    reach = (window - 1) * spread + 1
    return 0 if padded < reach or padded <= 0 else (padded - reach) // stride + 1

  def convolution(self):
    rank = self.random.randint(0, 3)
    features = self.choice([1, 1, 1, 2, 3, 4])
    batches = self.choice([1, 1, 2, 4]) if features == 1 else 1
    batch = self.size(empty=False) * batches
    channels, filters = self.choice([1, 2, 3, 4, 8]), self.choice([1, 1, 2, 3, 4]) * features * batches
    spatial = []
    for _ in range(rank):
      window = self.choice([1, 2, 3, 3, 4, 5, 7, 16])
      edges = self.choice([(0, 0), (1, 1), (1, 0), (2, 3), (-1, 0)])
      spatial.append((self.choice([1, 2, 4, 5, 8, 14, 16, 28, 32]), window, self.choice([1, 1, 2, 3]), *edges,
                      self.choice([1, 1, 2, 3]), self.choice([1, 1, 2])))

    def laid_out(first, second, rest, names):
      order = self.order(rank + 2)
      shape, labels = [0] * (rank + 2), [''] * (rank + 2)
      for place, size, label in zip(order, [first, second, *rest], [*names, *map(str, range(rank))]):
        shape[place], labels[place] = size, label
      return shape, '[' + ', '.join(labels) + ']'
    lhs, lhs_labels = laid_out(batch, channels * features, [s[0] for s in spatial], 'bf')
    rhs, rhs_labels = laid_out(channels, filters, [s[1] for s in spatial], 'io')
    out, out_labels = laid_out(batch // batches, filters, [self.windows(*s) for s in spatial], 'bf')
    attributes = (f'batch_group_count = {batches} : i64, feature_group_count = {features} : i64, dimension_numbers = '
                  f'#stablehlo.conv<{lhs_labels}x{rhs_labels}->{out_labels}>')
    if rank:
      attributes += (f', window_strides = {array([s[2] for s in spatial])}, padding = '
                     f'dense<{[[s[3], s[4]] for s in spatial]}> : tensor<{rank}x2xi64>, lhs_dilation = '
                     f'{array([s[5] for s in spatial])}, rhs_dilation = {array([s[6] for s in spatial])}')
    return self.op('stablehlo.convolution', [tensor(lhs), tensor(rhs)], [tensor(out)], attributes)

  # ---- reductions and windows ----------------------------------------------------------------------------------------

  def reduce(self):
    count, shape = self.choice([1, 1, 2, 3]), self.shape()
    dims = self.some(range(len(shape)))
    result = [size for d, size in enumerate(shape) if d not in dims]
    return self.op('stablehlo.reduce', [tensor(shape)] * count + [tensor([])] * count, [tensor(result)] * count,
                   f'dimensions = {array(dims)}', self.body(['add'] * count))

  def reduce_window(self):
    count, shape = self.choice([1, 1, 2]), self.shape(1, 4, empty=False)
    windows = [(1, 1, 0, 0, 1, 1) if self.chance(0.4) else
               (self.choice([1, 2, 3]), self.choice([1, 1, 2]), self.choice([0, 0, 1]), self.choice([0, 0, 1]),
                self.choice([1, 1, 2]), self.choice([1, 1, 2])) for _ in shape]
    result = [self.windows(size, *w) for size, w in zip(shape, windows)]
    attributes = (f'window_dimensions = {array([w[0] for w in windows])}, window_strides = {array([w[1] for w in windows])}, '
                  f'padding = dense<{[[w[2], w[3]] for w in windows]}> : tensor<{len(shape)}x2xi64>, base_dilations = '
                  f'{array([w[4] for w in windows])}, window_dilations = {array([w[5] for w in windows])}')
    return self.op('stablehlo.reduce_window', [tensor(shape)] * count + [tensor([])] * count, [tensor(result)] * count,
                   attributes, self.body(['maximum'] * count))

  # ---- indexing ------------------------------------------------------------------------------------------------------

  def indexed(self):
    """What gather and scatter share: the operand, which of its dimensions are what, and the indices."""
    shape = self.shape(1, 5, empty=False)
    order = self.order(len(shape))
    batches = min(self.choice([0, 0, 1, 2]), len(shape))
    rest = order[batches:]
    gone = self.random.randint(0, min(2, len(rest)))
    operand_batch, collapsed, window = sorted(order[:batches]), sorted(rest[:gone]), sorted(rest[gone:])
    index_map = self.random.sample(rest, self.random.randint(0, min(3, len(rest))))
    roles = [('batch', i) for i in range(batches)] + [('own', self.size(empty=False)) for _ in range(self.random.randint(0, 2))]
    self.random.shuffle(roles)
    vector = len(roles) if len(index_map) == 1 and self.chance(0.4) else self.random.randint(0, len(roles))
    if len(index_map) != 1 or vector < len(roles) or self.chance(0.5):
      roles.insert(vector, ('vector', len(index_map)))
    sizes = [shape[operand_batch[value]] if role == 'batch' else value for role, value in roles]
    indices_batch = [roles.index(('batch', i)) for i in range(batches)]
    outer = [size for i, size in enumerate(sizes) if i != vector]
    return shape, operand_batch, collapsed, window, index_map, vector, sizes, indices_batch, outer

  def interleaved(self, windows, outer):
    """The shape of slices, and which of its dimensions run through windows."""
    count = len(windows) + len(outer)
    offset = sorted(self.random.sample(range(count), len(windows)))
    left, right = iter(windows), iter(outer)
    return [next(left) if d in offset else next(right) for d in range(count)], offset

  def gather(self):
    shape, operand_batch, collapsed, window, index_map, vector, indices, indices_batch, outer = self.indexed()
    sizes = [1] * len(shape)
    for d in window:
      sizes[d] = self.choice([shape[d], shape[d], 1, self.random.randint(1, shape[d])])
    result, offset = self.interleaved([sizes[d] for d in window], outer)
    return self.op('stablehlo.gather', [tensor(shape), tensor(indices, 'i32')], [tensor(result)],
                   f'dimension_numbers = #stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = {collapsed}, '
                   f'operand_batching_dims = {operand_batch}, start_indices_batching_dims = {indices_batch}, start_index_map = '
                   f'{index_map}, index_vector_dim = {vector}>, slice_sizes = {array(sizes)}')

  def scatter(self):
    shape, operand_batch, collapsed, window, index_map, vector, indices, indices_batch, outer = self.indexed()
    sizes = [self.choice([shape[d], shape[d], 1, self.random.randint(1, shape[d])]) for d in window]
    update, offset = self.interleaved(sizes, outer)
    element = self.choice(['f32', 'f32', 'i1', 'i32'])
    kinds = ['add', 'multiply', 'maximum', 'minimum', 'second'] + (['and', 'or', 'xor'] if element != 'f32' else ['subtract'])
    count = self.choice([1, 1, 2])
    chosen = [self.choice(kinds)] * count if self.chance(0.8) else [self.choice(kinds) for _ in range(count)]
    args = [tensor(shape, element)] * count + [tensor(indices, 'i32')] + [tensor(update, element)] * count
    return self.op('stablehlo.scatter', args, [tensor(shape, element)] * count,
                   f'scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {offset}, inserted_window_dims = '
                   f'{collapsed}, input_batching_dims = {operand_batch}, scatter_indices_batching_dims = {indices_batch}, '
                   f'scatter_dims_to_operand_dims = {index_map}, index_vector_dim = {vector}>',
                   self.body(chosen, element, self.chance(0.3)))

  def dynamic_slice(self):
    shape = self.shape()
    sizes = [self.choice([size, self.random.randint(0, size)]) for size in shape]
    return self.op('stablehlo.dynamic_slice', [tensor(shape)] + ['tensor<i32>'] * len(shape), [tensor(sizes)],
                   f'slice_sizes = {array(sizes)}')

  def dynamic_update_slice(self):
    shape = self.shape()
    update = [self.choice([size, size, self.random.randint(0, size)]) for size in shape]
    constant = self.choice([0.0, 0.5, 1.0])
    names = ['%c' if self.chance(constant) else '%a2' for _ in shape]
    types = [tensor(shape), tensor(update)]
    lines = ['%c = stablehlo.constant dense<0> : tensor<i32>'] if '%c' in names else []
    lines.append(f'%r = "stablehlo.dynamic_update_slice"({", ".join(["%a0", "%a1", *names])}) : '
                 f'({", ".join(types + ["tensor<i32>"] * len(shape))}) -> {types[0]}')
    return types + ['tensor<i32>'], lines, types[:1]

  def sort(self):
    shape = self.shape(1, 4)
    body = ('({^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = "stablehlo.compare"(%x, %y) {comparison_direction = '
            '#stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1> '
            '"stablehlo.return"(%z) : (tensor<i1>) -> ()}) ')
    return self.op('stablehlo.sort', [tensor(shape)], [tensor(shape)],
                   f'dimension = {self.random.randrange(len(shape))} : i64, is_stable = true', body)

  # ---- linear algebra, random bits, custom calls ---------------------------------------------------------------------

  def cholesky(self):
    shape = self.shape(0, 2) + [self.size()] * 2
    shape[-1] = shape[-2]
    return self.op('stablehlo.cholesky', [tensor(shape)], [tensor(shape)], 'lower = true')

  def triangular_solve(self):
    batch, rows, columns, left = self.shape(0, 2), self.size(False), self.size(False), self.chance(0.5)
    other = batch + ([rows, columns] if left else [columns, rows])
    transpose = self.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])
    return self.op('stablehlo.triangular_solve', [tensor(batch + [rows, rows]), tensor(other)], [tensor(other)],
                   f'left_side = {"true" if left else "false"}, lower = true, unit_diagonal = false, transpose_a = '
                   f'#stablehlo<transpose {transpose}>')

  def fft(self):
    batch, lengths = self.shape(0, 2), self.shape(1, 3, empty=False)
    half, numbers = lengths[:-1] + [lengths[-1] // 2 + 1], 'complex<f32>'
    kind = self.choice(['FFT', 'IFFT', 'RFFT', 'IRFFT'])
    args = tensor(batch + (half if kind == 'IRFFT' else lengths), 'f32' if kind == 'RFFT' else numbers)
    result = tensor(batch + (half if kind == 'RFFT' else lengths), 'f32' if kind == 'IRFFT' else numbers)
    return self.op('stablehlo.fft', [args], [result],
                   f'fft_type = #stablehlo<fft_type {kind}>, fft_length = {array(lengths)}')

  def rng_bit_generator(self):
    state = tensor([self.choice([2, 3, 4])], 'ui64')
    return self.op('stablehlo.rng_bit_generator', [state], [state, tensor(self.shape(), 'ui32')],
                   'rng_algorithm = #stablehlo<rng_algorithm DEFAULT>')

  def custom_call(self):
    batch, rows, columns = self.shape(0, 2), self.size(), self.size()
    matrix = tensor(batch + [rows, columns])
    target, args, results = self.choice([
        ('MoveToHost', [matrix], [matrix]),
        ('unheard_of', [matrix], [matrix]),
        ('Eigh', [tensor(batch + [rows, rows])], [tensor(batch + [rows, rows]), tensor(batch + [rows])]),
        ('Qr', [matrix], [matrix, tensor(batch + [min(rows, columns)])]),
        ('ProductOfElementaryHouseholderReflectors', [matrix, tensor(batch + [min(rows, columns)])], [matrix]),
        ('mhlo.topk', [matrix], [tensor(batch + [rows, columns // 2]), tensor(batch + [rows, columns // 2], 'i32')]),
        ('PartialReduce', [matrix, matrix, tensor([]), tensor([])], [tensor(batch + [rows // 2, columns])] * 2),
    ])
    return self.op('stablehlo.custom_call', args, results, f'call_target_name = "{target}"')


FAMILIES = ('pointwise', 'reshape', 'broadcast_in_dim', 'transpose', 'reverse', 'bitcast_convert', 'slice', 'pad', 'concatenate',
            'dot_general', 'convolution', 'reduce', 'reduce_window', 'gather', 'scatter', 'dynamic_slice', 'dynamic_update_slice',
            'sort', 'cholesky', 'triangular_solve', 'fft', 'rng_bit_generator', 'custom_call')


def sharding(draw, kind):
  """A random sharding of a value of this type, as an attribute; often none."""
  rank = len(re.match(r'tensor<((?:\d+x)*)', kind).group(1).split('x')) - 1
  if rank == 0 or draw.chance(0.4):
    return ''
  axes = ['"x"', '"y"', '"z"']
  draw.random.shuffle(axes)
  dims = []
  for _ in range(rank):
    taken = [axes.pop() for _ in range(draw.choice([0, 1, 1, 2])) if axes]
    dims.append('{' + ', '.join(taken + (['?'] if draw.chance(0.3) else [])) + '}')
  return f' {{sdy.sharding = #sdy.sharding<@mesh, [{", ".join(dims)}]>}}'


def program(seed, count):
  """The text of a program with `count` operations, each with arguments and results of its own."""
  draw = Ops(seed)
  args, lines, results, names = [], [], [], []
  for i in range(count):
    types, body, made = getattr(draw, draw.choice(FAMILIES))()

    def own(text):
      return re.sub(r'%(\w+)', lambda match: f'%{match.group(1)}_{i}', text)
    args += [own(f'%a{j}') + f': {kind}' + sharding(draw, kind) for j, kind in enumerate(types)]
    lines += [own(line) for line in body]
    results += [kind + sharding(draw, kind) for kind in made]
    names += [own('%r') + (f'#{j}' if len(made) > 1 else '') for j in range(len(made))]
  kinds = ', '.join(re.sub(r' \{sdy.*', '', result) for result in results)
  return '\n'.join([f'sdy.mesh @mesh = {MESH}', 'func.func @main(', '    ' + ',\n    '.join(args) + ') -> (',
                    '    ' + ',\n    '.join(results) + ') {', *('  ' + line for line in lines),
                    f'  return {", ".join(names)} : {kinds}', '}', ''])


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--seed', type=int, default=0)
  parser.add_argument('--count', type=int, default=300, help='operations (300)')
  parser.add_argument('-o', '--output', default='/dev/stdout')
  options = parser.parse_args()
  with open(options.output, 'w', encoding='utf-8') as out:
    out.write(program(options.seed, options.count))


if __name__ == '__main__':
  main()
