"""Training and inference steps of real size, on 8 devices, written as their users would: what `compare_memory.py` compiles.

Each function takes a `Shapes` (a mesh and shorthands) and returns a function, its abstract arguments and the numbers of
those that are donated. `PROGRAMS` maps their names to them and to the axes of their meshes.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

PROGRAMS = {}


def program(**axes):
  def register(function):
    PROGRAMS[function.__name__] = (function, axes)
    return function
  return register


class Shapes:
  def __init__(self, axes: dict[str, int], devices):
    sizes = tuple(axes.values())
    self.mesh = Mesh(np.array(devices[:int(np.prod(sizes))]).reshape(sizes), tuple(axes),
                     axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))

  def sharding(self, *spec):
    return NamedSharding(self.mesh, P(*spec))

  def array(self, shape, *spec, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=self.sharding(*spec))

  def keep(self, value, *spec):
    return lax.with_sharding_constraint(value, self.sharding(*spec))


def momentum_step(loss):
  def step(params, velocity, *batch):
    value, grads = jax.value_and_grad(loss)(params, *batch)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g.astype(v.dtype), velocity, grads)
    return jax.tree.map(lambda p, v: (p - 0.1 * v).astype(p.dtype), params, velocity), velocity, value
  return step


def adam_step(loss):
  def step(params, first, second, *batch):
    value, grads = jax.value_and_grad(loss)(params, *batch)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g.astype(m.dtype), first, grads)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * jnp.square(g.astype(v.dtype)), second, grads)
    params = jax.tree.map(lambda p, m, v: (p - 1e-3 * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype), params, first, second)
    return params, first, second, value
  return step


def layer_norm(x, scale):
  y = x.astype(jnp.float32)
  mean = y.mean(-1, keepdims=True)
  return ((y - mean) * lax.rsqrt(jnp.square(y - mean).mean(-1, keepdims=True) + 1e-5) * scale).astype(x.dtype)


def attend(q, k, v, mask=None):
  scores = jnp.einsum('bqhd,bkhd->bhqk', q, k).astype(jnp.float32) * q.shape[-1] ** -0.5
  if mask is not None:
    scores = jnp.where(mask, scores, -1e9)
  return jnp.einsum('bhqk,bkhd->bqhd', jax.nn.softmax(scores).astype(v.dtype), v)


def cross_entropy(logits, labels):
  return -jnp.take_along_axis(jax.nn.log_softmax(logits.astype(jnp.float32)), labels[..., None], -1).mean()


def convolve(x, w, stride=1, groups=1):
  return lax.conv_general_dilated(x, w.astype(x.dtype), (stride, stride), 'SAME', feature_group_count=groups,
                                  dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


@program(data=8)
def resnet_train(s):
  """A residual network of images, bf16 with f32 weights, batch norm over all devices."""
  def norm(x, scale):
    y = x.astype(jnp.float32)
    mean, square = y.mean((0, 1, 2)), jnp.square(y).mean((0, 1, 2))
    return ((y - mean) * lax.rsqrt(square - mean ** 2 + 1e-5) * scale).astype(x.dtype)

  stages = [(64, 2, 1), (128, 2, 2), (256, 2, 2), (512, 2, 2)]
  params = {'stem': s.array((7, 7, 3, 64)), 'head': s.array((2048, 1000)), 'blocks': []}
  width = 64
  for channels, blocks, _ in stages:
    for _ in range(blocks):
      params['blocks'].append({
          'a': s.array((1, 1, width, channels)), 'b': s.array((3, 3, channels, channels)),
          'c': s.array((1, 1, channels, 4 * channels)), 'skip': s.array((1, 1, width, 4 * channels)),
          'na': s.array((channels,)), 'nb': s.array((channels,)), 'nc': s.array((4 * channels,))})
      width = 4 * channels

  def loss(p, images, labels):
    x = convolve(images, p['stem'], 2)
    x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')
    blocks = iter(p['blocks'])
    for _, count, first_stride in stages:
      for i in range(count):
        b, stride = next(blocks), first_stride if i == 0 else 1
        y = jax.nn.relu(norm(convolve(x, b['a']), b['na']))
        y = jax.nn.relu(norm(convolve(y, b['b'], stride), b['nb']))
        y = norm(convolve(y, b['c']), b['nc'])
        x = jax.nn.relu(y + (convolve(x, b['skip'], stride) if i == 0 else x))
    return cross_entropy(x.mean((1, 2)).astype(jnp.float32) @ p['head'], labels)

  images = s.array((512, 224, 224, 3), 'data', dtype=jnp.bfloat16)
  return momentum_step(loss), [params, params, images, s.array((512,), 'data', dtype=jnp.int32)], (0, 1)


@program(data=8)
def unet_step(s):
  """A denoising network: group norm, convolutions, attention at the lowest resolution, skips by concatenation; f32."""
  def norm(x, scale):
    y = x.reshape(*x.shape[:3], 32, -1)
    mean = y.mean((1, 2, 4), keepdims=True)
    y = (y - mean) * lax.rsqrt(jnp.square(y - mean).mean((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape) * scale

  def block(x, p, time):
    h = convolve(jax.nn.silu(norm(x, p['n1'])), p['w1']) + (time @ p['t'])[:, None, None]
    return convolve(jax.nn.silu(norm(h, p['n2'])), p['w2']) + convolve(x, p['skip'])

  def weights(i, o):
    return {'n1': s.array((i,)), 'w1': s.array((3, 3, i, o)), 't': s.array((512, o)), 'n2': s.array((o,)),
            'w2': s.array((3, 3, o, o)), 'skip': s.array((1, 1, i, o))}

  params = {'in': s.array((3, 3, 4, 128)), 'd1': weights(128, 128), 'd2': weights(128, 256), 'd3': weights(256, 512),
            'qkv': s.array((512, 3, 8, 64)), 'o': s.array((512, 512)), 'u3': weights(512 + 512, 256),
            'u2': weights(256 + 256, 128), 'u1': weights(128 + 128, 128), 'out': s.array((3, 3, 128, 4))}

  def loss(p, noisy, time, noise):
    half = lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID') / 4
    double = lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
    a = block(convolve(noisy, p['in']), p['d1'], time)
    b = block(half(a), p['d2'], time)
    c = block(half(b), p['d3'], time)
    tokens = c.reshape(c.shape[0], -1, 512)
    q, k, v = jnp.moveaxis(jnp.einsum('bld,dnhe->blnhe', tokens, p['qkv']), 2, 0)
    x = c + (attend(q, k, v).reshape(tokens.shape) @ p['o']).reshape(c.shape)
    x = block(jnp.concatenate([x, c], -1), p['u3'], time)
    x = block(jnp.concatenate([double(x), b], -1), p['u2'], time)
    x = block(jnp.concatenate([double(x), a], -1), p['u1'], time)
    return jnp.square(convolve(jax.nn.silu(x), p['out']) - noise).mean()

  image = s.array((64, 64, 64, 4), 'data')
  return momentum_step(loss), [params, params, image, s.array((64, 512), 'data'), image], (0, 1)


@program(data=4, model=2)
def vit_train(s):
  """Image transformer, patches by convolution, layers unrolled, weights in f32 and computed in bf16."""
  width, heads, depth, hidden = 768, 12, 6, 3072
  layer = {'n1': s.array((width,)), 'n2': s.array((width,)), 'qkv': s.array((width, 3, heads, 64), None, None, 'model'),
           'o': s.array((heads, 64, width), 'model'), 'w1': s.array((width, hidden), None, 'model'),
           'w2': s.array((hidden, width), 'model')}
  params = {'patch': s.array((16, 16, 3, width)), 'position': s.array((196, width)), 'head': s.array((width, 1000)),
            'layers': [layer] * depth}

  def loss(p, images, labels):
    p = jax.tree.map(lambda w: w.astype(jnp.bfloat16), p)
    x = lax.conv_general_dilated(images, p['patch'], (16, 16), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))
    x = x.reshape(x.shape[0], 196, width) + p['position']
    for l in p['layers']:
      q, k, v = jnp.moveaxis(jnp.einsum('bld,dnhe->blnhe', layer_norm(x, l['n1']), l['qkv']), 2, 0)
      x = x + jnp.einsum('blhe,hed->bld', attend(q, k, v), l['o'])
      x = x + jax.nn.gelu(layer_norm(x, l['n2']) @ l['w1']) @ l['w2']
    return cross_entropy(x.mean(1) @ p['head'], labels)

  images = s.array((256, 224, 224, 3), 'data', dtype=jnp.bfloat16)
  return adam_step(loss), [params] * 3 + [images, s.array((256,), 'data', dtype=jnp.int32)], (0, 1, 2)


@program(data=2, fsdp=4)
def gpt_dropout_train(s):
  """Language model with dropout from a key, layers scanned, weights gathered from all devices of `fsdp`."""
  vocabulary, width, heads, depth, length = 50304, 1024, 16, 12, 1024
  stack = lambda *shape, at: s.array((depth, *shape), *([None] * (at + 1)), 'fsdp')
  layers = {'n1': s.array((depth, width)), 'n2': s.array((depth, width)), 'qkv': stack(width, 3 * width, at=0),
            'o': stack(width, width, at=0), 'w1': stack(width, 4 * width, at=0), 'w2': stack(4 * width, width, at=1)}
  params = {'embedding': s.array((vocabulary, width), 'fsdp'), 'position': s.array((length, width)), 'layers': layers,
            'norm': s.array((width,))}

  def loss(p, tokens, key):
    drop = lambda x, k: jnp.where(jax.random.bernoulli(k, 0.9, x.shape), x / 0.9, 0).astype(x.dtype)
    mask = jnp.tril(jnp.ones((length, length), bool))

    def layer(x, step):
      l, k = step
      l = jax.tree.map(lambda w: w.astype(jnp.bfloat16), l)
      k1, k2 = jax.random.split(k)
      q, kk, v = jnp.split((layer_norm(x, l['n1']) @ l['qkv']).reshape(*x.shape[:2], 3 * heads, 64), 3, 2)
      x = x + drop(attend(q, kk, v, mask).reshape(x.shape) @ l['o'], k1)
      x = x + drop(jax.nn.gelu(layer_norm(x, l['n2']) @ l['w1']) @ l['w2'], k2)
      return s.keep(x, ('data', 'fsdp')), None

    x = (p['embedding'][tokens[:, :-1]] + p['position']).astype(jnp.bfloat16)
    x, _ = lax.scan(layer, x, (p['layers'], jax.random.split(key, depth)))
    return cross_entropy(layer_norm(x, p['norm']) @ p['embedding'].T.astype(x.dtype), tokens[:, 1:])

  tokens = s.array((32, length + 1), ('data', 'fsdp'), dtype=jnp.int32)
  return adam_step(loss), [params] * 3 + [tokens, s.array((2,), dtype=jnp.uint32)], (0, 1, 2)


@program(data=2, expert=4)
def experts_train(s):
  """Two layers of experts, the best two of eight for each token, moved by gather and scatter into slots."""
  tokens, width, hidden, experts, slots, depth = 16384, 1024, 4096, 8, 5120, 2
  layer = {'router': s.array((width, experts)), 'w1': s.array((experts, width, hidden), 'expert'),
           'w2': s.array((experts, hidden, width), 'expert')}
  params = [layer] * depth

  def loss(p, x, y):
    for l in p:
      gate = jax.nn.softmax((x @ l['router'].astype(x.dtype)).astype(jnp.float32))
      weight, chosen = lax.top_k(gate, 2)
      flat = chosen.reshape(-1)
      one_hot = jax.nn.one_hot(flat, experts, dtype=jnp.int32)
      place = jnp.take_along_axis(jnp.cumsum(one_hot, 0) - one_hot, flat[:, None], 1)[:, 0]
      place = jnp.where(place < slots, flat * slots + place, experts * slots)
      sent = jnp.zeros((experts * slots, width), x.dtype).at[place].set(jnp.repeat(x, 2, 0), mode='drop')
      sent = s.keep(sent.reshape(experts, slots, width), 'expert', 'data')
      made = jnp.einsum('ecd,edf->ecf', sent, l['w1'].astype(x.dtype))
      made = jnp.einsum('ecf,efd->ecd', jax.nn.silu(made), l['w2'].astype(x.dtype)).reshape(-1, width)
      back = made.at[place].get(mode='fill', fill_value=0).reshape(tokens, 2, width)
      x = x + (back * weight[..., None].astype(x.dtype)).sum(1)
    return jnp.square((x - y).astype(jnp.float32)).mean()

  batch = s.array((tokens, width), ('data', 'expert'), dtype=jnp.bfloat16)
  return momentum_step(loss), [params, params, batch, batch], (0, 1)


@program(fsdp=4, model=2)
def llama_remat_train(s):
  """Decoder with grouped queries and gated units, scanned, each layer recomputed; f32 weights, computed in bf16."""
  vocabulary, width, heads, groups, depth, hidden, length = 32000, 2048, 16, 8, 8, 5632, 2048
  stack = lambda *shape, spec: s.array((depth, *shape), None, *spec)
  into, out = ('fsdp', 'model'), ('model', 'fsdp')
  layers = {'n1': stack(width, spec=()), 'n2': stack(width, spec=()), 'q': stack(width, heads * 128, spec=into),
            'k': stack(width, groups * 128, spec=into), 'v': stack(width, groups * 128, spec=into),
            'o': stack(heads * 128, width, spec=out), 'gate': stack(width, hidden, spec=into),
            'up': stack(width, hidden, spec=into), 'down': stack(hidden, width, spec=out)}
  params = {'embedding': s.array((vocabulary, width), 'model', 'fsdp'), 'layers': layers,
            'head': s.array((width, vocabulary), 'fsdp', 'model')}

  def loss(p, tokens):
    mask = jnp.tril(jnp.ones((length, length), bool))

    def layer(x, l):
      l = jax.tree.map(lambda w: w.astype(jnp.bfloat16), l)
      h = layer_norm(x, l['n1'])
      q, k, v = ((h @ l[n]).reshape(*x.shape[:2], -1, 128) for n in 'qkv')
      k, v = (jnp.repeat(a, heads // groups, 2) for a in (k, v))
      x = x + attend(q, k, v, mask).reshape(*x.shape[:2], -1) @ l['o']
      h = layer_norm(x, l['n2'])
      return s.keep(x + (jax.nn.silu(h @ l['gate']) * (h @ l['up'])) @ l['down'], 'fsdp', 'model'), None

    x = p['embedding'].astype(jnp.bfloat16)[tokens[:, :-1]]
    x, _ = lax.scan(jax.checkpoint(layer), x, p['layers'])
    return cross_entropy(x @ p['head'].astype(x.dtype), tokens[:, 1:])

  return adam_step(loss), [params] * 3 + [s.array((16, length + 1), 'fsdp', dtype=jnp.int32)], (0, 1, 2)


@program(data=4, model=2)
def translation_train(s):
  """Encoder and decoder with cross attention, layers unrolled, f32 throughout."""
  vocabulary, width, heads, depth, hidden, length = 32128, 512, 8, 3, 2048, 512
  attention = {n: s.array((width, heads, 64), None, 'model') for n in 'qkv'} | {'o': s.array((heads, 64, width), 'model')}
  feed = {'w1': s.array((width, hidden), None, 'model'), 'w2': s.array((hidden, width), 'model')}
  norms = lambda n: [s.array((width,))] * n
  params = {'embedding': s.array((vocabulary, width), 'model'),
            'encoder': [{'self': attention, 'feed': feed, 'n': norms(2)}] * depth,
            'decoder': [{'self': attention, 'cross': attention, 'feed': feed, 'n': norms(3)}] * depth}

  def loss(p, source, target):
    def mix(x, y, l, mask):
      q, k, v = (jnp.einsum('bld,dhe->blhe', a, l[n]) for a, n in ((x, 'q'), (y, 'k'), (y, 'v')))
      return jnp.einsum('blhe,hed->bld', attend(q, k, v, mask), l['o'])

    seen = jnp.tril(jnp.ones((length, length), bool))
    x = p['embedding'][source]
    for l in p['encoder']:
      h = layer_norm(x, l['n'][0])
      x = x + mix(h, h, l['self'], None)
      x = x + jax.nn.relu(layer_norm(x, l['n'][1]) @ l['feed']['w1']) @ l['feed']['w2']
    y = p['embedding'][target[:, :-1]]
    for l in p['decoder']:
      h = layer_norm(y, l['n'][0])
      y = y + mix(h, h, l['self'], seen)
      y = y + mix(layer_norm(y, l['n'][1]), x, l['cross'], None)
      y = y + jax.nn.relu(layer_norm(y, l['n'][2]) @ l['feed']['w1']) @ l['feed']['w2']
    return cross_entropy(y @ p['embedding'].T, target[:, 1:])

  text = lambda n: s.array((64, n), 'data', dtype=jnp.int32)
  return adam_step(loss), [params] * 3 + [text(length), text(length + 1)], (0, 1, 2)


@program(data=2, table=4)
def ranking_train(s):
  """A ranking model: embeddings of rows in one table, summed by bags, interactions, Adagrad."""
  rows, width, features, batch = 4_000_000, 64, 26, 16384
  params = {'table': s.array((rows, width), 'table'), 'bottom': s.array((13, 512)), 'middle': s.array((512, width)),
            'top': s.array((width + 27 * 27, 1024)), 'out': s.array((1024, 1))}

  def loss(p, dense, ids, clicks):
    bags = p['table'][ids].sum(2)
    x = jax.nn.relu(jax.nn.relu(dense @ p['bottom']) @ p['middle'])
    every = jnp.concatenate([x[:, None], bags], 1)
    pairs = jnp.einsum('bid,bjd->bij', every, every).reshape(batch, -1)
    score = jax.nn.relu(jnp.concatenate([x, pairs], 1) @ p['top']) @ p['out']
    return jnp.mean(jax.nn.softplus(score) - score * clicks)

  def step(params, squares, *data):
    value, grads = jax.value_and_grad(loss)(params, *data)
    squares = jax.tree.map(lambda a, g: a + g * g, squares, grads)
    return jax.tree.map(lambda p, g, a: p - 0.01 * g * lax.rsqrt(a + 1e-8), params, grads, squares), squares, value

  ids = s.array((batch, features, 4), 'data', dtype=jnp.int32)
  return step, [params, params, s.array((batch, 13), 'data'), ids, s.array((batch, 1), 'data')], (0, 1)


@program(data=2, model=4)
def decode_step(s):
  """One token for each of 64 sequences, layers unrolled, caches updated in place."""
  vocabulary, width, heads, groups, depth, hidden, length, batch = 128256, 4096, 32, 8, 4, 14336, 4096, 64
  weight = lambda *shape, spec: s.array(shape, *spec, dtype=jnp.bfloat16)
  into, out = (None, 'model'), ('model', None)
  layer = {'n1': weight(width, spec=()), 'n2': weight(width, spec=()), 'q': weight(width, heads * 128, spec=into),
           'k': weight(width, groups * 128, spec=into), 'v': weight(width, groups * 128, spec=into),
           'o': weight(heads * 128, width, spec=out), 'gate': weight(width, hidden, spec=into),
           'up': weight(width, hidden, spec=into), 'down': weight(hidden, width, spec=out)}
  params = {'embedding': weight(vocabulary, width, spec=('model', None)), 'layers': [layer] * depth,
            'head': weight(width, vocabulary, spec=into)}
  cache = [weight(batch, length, groups, 128, spec=('data', None, 'model'))] * depth

  def step(p, keys, values, token, at):
    x, new_keys, new_values = p['embedding'][token], [], []
    for l, ks, vs in zip(p['layers'], keys, values):
      h = layer_norm(x, l['n1'])
      q = (h @ l['q']).reshape(batch, groups, heads // groups, 128)
      ks = lax.dynamic_update_slice(ks, (h @ l['k']).reshape(batch, 1, groups, 128), (0, at, 0, 0))
      vs = lax.dynamic_update_slice(vs, (h @ l['v']).reshape(batch, 1, groups, 128), (0, at, 0, 0))
      scores = jnp.einsum('bghd,bsgd->bghs', q, ks).astype(jnp.float32) * 128 ** -0.5
      scores = jax.nn.softmax(jnp.where(jnp.arange(length) <= at, scores, -1e9)).astype(x.dtype)
      x = x + jnp.einsum('bghs,bsgd->bghd', scores, vs).reshape(batch, -1) @ l['o']
      h = layer_norm(x, l['n2'])
      x = x + (jax.nn.silu(h @ l['gate']) * (h @ l['up'])) @ l['down']
      new_keys.append(ks)
      new_values.append(vs)
    return jnp.argmax(x @ p['head'], -1), new_keys, new_values

  token = s.array((batch,), 'data', dtype=jnp.int32)
  return step, [params, cache, cache, token, s.array((), dtype=jnp.int32)], (1, 2)


@program(data=8)
def graph_train(s):
  """Messages along the edges of a graph: gathers by node, sums by segment, three rounds."""
  nodes, edges, width = 131072, 1048576, 128
  round_ = {'message': s.array((2 * width, width)), 'update': s.array((2 * width, width)), 'norm': s.array((width,))}
  params = {'rounds': [round_] * 3, 'out': s.array((width, 16))}

  def loss(p, x, sender, receiver, labels):
    for r in p['rounds']:
      message = jax.nn.silu(jnp.concatenate([x[sender], x[receiver]], -1) @ r['message'])
      total = jax.ops.segment_sum(message, receiver, nodes)
      x = x + layer_norm(jax.nn.silu(jnp.concatenate([x, total], -1) @ r['update']), r['norm'])
    return cross_entropy(x @ p['out'], labels)

  ends = s.array((edges,), 'data', dtype=jnp.int32)
  labels = s.array((nodes,), 'data', dtype=jnp.int32)
  return momentum_step(loss), [params, params, s.array((nodes, width), 'data'), ends, ends, labels], (0, 1)
