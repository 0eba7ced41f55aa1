"""ViT-B/16 training step: patches by a convolution, twelve layers written out, heads and hidden units over `model`."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import layers
import optimizers
from program import Program, array, arrays, constrain, like

DEPTH, WIDTH, HEADS, HIDDEN, PATCH, CLASSES, PIXELS = 12, 768, 12, 3072, 16, 1000, 224
HEAD_SIZE = WIDTH // HEADS
PATCHES = (PIXELS // PATCH) ** 2

LAYER_SHAPES = {
    'norm1': {'gain': (WIDTH,), 'bias': (WIDTH,)}, 'norm2': {'gain': (WIDTH,), 'bias': (WIDTH,)},
    'query': (WIDTH, HEADS, HEAD_SIZE), 'key': (WIDTH, HEADS, HEAD_SIZE), 'value': (WIDTH, HEADS, HEAD_SIZE),
    'out': (HEADS, HEAD_SIZE, WIDTH), 'w1': (WIDTH, HIDDEN), 'b1': (HIDDEN,), 'w2': (HIDDEN, WIDTH), 'b2': (WIDTH,),
}
LAYER_SPECS = {
    'norm1': {'gain': P(), 'bias': P()}, 'norm2': {'gain': P(), 'bias': P()},
    'query': P(None, 'model', None), 'key': P(None, 'model', None), 'value': P(None, 'model', None),
    'out': P('model', None, None), 'w1': P(None, 'model'), 'b1': P('model'), 'w2': P('model', None), 'b2': P(),
}


def encoder_layer(p, x):
  h = layers.layer_norm(x, **p['norm1'])
  q, k, v = (jnp.einsum('bld,dhk->blhk', h, p[name]) for name in ('query', 'key', 'value'))
  weights = jax.nn.softmax(jnp.einsum('bqhk,bshk->bhqs', q, k).astype(jnp.float32) * q.shape[-1] ** -0.5)
  x = x + jnp.einsum('bhqs,bshk,hkd->bqd', weights.astype(x.dtype), v, p['out'])
  h = layers.layer_norm(x, **p['norm2'])
  return x + jax.nn.gelu(h @ p['w1'] + p['b1']) @ p['w2'] + p['b2']


def program(mesh, batch: int) -> Program:
  def loss(params, images, labels):
    x = jax.lax.conv_general_dilated(images, params['patches'], (PATCH, PATCH), 'VALID',
                                     dimension_numbers=('NHWC', 'HWIO', 'NHWC')).reshape(batch, PATCHES, WIDTH)
    token = jnp.broadcast_to(params['token'], (batch, 1, WIDTH))
    x = jnp.concatenate([token, x], axis=1) + params['positions']
    x = constrain(mesh, x, 'data', None, None)
    for p in params['layers']:
      x = encoder_layer(p, x)
    logits = layers.layer_norm(x[:, 0], **params['norm']) @ params['head']
    return layers.cross_entropy(logits, labels)

  def train_step(params, opt_state, images, labels):
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    params, opt_state, _ = optimizers.adamw(params, opt_state, grads)
    return params, opt_state, value

  shapes = {'patches': (PATCH, PATCH, 3, WIDTH), 'token': (1, 1, WIDTH), 'positions': (PATCHES + 1, WIDTH),
            'layers': [LAYER_SHAPES] * DEPTH, 'norm': {'gain': (WIDTH,), 'bias': (WIDTH,)}, 'head': (WIDTH, CLASSES)}
  specs = {'patches': P(), 'token': P(), 'positions': P(), 'layers': [LAYER_SPECS] * DEPTH,
           'norm': {'gain': P(), 'bias': P()}, 'head': P(None, 'model')}
  params = arrays(mesh, shapes, specs, jnp.bfloat16)
  moments = like(params, jnp.float32)
  opt_state = {'step': jax.ShapeDtypeStruct((), jnp.int32), 'mu': moments, 'nu': moments}
  images = array(mesh, (batch, PIXELS, PIXELS, 3), P('data', None, None, None), jnp.bfloat16)
  labels = array(mesh, (batch,), P('data'), jnp.int32)
  return Program(train_step, (params, opt_state, images, labels), donate=(0, 1))
