"""Programs whose arrays are large enough for the memory of XLA's CPU compiler to be worth comparing, one of each kind.

`programs(mesh)` gives name -> (function, arguments as shapes, donated arguments). The mesh has the axes `data` and
`model`; half of the programs shard something over it. Used by check_cpu_memory.py, which compiles them with jaxlib.
"""
import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P


def _softmax_loss(logits, labels):
  return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


def _adam(loss):
  def step(params, mean, square, *batch):
    value, grads = jax.value_and_grad(loss)(params, *batch)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, square, grads)
    params = jax.tree.map(lambda p, m, s: p - 1e-3 * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
    return params, mean, square, value
  return step


def _attention(x, wqkv, wo, heads):
  b, s, d = x.shape
  q, k, v = (t.reshape(b, s, heads, d // heads) for t in jnp.split(x @ wqkv, 3, axis=-1))
  scores = jnp.einsum('bqhd,bkhd->bhqk', q, k) / (d // heads) ** 0.5
  scores = jnp.where(jnp.tril(jnp.ones((s, s), bool)), scores, -1e9)
  out = jnp.einsum('bhqk,bkhd->bqhd', jax.nn.softmax(scores, axis=-1), v)
  return out.reshape(b, s, d) @ wo


def _norm(x, scale):
  return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale


def _block(x, p, heads):
  x = x + _attention(_norm(x, p['n1']), p['wqkv'], p['wo'], heads)
  return x + jax.nn.gelu(_norm(x, p['n2']) @ p['w1']) @ p['w2']


def _conv(x, w, stride=1, layout=('NHWC', 'HWIO', 'NHWC'), padding='SAME', groups=1):
  return lax.conv_general_dilated(x, w, (stride,) * (x.ndim - 2), padding, dimension_numbers=layout,
                                  feature_group_count=groups)


def _convnet(layout):
  def loss(params, x, labels):
    for w in params['convs']:
      x = jax.nn.relu(_conv(x, w, 2, layout))
    features = x.mean((1, 2) if layout[0] == 'NHWC' else (2, 3))
    return _softmax_loss(features @ params['head'], labels)
  return loss


def programs(mesh):
  def at(shape, spec=(), dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, P(*spec)))

  def bf16(shape, spec=()):
    return at(shape, spec, jnp.bfloat16)

  def ints(shape, spec=()):
    return at(shape, spec, jnp.int32)

  found = {}

  def mlp_loss(params, x, y):
    for w in params[:-1]:
      x = jnp.tanh(x @ w)
    return jnp.mean((x @ params[-1] - y) ** 2)

  weights = [at((256, 512)), at((512, 512)), at((512, 128))]
  found['mlp_adam'] = _adam(mlp_loss), (weights, weights, weights, at((128, 256)), at((128, 128))), (0, 1, 2)
  sharded = [at((512, 1024), ('data', 'model')), at((1024, 512), ('model', 'data'))]
  found['mlp_sharded'] = jax.grad(mlp_loss), (sharded, at((512, 512), ('data',)), at((512, 512), ('data',))), ()

  found['attention'] = (functools.partial(_attention, heads=8),
                        (at((4, 128, 256), ('data',)), at((256, 768), (None, 'model')), at((256, 256), ('model',))), ())
  layer = {'n1': at((128,)), 'n2': at((128,)), 'wqkv': at((128, 384), (None, 'model')),
           'wo': at((128, 128), ('model',)), 'w1': at((128, 512), (None, 'model')), 'w2': at((512, 128), ('model',))}

  def unrolled_loss(params, x, labels):
    for p in params['layers']:
      x = _block(x, p, 4)
    return _softmax_loss((x @ params['head']).reshape(-1, 512), labels.reshape(-1))

  model = {'layers': [layer] * 2, 'head': at((128, 512), (None, 'model'))}
  batch = at((8, 128, 128), ('data',)), ints((8, 128), ('data',))
  found['transformer_unrolled'] = jax.value_and_grad(unrolled_loss), (model, *batch), ()

  def scanned_loss(params, x, labels):
    x, _ = lax.scan(jax.checkpoint(lambda x, p: (_block(x, p, 4), None)), x, params['layers'])
    return _softmax_loss((x @ params['head']).reshape(-1, 512), labels.reshape(-1))

  stack = jax.tree.map(lambda a: at((6, *a.shape), (None, *a.sharding.spec)), layer)
  found['transformer_scanned_remat'] = jax.value_and_grad(scanned_loss), ({**model, 'layers': stack}, *batch), ()

  def half_loss(params, x, labels):
    for p in params['layers']:
      x = _block(x.astype(jnp.bfloat16), jax.tree.map(lambda a: a.astype(jnp.bfloat16), p), 4)
    return _softmax_loss((x @ params['head'].astype(jnp.bfloat16)).reshape(-1, 512).astype(jnp.float32), labels.reshape(-1))

  found['transformer_bf16'] = jax.value_and_grad(half_loss), (model, *batch), ()

  nhwc = {'convs': [at((3, 3, 3, 32)), at((3, 3, 32, 64)), at((3, 3, 64, 128))], 'head': at((128, 10))}
  found['convnet_nhwc'] = (jax.grad(_convnet(('NHWC', 'HWIO', 'NHWC'))),
                           (nhwc, at((16, 32, 32, 3), ('data',)), ints((16,), ('data',))), ())
  nchw = {'convs': [at((32, 3, 3, 3)), at((64, 32, 3, 3)), at((128, 64, 3, 3))], 'head': at((128, 10))}
  found['convnet_nchw'] = (jax.grad(_convnet(('NCHW', 'OIHW', 'NCHW'))),
                           (nchw, at((16, 3, 32, 32)), ints((16,))), ())
  found['conv_inference'] = (lambda x, a, b: _conv(jax.nn.relu(_conv(x, a)), b, 2),
                             (at((8, 32, 32, 32)), at((3, 3, 32, 64)), at((1, 1, 64, 64))), ())
  found['conv_depthwise_1d'] = (lambda x, w, v: jax.nn.silu(_conv(x, w, 1, ('NWC', 'WIO', 'NWC'), groups=256)) @ v,
                                (at((4, 512, 256), ('data',)), at((4, 1, 256)), at((256, 64))), ())

  def lstm(w, u, xs):
    def cell(state, x):
      h, c = state
      i, f, g, o = jnp.split(x @ w + h @ u, 4, axis=-1)
      c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
      h = jax.nn.sigmoid(o) * jnp.tanh(c)
      return (h, c), h
    zero = jnp.zeros((xs.shape[1], u.shape[0]))
    return jnp.sum(lax.scan(cell, (zero, zero), xs)[1] ** 2)

  found['lstm_grad'] = jax.grad(lstm, (0, 1)), (at((128, 1024)), at((256, 1024)), at((64, 16, 128), (None, 'data'))), ()
  found['sort_and_top_k'] = (lambda x: (jnp.sort(x, axis=-1), lax.top_k(x, 16), jnp.argsort(x, axis=0)),
                             (at((256, 1024)),), ())
  found['embedding_grad'] = (jax.grad(lambda table, ids, w: jnp.sum(jnp.tanh(table[ids] @ w))),
                             (at((4096, 128)), ints((32, 64), ('data',)), at((128, 128))), ())
  found['embedding_sharded'] = (lambda table, ids: jnp.sum(table[ids], axis=1),
                                (at((8192, 128), ('model',)), ints((256, 16), ('data',))), ())
  found['fft_filter'] = (lambda x, f: jnp.fft.irfft(jnp.fft.rfft(x, axis=-1) * f, axis=-1),
                         (at((256, 1024), ('data',)), at((513,))), ())
  found['mlp_bf16'] = (lambda x, a, b: jax.nn.relu(x @ a) @ b,
                       (bf16((512, 512), ('data',)), bf16((512, 1024), (None, 'model')), bf16((1024, 512), ('model',))), ())
  found['product_int8'] = (lambda x, w, s: jnp.matmul(x, w, preferred_element_type=jnp.int32).astype(jnp.float32) * s,
                           (at((512, 1024), (), jnp.int8), at((1024, 512), (), jnp.int8), at((512,))), ())

  def decode(cache_k, cache_v, q, k, v, pos):
    cache_k = lax.dynamic_update_slice(cache_k, k, (0, pos, 0, 0))
    cache_v = lax.dynamic_update_slice(cache_v, v, (0, pos, 0, 0))
    scores = jax.nn.softmax(jnp.einsum('bhd,bshd->bhs', q, cache_k))
    return cache_k, cache_v, jnp.einsum('bhs,bshd->bhd', scores, cache_v)

  cache = at((8, 256, 4, 64), ('data',))
  one = at((8, 1, 4, 64), ('data',))
  found['decode_with_cache'] = decode, (cache, cache, at((8, 4, 64), ('data',)), one, one, ints(())), (0, 1)
  found['cumulative'] = (lambda x: jnp.cumsum(jnp.cumsum(x, 0), 1) / jnp.maximum(1, lax.cummax(x, axis=1)),
                         (at((512, 512)),), ())

  def iterate(a, b):
    return lax.fori_loop(0, 10, lambda _, x: x + 0.1 * (b - a @ x), jnp.zeros_like(b))

  found['richardson'] = iterate, (at((512, 512)), at((512, 128))), ()
  found['pairwise_distances'] = (lambda x, y: jnp.argmin(jnp.sum((x[:, None] - y[None]) ** 2, -1), -1),
                                 (at((512, 64), ('data',)), at((256, 64))), ())

  def routed(x, gate, w1, w2):
    choice = jax.nn.one_hot(jnp.argmax(x @ gate, -1), 8, dtype=x.dtype)
    grouped = jnp.einsum('te,td->etd', choice, x)
    hidden = jax.nn.relu(jnp.einsum('etd,edf->etf', grouped, w1))
    return jnp.einsum('etf,efd,te->td', hidden, w2, choice)

  found['experts'] = (routed, (at((256, 128)), at((128, 8)), at((8, 128, 256), ('model',)),
                               at((8, 256, 128), ('model',))), ())
  found['triangular_solve'] = (lambda a, b: jnp.linalg.solve(a @ a.T + jnp.eye(256), b), (at((256, 256)), at((256, 256))), ())
  return found
