"""A small decoder in f32, ten million parameters: the training step with plain gradient descent, small enough to be run.

Heads, hidden units and vocabulary are split over `model`, the batch over `data`. Weights are kept at a scale of one and
divided by the root of their fan-in where they are used, so that inputs of any kind of size one give a loss that falls.
"""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from program import Program, array, arrays, constrain

WIDTH, HIDDEN, DEPTH, HEADS, VOCABULARY = 256, 1024, 8, 8, 8192
RATE = 4.0

SHAPES = {
    'embedding': (VOCABULARY, WIDTH), 'head': (WIDTH, VOCABULARY),
    'layers': {'wq': (DEPTH, WIDTH, WIDTH), 'wk': (DEPTH, WIDTH, WIDTH), 'wv': (DEPTH, WIDTH, WIDTH),
               'wo': (DEPTH, WIDTH, WIDTH), 'w_up': (DEPTH, WIDTH, HIDDEN), 'w_down': (DEPTH, HIDDEN, WIDTH)},
}
COLUMN, ROW = P(None, None, 'model'), P(None, 'model', None)
SPECS = {
    'embedding': P('model', None), 'head': P(None, 'model'),
    'layers': {'wq': COLUMN, 'wk': COLUMN, 'wv': COLUMN, 'wo': ROW, 'w_up': COLUMN, 'w_down': ROW},
}


def scaled(x, w):
  return x @ w / jnp.sqrt(jnp.float32(w.shape[0]))


def normalized(x):
  return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def attention(p, x):
  batch, length, _ = x.shape
  q, k, v = (scaled(x, p[name]).reshape(batch, length, HEADS, WIDTH // HEADS) for name in ('wq', 'wk', 'wv'))
  scores = jnp.einsum('bqhd,bkhd->bhqk', q, k) / jnp.sqrt(jnp.float32(WIDTH // HEADS))
  causal = jnp.tril(jnp.ones((length, length), bool))
  weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
  return scaled(jnp.einsum('bhqk,bkhd->bqhd', weights, v).reshape(batch, length, WIDTH), p['wo'])


def forward(mesh, params, tokens):
  x = constrain(mesh, params['embedding'][tokens], 'data', None, None)

  def layer(x, p):
    x = x + attention(p, normalized(x))
    x = x + scaled(jax.nn.gelu(scaled(normalized(x), p['w_up'])), p['w_down'])
    return constrain(mesh, x, 'data', None, None), None

  x, _ = jax.lax.scan(layer, x, params['layers'])
  return scaled(normalized(x), params['head'])


def program(mesh, batch: int, length: int) -> Program:

  def loss(params, tokens, labels):
    logits = forward(mesh, params, tokens)
    picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)

  def train_step(params, tokens, labels):
    value, grads = jax.value_and_grad(loss)(params, tokens, labels)
    return jax.tree.map(lambda w, g: w - RATE * g, params, grads), value

  tokens = array(mesh, (batch, length), P('data', None), jnp.int32)
  return Program(train_step, (arrays(mesh, SHAPES, SPECS), tokens, tokens), donate=(0,))
