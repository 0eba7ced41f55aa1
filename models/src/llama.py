"""Llama 3 with its published sizes: the training step (AdamW, rematerialized layers) and one decoding step.

Layers are stacked and scanned, so that the program has one body for all of them; `unrolled` writes them out one by one
instead, each with its own parameters, which is how programs of tens of thousands of operations come about.
Parameters are sharded over `fsdp` along one dimension and over `tensor` along the other; the batch over data and fsdp.
"""
import dataclasses

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

import layers
import optimizers
from program import Program, array, arrays, constrain, like


@dataclasses.dataclass(frozen=True)
class Config:
  width: int
  hidden: int
  depth: int
  heads: int
  kv_heads: int = 8
  head_size: int = 128
  vocabulary: int = 128256


LLAMA3_8B = Config(width=4096, hidden=14336, depth=32, heads=32)
LLAMA3_70B = Config(width=8192, hidden=28672, depth=80, heads=64)
BATCH = ('data', 'fsdp')


def layer_shapes(c: Config) -> dict:
  return {
      'attention_norm': (c.width,), 'wq': (c.width, c.heads * c.head_size), 'wk': (c.width, c.kv_heads * c.head_size),
      'wv': (c.width, c.kv_heads * c.head_size), 'wo': (c.heads * c.head_size, c.width),
      'mlp_norm': (c.width,), 'w_gate': (c.width, c.hidden), 'w_up': (c.width, c.hidden), 'w_down': (c.hidden, c.width),
  }


def layer_specs(fsdp: str | None, tensor: str) -> dict:
  column, row, free = P(fsdp, tensor), P(tensor, fsdp), P(None)
  return {
      'attention_norm': free, 'wq': column, 'wk': column, 'wv': column, 'wo': row,
      'mlp_norm': free, 'w_gate': column, 'w_up': column, 'w_down': row,
  }


def parameters(c: Config, mesh, fsdp: str | None = 'fsdp', tensor: str = 'tensor', unrolled: bool = False) -> dict:
  shapes, specs = layer_shapes(c), layer_specs(fsdp, tensor)
  if unrolled:
    shapes, specs = [shapes] * c.depth, [specs] * c.depth
  else:
    shapes = {name: (c.depth, *shape) for name, shape in shapes.items()}
    specs = {name: P(None, *spec) for name, spec in specs.items()}
  return arrays(
      mesh,
      {'embedding': (c.vocabulary, c.width), 'layers': shapes, 'norm': (c.width,), 'head': (c.width, c.vocabulary)},
      {'embedding': P(tensor, fsdp), 'layers': specs, 'norm': P(None), 'head': P(fsdp, tensor)}, jnp.bfloat16)


def attention(c: Config, p, x, positions, mask):
  batch, length, _ = x.shape
  q = layers.rotary((x @ p['wq']).reshape(batch, length, c.heads, c.head_size), positions)
  k = layers.rotary((x @ p['wk']).reshape(batch, length, c.kv_heads, c.head_size), positions)
  v = (x @ p['wv']).reshape(batch, length, c.kv_heads, c.head_size)
  return layers.grouped_attention(q, k, v, mask) @ p['wo']


def train(c: Config, mesh, batch: int, length: int, unrolled: bool = False) -> Program:
  def layer(x, p):
    positions = jnp.arange(length)
    mask = positions[:, None] >= positions[None, :]
    x = x + attention(c, p, layers.rms_norm(x, p['attention_norm']), positions, mask)
    h = layers.rms_norm(x, p['mlp_norm'])
    x = x + layers.swiglu(h, p['w_gate'], p['w_up'], p['w_down'])
    return constrain(mesh, x, BATCH, None, None)

  def loss(params, tokens):
    x = constrain(mesh, params['embedding'][tokens[:, :-1]], BATCH, None, None)
    body = jax.checkpoint(layer)
    if unrolled:
      for p in params['layers']:
        x = body(x, p)
    else:
      x, _ = jax.lax.scan(lambda x, p: (body(x, p), None), x, params['layers'])
    logits = layers.rms_norm(x, params['norm']) @ params['head']
    return layers.cross_entropy(logits, tokens[:, 1:])

  def train_step(params, opt_state, tokens):
    value, grads = jax.value_and_grad(loss)(params, tokens)
    params, opt_state, norm = optimizers.adamw(params, opt_state, grads)
    return params, opt_state, {'loss': value, 'grad_norm': norm}

  params = parameters(c, mesh, unrolled=unrolled)
  moments = like(params, jnp.float32)
  opt_state = {'step': jax.ShapeDtypeStruct((), jnp.int32), 'mu': moments, 'nu': moments}
  tokens = array(mesh, (batch, length + 1), P(BATCH, None), jnp.int32)
  whole = NamedSharding(mesh, P())
  placed = jax.tree.map(lambda a: a.sharding or whole, (params, opt_state))
  return Program(train_step, (params, opt_state, tokens), donate=(0, 1),
                 out_shardings=(*placed, {'loss': whole, 'grad_norm': whole}))


def decode(c: Config, mesh, batch: int, length: int) -> Program:
  """One new token for each of `batch` sequences, with a cache of `length` positions; heads over `tensor`."""
  def decode_step(params, cache, tokens, position):
    x = params['embedding'][tokens][:, None, :]
    visible = jnp.broadcast_to(jnp.arange(length) <= position, (batch, 1, length))
    positions = jnp.full((1,), position)

    def body(x, layer):
      p, keys, values = layer
      h = layers.rms_norm(x, p['attention_norm'])
      q = layers.rotary((h @ p['wq']).reshape(batch, 1, c.heads, c.head_size), positions)
      k = layers.rotary((h @ p['wk']).reshape(batch, 1, c.kv_heads, c.head_size), positions)
      v = (h @ p['wv']).reshape(batch, 1, c.kv_heads, c.head_size)
      keys = jax.lax.dynamic_update_slice_in_dim(keys, k, position, axis=1)
      values = jax.lax.dynamic_update_slice_in_dim(values, v, position, axis=1)
      x = x + layers.grouped_attention(q, keys, values, visible) @ p['wo']
      h = layers.rms_norm(x, p['mlp_norm'])
      return x + layers.swiglu(h, p['w_gate'], p['w_up'], p['w_down']), (keys, values)

    x, (keys, values) = jax.lax.scan(body, x, (params['layers'], cache['keys'], cache['values']))
    logits = (layers.rms_norm(x, params['norm']) @ params['head'])[:, 0]
    return jnp.argmax(logits, axis=-1), {'keys': keys, 'values': values}

  params = parameters(c, mesh, fsdp=None)
  kept = array(mesh, (c.depth, batch, length, c.kv_heads, c.head_size), P(None, 'data', None, 'tensor', None),
               jnp.bfloat16)
  tokens = array(mesh, (batch,), P('data'), jnp.int32)
  position = jax.ShapeDtypeStruct((), jnp.int32)
  return Program(decode_step, (params, {'keys': kept, 'values': kept}, tokens, position), donate=(1,))
