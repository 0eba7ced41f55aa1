"""Random JAX programs with random shardings, and mutations of their text that JAX itself cannot write.

A program is a seeded walk: a list of values of known shapes grows by operations drawn from STEPS, each of which picks
operands that fit. `jax.eval_shape` says whether a step is legal and what it gives, so that steps need no shape rules of
their own. `lowered(seed)` returns the text; the same seed gives the same text.
"""
import math
import random

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESHES = (
    {'x': 2, 'y': 4}, {'a': 4, 'b': 2}, {'x': 8}, {'a': 2, 'b': 2, 'c': 2}, {'x': 4, 'y': 4}, {'a': 2, 'b': 3, 'c': 4},
    {'x': 6}, {'x': 5, 'y': 2}, {'data': 2, 'fsdp': 1, 'tensor': 4}, {'a': 16, 'b': 8},
    {'a': 2, 'b': 2, 'c': 2, 'd': 4}, {'x': 32, 'y': 8}, {'x': 1}, {'a': 8, 'b': 4, 'c': 2}, {'x': 12, 'y': 2},
    {'x': 2},
)
SIZES = (8, 16, 32, 8, 16, 32, 4, 64, 24, 6, 12, 1, 3, 10, 7, 48, 2)
STEPS = {}


def step(weight: float = 1.0):
  def register(function):
    STEPS[function.__name__] = (function, weight)
    return function
  return register


class Walk:
  """The state of one walk: values so far (abstract), and for each step the function that makes them."""

  def __init__(self, seed: int):
    self.random = random.Random(seed)
    self.axes = self.random.choice(MESHES)
    count = math.prod(self.axes.values())
    devices = np.array(jax.devices()[:count]).reshape(tuple(self.axes.values()))
    if self.random.random() < 0.06:
      devices = devices.reshape(-1)[np.random.default_rng(seed).permutation(count)].reshape(devices.shape)
    self.mesh = Mesh(devices, tuple(self.axes), axis_types=(jax.sharding.AxisType.Auto,) * len(self.axes))
    self.values: list = []
    self.steps: list = []
    self.used: set[int] = set()

  # ---- drawing -----------------------------------------------------------------------------------------------------
  def chance(self, p: float) -> bool:
    return self.random.random() < p

  def choice(self, items):
    return self.random.choice(list(items))

  def axis(self, value) -> int:
    return self.random.randrange(value.ndim)

  def spec(self, shape, p: float = 0.45, open_p: float = 0.0, uneven: bool = False) -> P:
    """A PartitionSpec; one that divides, as jit demands of arguments, unless `uneven`."""
    left = list(self.axes)
    self.random.shuffle(left)
    entries = []
    for size in shape:
      names: tuple = ()
      while left and self.chance(p if not names else 0.25):
        names += (left.pop(),)
      count = math.prod(self.axes[n] for n in names)
      if names and size % count and not (uneven and size >= count):
        names = ()
      entries.append(names[0] if len(names) == 1 else names or (P.UNCONSTRAINED if self.chance(open_p) else None))
    return P(*entries)

  def pick(self, accept=lambda v: True, floating: bool = True):
    """The number of a late value that fits, or None. Values not used yet are preferred."""
    fits = [i for i, v in enumerate(self.values)
            if accept(v) and (not floating or jnp.issubdtype(v.dtype, jnp.floating))]
    if not fits:
      return None
    fresh = [i for i in fits if i not in self.used]
    pool = fresh if fresh and self.chance(0.7) else fits[-6:]
    return self.choice(pool)

  def emit(self, operands, function, limit: int = 1 << 16) -> bool:
    """Appends a step if it is legal and its results are of moderate size."""
    if any(i is None for i in operands):
      return False
    try:
      made = jax.tree.leaves(jax.eval_shape(function, *(self.values[i] for i in operands)))
    except Exception:  # an illegal draw; jax raises many kinds
      return False
    if not made or any(not 0 < math.prod(v.shape) <= limit or v.ndim > 6 for v in made):
      return False
    self.steps.append((tuple(operands), function))
    self.used.update(operands)
    self.values += made
    return True


# ---- elementwise -----------------------------------------------------------------------------------------------------
UNARY = (jnp.tanh, lambda v: jnp.exp(-v * v), jnp.negative, jax.nn.relu, jax.nn.silu, jax.nn.gelu, lax.erf, jnp.cbrt,
         lambda v: v.astype(jnp.bfloat16).astype(jnp.float32), lambda v: lax.reduce_precision(v, 8, 7), jnp.round,
         jnp.sign, lambda v: lax.bitcast_convert_type(v, jnp.int32).astype(jnp.float32),
         lambda v: jnp.clip(v, -1.0, 1.0),
         lambda v: lax.stop_gradient(v) + 1, lambda v: jnp.real(lax.complex(v, v)), jnp.isfinite, lax.rsqrt)
BINARY = (jnp.add, jnp.multiply, jnp.maximum, jnp.subtract, jnp.arctan2, jnp.power,
          lambda a, b: jnp.where(a > b, a, b * 0.5))


@step(1.5)
def unary(w):
  function = w.choice(UNARY)
  return w.emit([w.pick()], lambda v: function(v).astype(jnp.float32))


@step(2.0)
def binary(w):
  i = w.pick()
  if i is None:
    return False
  j, function = w.pick(lambda v: v.shape == w.values[i].shape), w.choice(BINARY)
  return w.emit([i, j], function)


@step()
def broadcast_binary(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  shape = w.values[i].shape
  j = w.pick(lambda v: 0 < v.ndim < len(shape) and shape[-v.ndim:] == v.shape)
  return w.emit([i, j], jnp.add)


# ---- products --------------------------------------------------------------------------------------------------------
@step(3.0)
def dot_general(w):
  """Contracts one or two dimensions, with up to one batch dimension, wherever the sizes fit."""
  i, j = w.pick(lambda v: v.ndim), w.pick(lambda v: v.ndim)
  if i is None or j is None:
    return False
  a, b = w.values[i], w.values[j]
  pairs = [(p, q) for p in range(a.ndim) for q in range(b.ndim) if a.shape[p] == b.shape[q]]
  w.random.shuffle(pairs)
  chosen: list = []
  for p, q in pairs:
    if len(chosen) < w.choice((1, 1, 2, 3)) and all(p != x and q != y for x, y in chosen):
      chosen.append((p, q))
  if not chosen:
    return False
  batch = [c for c in chosen[1:] if w.chance(0.6)]
  contract = [c for c in chosen if c not in batch]
  dims = tuple(tuple(zip(*c)) if c else ((), ()) for c in (contract, batch))
  return w.emit([i, j], lambda x, y: lax.dot_general(x, y, dims))


@step()
def matmul_new_weight(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  size = w.values[i].shape[-1]
  j = w.pick(lambda v: v.ndim == 2 and v.shape[0] == size)
  return w.emit([i, j], jnp.matmul)


@step(1.0)
def einsum(w):
  """Two or three operands, every index in some of them; the result keeps some indices."""
  i, j = w.pick(lambda v: v.ndim), w.pick(lambda v: v.ndim)
  if i is None or j is None:
    return False
  letters: dict[str, int] = {}

  def named(shape):
    name = ''
    for size in shape:
      old = [k for k, n in letters.items() if n == size and k not in name]
      letter = w.choice(old) if old and w.chance(0.7) else 'abcdefghijklmnop'[len(letters)]
      letters[letter] = size
      name += letter
    return name
  left, right = named(w.values[i].shape), named(w.values[j].shape)
  kept = [k for k in letters if w.chance(0.6)]
  w.random.shuffle(kept)
  text = f'{left},{right}->{"".join(kept)}'
  return w.emit([i, j], lambda a, b: jnp.einsum(text, a, b))


@step(0.8)
def train_step(w):
  """A layer with a constraint on the activation, its loss, and a weight updated with momentum."""
  i = w.pick(lambda v: v.ndim in (2, 3))
  if i is None:
    return False
  width, hidden = w.values[i].shape[-1], w.choice((8, 16, 32))
  up, down = add_argument(w, (width, hidden)), add_argument(w, (hidden, width))
  act = NamedSharding(w.mesh, w.spec(w.values[i].shape[:-1] + (hidden,), 0.4))
  remat, scale = w.chance(0.3), w.choice((0.9, 1.0))

  def layer(x, a, b):
    return jnp.tanh(lax.with_sharding_constraint(x @ a, act)) @ b

  def update(x, a, b):
    body = jax.checkpoint(layer) if remat else layer
    loss, (da, db) = jax.value_and_grad(lambda p, q: jnp.mean((body(x, p, q) - x) ** 2), argnums=(0, 1))(a, b)
    return a * scale - 0.1 * da, b - 0.1 * db / (jnp.sqrt(jnp.sum(db * db)) + 1e-6), loss
  return w.emit([i, up, down], update)


# ---- data movement ---------------------------------------------------------------------------------------------------
@step()
def transpose(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  order = list(range(w.values[i].ndim))
  w.random.shuffle(order)
  return w.emit([i], lambda v: jnp.transpose(v, order))


@step(1.5)
def merge(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  s = w.values[i].shape
  d = w.random.randrange(len(s) - 1)
  return w.emit([i], lambda v: v.reshape(s[:d] + (s[d] * s[d + 1],) + s[d + 2:]))


@step(1.5)
def split(w):
  i = w.pick(lambda v: v.ndim and v.ndim < 5)
  if i is None:
    return False
  s = w.values[i].shape
  d, f = w.random.randrange(len(s)), w.choice((2, 4, 8, 3, 6))
  if s[d] % f:
    return False
  pair = (f, s[d] // f) if w.chance(0.5) else (s[d] // f, f)
  return w.emit([i], lambda v: v.reshape(s[:d] + pair + s[d + 1:]))


@step()
def regroup(w):
  """A reshape that regroups sizes anyhow, ones included."""
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  left, shape = math.prod(w.values[i].shape), []
  while left > 1 and len(shape) < 4:
    f = w.choice([d for d in range(2, 65) if left % d == 0] or [left])
    shape.append(f)
    left //= f
  shape += [left] if left > 1 else []
  if w.chance(0.3):
    shape.insert(w.random.randrange(len(shape) + 1), 1)
  return w.emit([i], lambda v: v.reshape(shape))


@step()
def concatenate(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  a, d = w.values[i], w.random.randrange(w.values[i].ndim)
  j = w.pick(lambda v: v.ndim == a.ndim and all(x == y or k == d for k, (x, y) in enumerate(zip(v.shape, a.shape))))
  return w.emit([i, j] + [i] * w.chance(0.2), lambda *v: jnp.concatenate(v, d))


@step()
def slice_(w):
  i = w.pick(lambda v: v.ndim and max(v.shape) >= 4)
  if i is None:
    return False
  s = w.values[i].shape
  d = w.choice([k for k, n in enumerate(s) if n >= 4])
  start, stride = w.random.randrange(s[d] // 2), w.choice((1, 1, 2, 3))
  stop = w.random.randrange(start + 1, s[d] + 1)
  return w.emit([i], lambda v: lax.slice_in_dim(v, start, stop, stride, d))


@step(0.7)
def pad(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  config = [(w.choice((0, 0, 1, -1, 4)), w.choice((0, 0, 2, 4)), w.choice((0, 0, 0, 1))) if w.chance(0.5) else (0, 0, 0)
            for _ in w.values[i].shape]
  return w.emit([i], lambda v: lax.pad(v, jnp.float32(0).astype(v.dtype), config))


@step()
def broadcast(w):
  i = w.pick(lambda v: v.ndim < 4)
  if i is None:
    return False
  shape = list(w.values[i].shape)
  d = w.random.randrange(len(shape) + 1)
  shape.insert(d, w.choice((8, 4, 16, 1)))
  kept = [k for k in range(len(shape)) if k != d]
  return w.emit([i], lambda v: lax.broadcast_in_dim(v, shape, kept))


@step(0.6)
def reverse(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  dims = [k for k in range(w.values[i].ndim) if w.chance(0.5)]
  return w.emit([i], lambda v: lax.rev(v, dims))


@step(0.5)
def roll(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d, n = w.axis(w.values[i]), w.choice((1, 2, -1))
  return w.emit([i], lambda v: jnp.roll(v, n, d))


@step(0.5)
def tile(w):
  i = w.pick(lambda v: 0 < v.ndim < 4)
  if i is None:
    return False
  d, n = w.axis(w.values[i]), w.choice((2, 3))
  return w.emit([i], (lambda v: jnp.repeat(v, n, d)) if w.chance(0.5) else lambda v: jnp.tile(v, (n,) + (1,) * d))


# ---- reductions ------------------------------------------------------------------------------------------------------
@step(1.5)
def reduce(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  dims = tuple(k for k in range(w.values[i].ndim) if w.chance(0.4)) or (0,)
  kind, keep = w.choice((jnp.sum, jnp.max, jnp.mean, jnp.prod, jnp.any, jnp.std)), w.chance(0.3)
  return w.emit([i], lambda v: kind(v, axis=dims, keepdims=keep).astype(jnp.float32))


@step(0.5)
def arg_reduce(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d = w.axis(w.values[i])
  return w.emit([i], lambda v: jnp.argmax(v, d).astype(jnp.float32))


@step(0.7)
def softmax(w):
  i = w.pick(lambda v: v.ndim)
  return i is not None and w.emit([i], lambda v, d=w.axis(w.values[i]): jax.nn.softmax(v, d))


@step(0.7)
def cumulative(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d, kind = w.axis(w.values[i]), w.choice((lax.cumsum, lax.cummax, lax.cumprod, lax.cumlogsumexp))
  backwards = w.chance(0.3)
  return w.emit([i], lambda v: kind(v, d, reverse=backwards))


@step(0.7)
def window(w):
  """Pooling along one or two dimensions; sometimes its gradient (select_and_scatter)."""
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  n = w.values[i].ndim
  dims = tuple(w.choice((1, 2, 3)) if w.chance(0.5) else 1 for _ in range(n))
  strides = tuple(w.choice((1, d)) for d in dims)
  padding, maximum, grad = w.choice(('SAME', 'VALID')), w.chance(0.6), w.chance(0.3)

  def pool(v):
    start, fold = (-jnp.inf, lax.max) if maximum else (0.0, lax.add)
    return lax.reduce_window(v, jnp.asarray(start, v.dtype), fold, dims, strides, padding)

  return w.emit([i], jax.grad(lambda v: pool(v).sum()) if grad else pool)


@step(0.5)
def sort(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d = w.axis(w.values[i])
  pair = w.chance(0.3)
  return w.emit([i], lambda v: lax.sort((v, v * 2), dimension=d, num_keys=1) if pair else jnp.sort(v, d))


# ---- indexing --------------------------------------------------------------------------------------------------------
def indices(count: int, size: int):
  return (jnp.arange(count) * 7) % size


@step()
def take(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  a, d = w.values[i], w.axis(w.values[i])
  shape = w.choice(((16,), (8,), (4, 8), (2, 3)))
  j = w.pick(lambda v: v.ndim in (1, 2) and v.size <= 256)
  size = a.shape[d]
  if w.chance(0.6) and j is not None:
    return w.emit([i, j], lambda v, k: jnp.take(v, jnp.abs(k).astype(jnp.int32) % size, axis=d))
  return w.emit([i], lambda v: jnp.take(v, indices(math.prod(shape), size).reshape(shape), axis=d))


@step(0.7)
def take_along(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  a, d = w.values[i], w.axis(w.values[i])
  size = a.shape[d]
  return w.emit([i], lambda v: jnp.take_along_axis(v, jnp.abs(v).astype(jnp.int32) % size, d))


@step(0.7)
def batched_gather(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  a = w.values[i]
  j = w.pick(lambda v: v.ndim == 2 and v.shape[0] == a.shape[0])
  return w.emit([i, j], lambda v, k: jax.vmap(lambda x, y: x[jnp.abs(y).astype(jnp.int32) % x.shape[0]])(v, k))


@step()
def scatter(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  a, d, n = w.values[i], w.axis(w.values[i]), w.choice((2, 4, 8))
  kind = w.choice(('add', 'set', 'max', 'mul'))
  place = (slice(None),) * d
  updates = a.shape[:d] + (n,) + a.shape[d + 1:]
  j = w.pick(lambda v: v.shape == updates)
  if j is not None:
    return w.emit([i, j], lambda v, u: getattr(v.at[place + (indices(n, a.shape[d]),)], kind)(u))
  return w.emit([i], lambda v: getattr(v.at[place + (indices(n, a.shape[d]),)], kind)(1.5))


@step(0.5)
def segment_sum(w):
  i = w.pick(lambda v: v.ndim > 1)
  return i is not None and w.emit([i], lambda v: jax.ops.segment_sum(v, indices(v.shape[0], 8), 8))


@step()
def dynamic(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  a = w.values[i]
  sizes = [w.random.randrange(1, n + 1) if w.chance(0.5) else n for n in a.shape]

  def start(v):
    return [jnp.argmax(v.reshape(-1)) % 2 if n != s else 0 for n, s in zip(v.shape, sizes)]

  if w.chance(0.5):
    return w.emit([i], lambda v: lax.dynamic_slice(v, start(v), sizes))
  j = w.pick(lambda v: v.shape == tuple(sizes))
  if j is None:
    return w.emit([i], lambda v: lax.dynamic_update_slice(v, lax.slice(v, [0] * v.ndim, sizes) * 2, start(v)))
  return w.emit([i, j], lambda v, u: lax.dynamic_update_slice(v, u, start(v)))


@step(0.5)
def largest(w):
  i = w.pick(lambda v: v.ndim and v.shape[-1] >= 4)
  k = w.choice((1, 2, 4))
  return w.emit([i], lambda v: (lambda pair: (pair[0], pair[1].astype(jnp.float32)))(lax.top_k(v, k)))


@step(0.5)
def associative_scan(w):
  i = w.pick(lambda v: v.ndim and max(v.shape) > 2)
  if i is None:
    return False
  d, kind = w.axis(w.values[i]), w.choice((jnp.multiply, jnp.maximum, jnp.add))
  return w.emit([i], lambda v: lax.associative_scan(kind, v, axis=d))


@step(0.4)
def top_k(w):
  i = w.pick(lambda v: v.ndim and v.shape[-1] >= 4)
  return w.emit([i], lambda v: jax.vmap(lambda x: jnp.sort(x)[..., :4])(v))


# ---- convolution -----------------------------------------------------------------------------------------------------
@step(1.2)
def convolution(w):
  """One or two spatial dimensions; strides, dilation, groups; channels last or first."""
  i = w.pick(lambda v: v.ndim in (3, 4))
  if i is None:
    return False
  a = w.values[i]
  spatial = a.ndim - 2
  last = w.chance(0.6)
  channels = a.shape[-1 if last else 1]
  letters = 'DHW'[-spatial:]
  data = f'N{letters}C' if last else f'NC{letters}'
  kernel = f'{letters}IO' if w.chance(0.5) else f'OI{letters}'
  groups = w.choice([g for g in (1, 1, 2, channels) if channels % g == 0])
  out = groups * w.choice((1, 2, 4)) if groups > 1 else w.choice((4, 8, 16))
  sizes = [w.choice((1, 2, 3)) for _ in range(spatial)]
  shape = tuple(sizes) + (channels // groups, out) if kernel.endswith('IO') else (out, channels // groups, *sizes)
  options = dict(window_strides=[w.choice((1, 1, 2)) for _ in range(spatial)], padding=w.choice(('SAME', 'VALID')),
                 dimension_numbers=(data, kernel, data), feature_group_count=groups,
                 rhs_dilation=[w.choice((1, 1, 2)) for _ in range(spatial)])
  j = w.pick(lambda v: v.shape == shape)
  mode = w.choice(('forward', 'forward', 'data', 'kernel'))
  if j is None:
    j = add_argument(w, shape)

  def forward(v, k):
    return lax.conv_general_dilated(v, k, **options)

  if mode == 'forward':
    return w.emit([i, j], forward)
  return w.emit([i, j], jax.grad(lambda v, k: jnp.sum(jnp.sin(forward(v, k))), argnums=0 if mode == 'data' else 1))


# ---- control flow, calls, regions ------------------------------------------------------------------------------------
@step()
def scan(w):
  i = w.pick(lambda v: v.ndim > 1)
  if i is None:
    return False
  a, reverse_ = w.values[i], w.chance(0.3)
  j = w.pick(lambda v: v.shape == a.shape[1:])
  if j is not None:
    return w.emit([j, i], lambda c, xs: lax.scan(lambda c, x: (jnp.tanh(c) + x, c * x), c, xs, reverse=reverse_))
  return w.emit([i], lambda v: lax.scan(lambda c, x: (c * 0.5 + x.sum(), jnp.sin(x) * c), 1.0, v))


@step(0.7)
def while_loop(w):
  i = w.pick()
  if i is None:
    return False
  j = w.pick(lambda v: v.shape == w.values[i].shape)
  if w.chance(0.5):
    return w.emit([i, j], lambda a, b: lax.fori_loop(0, 3, lambda k, s: (jnp.tanh(s[0] + s[1]), s[0] * 2), (a, b)))
  return w.emit([i, j], lambda a, b: lax.while_loop(lambda s: s[0].sum() < 9, lambda s: (s[0] + b, s[1]), (a, 0))[0])


@step(0.7)
def cond(w):
  i = w.pick()
  if i is None:
    return False
  j = w.pick(lambda v: v.shape == w.values[i].shape)
  if w.chance(0.4):
    branches = [lambda a, b: a + b, lambda a, b: jnp.sin(a), lambda a, b: b * 2]
    return w.emit([i, j], lambda a, b: lax.switch(jnp.argmax(a.reshape(-1)), branches, a, b))
  return w.emit([i, j], lambda a, b: lax.cond(a.sum() > 0, lambda a, b: jnp.exp(a), lambda a, b: a - b, a, b))


@step(0.8)
def nested_jit(w):
  """A call; used twice in some programs, so that one function has several callers."""
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d = w.axis(w.values[i])
  inner = jax.jit(lambda v: jnp.cumsum(v, d) / (1.0 + jnp.abs(v).sum(d, keepdims=True)))
  twice = w.chance(0.4)
  return w.emit([i], lambda v: inner(inner(v) * 2) if twice else inner(v))


@step(0.5)
def remat(w):
  i = w.pick(lambda v: v.ndim)
  return w.emit([i], lambda v: jax.grad(lambda u: jax.checkpoint(lambda t: jnp.sin(jnp.sin(t)))(u).sum())(v))


@step(0.6)
def barrier(w):
  i = w.pick()
  if i is None:
    return False
  return w.emit([i, w.pick()], lambda a, b: lax.optimization_barrier((a, b)))


@step(0.9)
def manual(w):
  """shard_map over some axes of the mesh, with a collective inside."""
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  a = w.values[i]
  names = [n for n in w.axes if w.chance(0.6)] or [w.choice(w.axes)]
  fits = [(d, n) for d in range(a.ndim) for n in names if a.shape[d] % (w.axes[n] ** 2) == 0 and w.axes[n] > 1]
  if not fits:
    return False
  d, n = w.choice(fits)
  spec = P(*(n if k == d else None for k in range(a.ndim)))
  size = w.axes[n]
  kind = w.choice(('psum', 'plain', 'gather', 'permute', 'scatter', 'all_to_all'))
  bodies = {
      'psum': (lambda v: lax.psum(jnp.sin(v), n), P()), 'plain': (lambda v: jnp.tanh(v) * 2, spec),
      'gather': (lambda v: lax.all_gather(v, n, axis=d, tiled=True), P()),
      'permute': (lambda v: lax.ppermute(v, n, [(k, (k + 1) % size) for k in range(size)]), spec),
      'scatter': (lambda v: lax.psum_scatter(v, n, scatter_dimension=d, tiled=True), spec),
      'all_to_all': (lambda v: lax.all_to_all(v, n, d, d, tiled=True), spec),
  }
  body, out = bodies[kind]
  return w.emit([i], jax.shard_map(body, mesh=w.mesh, in_specs=(spec,), out_specs=out, axis_names=set(names),
                                   check_vma=False))


@step(0.6)
def island(w):
  """shard_map over some axes, while the others stay with the propagator inside."""
  i = w.pick(lambda v: v.ndim > 1)
  if i is None or len(w.axes) < 2:
    return False
  a = w.values[i]
  name = w.choice(w.axes)
  size = w.axes[name]
  fits = [d for d in range(a.ndim) if a.shape[d] % size == 0 and size > 1]
  if not fits:
    return False
  d = w.choice(fits)
  spec = P(*(name if k == d else None for k in range(a.ndim)))
  j = w.pick(lambda v: v.ndim == 2 and v.shape[0] == a.shape[-1])
  mixes = j is not None and d != a.ndim - 1
  kind = w.choice(('matmul' if mixes else 'mean', 'mean', 'softmax'))
  bodies = {'matmul': lambda v, m: jnp.tanh(v @ m), 'mean': lambda v: v - lax.pmean(v.mean(d, keepdims=True), name),
            'softmax': lambda v: jax.nn.softmax(jnp.sin(v), -1)}
  specs = (spec, P()) if kind == 'matmul' else (spec,)
  return w.emit([i, j] if kind == 'matmul' else [i],
                jax.shard_map(bodies[kind], mesh=w.mesh, in_specs=specs, out_specs=spec, axis_names={name}, check_vma=False))


@step(1.5)
def constraint(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  sharding = NamedSharding(w.mesh, w.spec(w.values[i].shape, 0.4, open_p=0.4, uneven=w.chance(0.3)))
  return w.emit([i], lambda v: lax.with_sharding_constraint(v, sharding))


# ---- the rest --------------------------------------------------------------------------------------------------------
@step(0.3)
def spectral(w):
  i = w.pick(lambda v: v.ndim)
  return w.emit([i], lambda v: jnp.real(jnp.fft.fft(v, axis=-1)))


@step(0.3)
def linear_algebra(w):
  i = w.pick(lambda v: v.ndim > 1 and v.shape[-1] == v.shape[-2])
  if i is None:
    return False
  if w.chance(0.5):
    return w.emit([i], lambda v: jnp.linalg.cholesky(v, symmetrize_input=False))
  return w.emit([i, i], lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True))


@step(0.4)
def iota(w):
  i = w.pick(lambda v: v.ndim)
  if i is None:
    return False
  d = w.axis(w.values[i])
  return w.emit([i], lambda v: v * lax.broadcasted_iota(jnp.float32, v.shape, d))


@step(0.3)
def random_bits(w):
  i = w.pick(lambda v: v.ndim)
  return w.emit([i], lambda v: v * jax.random.uniform(jax.random.key(0), v.shape))


@step(0.4)
def gradient(w):
  """The gradient of a small network with respect to its input."""
  i = w.pick(lambda v: v.ndim == 2)
  if i is None:
    return False
  j = w.pick(lambda v: v.ndim == 2 and v.shape[0] == w.values[i].shape[1])
  return w.emit([i, j], lambda a, b: jax.grad(lambda p, q: jnp.sum(jax.nn.softmax(p @ q) ** 2), argnums=(0, 1))(a, b))


# ---- whole programs --------------------------------------------------------------------------------------------------
def add_argument(w: Walk, shape) -> int:
  w.steps.append((None, None))
  w.values.append(jax.ShapeDtypeStruct(shape, jnp.float32))
  return len(w.values) - 1


def make(seed: int) -> tuple[Walk, object, list, dict]:
  """The walk, its function, abstract arguments and jit options."""
  w = Walk(seed)
  for _ in range(w.random.randint(2, 4)):
    add_argument(w, tuple(w.choice(SIZES) for _ in range(w.choice((1, 2, 2, 2, 3, 3, 4)))))
  names, weights = zip(*((f, weight) for f, weight in STEPS.values()))
  goal, tries = len(w.values) + w.random.choice((3, 6, 10, 14, 25)), 0
  while len(w.values) < goal and tries < 300:
    tries += 1
    w.random.choices(names, weights)[0](w)

  def run(*arguments):
    left, values = list(arguments), []
    for operands, function in w.steps:
      if function is None:
        values.append(left.pop(0))
      else:
        values += jax.tree.leaves(function(*(values[i] for i in operands)))
    loose = [v for i, v in enumerate(values) if i not in w.used]
    return tuple(loose) or values[-1]

  shapes, number = [], 0
  for operands, function in w.steps:
    if function is None:
      shapes.append(w.values[number])
      number += 1
    else:
      number += len(jax.tree.leaves(jax.eval_shape(function, *(w.values[i] for i in operands))))
  arguments = [jax.ShapeDtypeStruct(s.shape, s.dtype, sharding=NamedSharding(w.mesh, w.spec(s.shape)))
               if w.chance(0.75) else s for s in shapes]
  options = {}
  results = jax.eval_shape(run, *shapes)
  if w.chance(0.3):
    options['out_shardings'] = jax.tree.map(
        lambda r: NamedSharding(w.mesh, w.spec(r.shape)) if w.chance(0.5) else None, results)
  return w, run, arguments, options


def lowered(seed: int) -> str:
  w, run, arguments, options = make(seed)
  run.__name__ = f'random_{seed}'
  return jax.jit(run, **options).lower(*arguments).as_text()
