"""A decoder with mixture-of-experts layers: top-2 routing with a capacity, experts over `expert`."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import layers
import optimizers
from program import Program, array, arrays, constrain, like

DEPTH, WIDTH, HEADS, HEAD_SIZE, HIDDEN, EXPERTS, VOCABULARY = 8, 2048, 16, 128, 5632, 16, 32000
BATCH = ('data', 'expert')

LAYER_SHAPES = {
    'attention_norm': (WIDTH,), 'wqkv': (WIDTH, 3, HEADS, HEAD_SIZE), 'wo': (HEADS, HEAD_SIZE, WIDTH),
    'mlp_norm': (WIDTH,), 'router': (WIDTH, EXPERTS),
    'w_in': (EXPERTS, WIDTH, HIDDEN), 'w_out': (EXPERTS, HIDDEN, WIDTH),
}
LAYER_SPECS = {
    'attention_norm': P(), 'wqkv': P('data', None, None, None), 'wo': P(None, None, 'data'),
    'mlp_norm': P(), 'router': P(),
    'w_in': P('expert', 'data', None), 'w_out': P('expert', None, 'data'),
}


def route(logits, capacity):
  """Top-2 routing of logits[groups, tokens, experts] -> dispatch (0 or 1) and combine weights [g, t, e, capacity]."""
  gates = jax.nn.softmax(logits.astype(jnp.float32), axis=-1)
  weights, chosen = jax.lax.top_k(gates, 2)
  weights = weights / jnp.sum(weights, axis=-1, keepdims=True)
  dispatch = jnp.zeros((*gates.shape, capacity), jnp.float32)
  combine = dispatch
  taken = jnp.zeros((gates.shape[0], 1, EXPERTS), jnp.int32)
  for rank in range(2):
    picked = jax.nn.one_hot(chosen[..., rank], EXPERTS, dtype=jnp.int32)
    place = (jnp.cumsum(picked, axis=1) - 1 + taken) * picked
    taken = taken + jnp.sum(picked, axis=1, keepdims=True)
    kept = (place < capacity) & (picked > 0)
    slot = jax.nn.one_hot(place, capacity) * kept[..., None]
    dispatch = dispatch + slot
    combine = combine + slot * weights[..., rank, None, None]
  balance = EXPERTS * jnp.mean(jnp.mean(gates, axis=1) * jnp.mean(jnp.sum(dispatch, axis=-1), axis=1))
  return dispatch, combine, balance


def program(mesh, batch: int, length: int) -> Program:
  capacity = 2 * length * 5 // (4 * EXPERTS)

  def experts(p, x):
    dispatch, combine, balance = route(x @ p['router'], capacity)
    inputs = jnp.einsum('gtec,gtd->egcd', dispatch.astype(x.dtype), x)
    inputs = constrain(mesh, inputs, 'expert', 'data', None, None)
    hidden = jax.nn.gelu(jnp.einsum('egcd,edf->egcf', inputs, p['w_in']))
    outputs = jnp.einsum('egcf,efd->egcd', hidden, p['w_out'])
    outputs = constrain(mesh, outputs, 'expert', 'data', None, None)
    return jnp.einsum('gtec,egcd->gtd', combine.astype(x.dtype), outputs), balance

  def layer(x, p):
    visible = jnp.tril(jnp.ones((length, length), bool))
    q, k, v = jnp.moveaxis(jnp.einsum('btd,dnhk->btnhk', layers.rms_norm(x, p['attention_norm']), p['wqkv']), 2, 0)
    scores = jnp.einsum('bqhk,bshk->bhqs', q, k).astype(jnp.float32) * HEAD_SIZE ** -0.5
    scores = jax.nn.softmax(jnp.where(visible, scores, -1e30), axis=-1).astype(x.dtype)
    x = x + jnp.einsum('bhqs,bshk,hkd->bqd', scores, v, p['wo'])
    moved, balance = experts(p, layers.rms_norm(x, p['mlp_norm']))
    return constrain(mesh, x + moved, BATCH, None, None), balance

  def loss(params, tokens):
    x = constrain(mesh, params['embedding'][tokens[:, :-1]], BATCH, None, None)
    x, balance = jax.lax.scan(jax.checkpoint(layer), x, params['layers'])
    logits = layers.rms_norm(x, params['norm']) @ params['embedding'].T
    return layers.cross_entropy(logits, tokens[:, 1:]) + 0.01 * jnp.mean(balance)

  def train_step(params, opt_state, tokens):
    value, grads = jax.value_and_grad(loss)(params, tokens)
    params, opt_state, norm = optimizers.adamw(params, opt_state, grads)
    return params, opt_state, {'loss': value, 'grad_norm': norm}

  shapes = {name: (DEPTH, *shape) for name, shape in LAYER_SHAPES.items()}
  specs = {name: P(None, *spec) for name, spec in LAYER_SPECS.items()}
  params = arrays(mesh, {'embedding': (VOCABULARY, WIDTH), 'layers': shapes, 'norm': (WIDTH,)},
                  {'embedding': P('expert', 'data'), 'layers': specs, 'norm': P()}, jnp.bfloat16)
  moments = like(params, jnp.float32)
  opt_state = {'step': jax.ShapeDtypeStruct((), jnp.int32), 'mu': moments, 'nu': moments}
  tokens = array(mesh, (batch, length + 1), P(BATCH, None), jnp.int32)
  return Program(train_step, (params, opt_state, tokens), donate=(0, 1))
