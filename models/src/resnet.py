"""The third stage of ResNet-50 (six bottlenecks, the first with stride 2): training step with batch normalization.

Data parallel; the statistics of a batch are taken over all of it, so they are reductions across `data`.
"""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import optimizers
from program import Program, array

BLOCKS, INPUT, INNER, OUTPUT, CLASSES = 6, 512, 256, 1024, 1000


def conv(x, kernel, stride=1):
  return jax.lax.conv_general_dilated(x, kernel, (stride, stride), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


def batch_norm(x, p, running, rate=0.1, epsilon=1e-5):
  wide = x.astype(jnp.float32)
  mean = jnp.mean(wide, axis=(0, 1, 2))
  variance = jnp.mean(jnp.square(wide), axis=(0, 1, 2)) - jnp.square(mean)
  running = {'mean': (1 - rate) * running['mean'] + rate * mean, 'var': (1 - rate) * running['var'] + rate * variance}
  return ((wide - mean) * jax.lax.rsqrt(variance + epsilon) * p['scale'] + p['bias']).astype(x.dtype), running


def bottleneck(params, stats, x, stride):
  new = {}
  y, new['bn1'] = batch_norm(conv(x, params['conv1']), params['bn1'], stats['bn1'])
  y, new['bn2'] = batch_norm(conv(jax.nn.relu(y), params['conv2'], stride), params['bn2'], stats['bn2'])
  y, new['bn3'] = batch_norm(conv(jax.nn.relu(y), params['conv3']), params['bn3'], stats['bn3'])
  if 'project' in params:
    x, new['bn4'] = batch_norm(conv(x, params['project'], stride), params['bn4'], stats['bn4'])
  return jax.nn.relu(x + y), new


def loss(params, stats, images, labels):
  x, new = images, []
  for index, (p, s) in enumerate(zip(params['blocks'], stats)):
    x, updated = bottleneck(p, s, x, 2 if index == 0 else 1)
    new.append(updated)
  logits = jnp.mean(x, axis=(1, 2)).astype(jnp.float32) @ params['classifier']
  picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=-1)
  return -jnp.mean(picked), new


def train_step(params, stats, velocity, images, labels):
  (value, stats), grads = jax.value_and_grad(loss, has_aux=True)(params, stats, images, labels)
  params, velocity = optimizers.momentum(params, velocity, grads)
  return params, stats, velocity, value


def program(mesh) -> Program:
  def weight(*shape, dtype=jnp.bfloat16):
    return array(mesh, shape, P(), dtype)

  def vectors(names, size):
    return {name: weight(size, dtype=jnp.float32) for name in names}

  blocks, stats = [], []
  for index in range(BLOCKS):
    channels = INPUT if index == 0 else OUTPUT
    sizes = {'bn1': INNER, 'bn2': INNER, 'bn3': OUTPUT} | ({'bn4': OUTPUT} if index == 0 else {})
    block = {'conv1': weight(1, 1, channels, INNER), 'conv2': weight(3, 3, INNER, INNER),
             'conv3': weight(1, 1, INNER, OUTPUT)}
    if index == 0:
      block['project'] = weight(1, 1, channels, OUTPUT)
    blocks.append(block | {name: vectors(('scale', 'bias'), size) for name, size in sizes.items()})
    stats.append({name: vectors(('mean', 'var'), size) for name, size in sizes.items()})
  params = {'blocks': blocks, 'classifier': weight(OUTPUT, CLASSES, dtype=jnp.float32)}
  images = array(mesh, (256, 28, 28, INPUT), P('data', None, None, None), jnp.bfloat16)
  labels = array(mesh, (256,), P('data'), jnp.int32)
  return Program(train_step, (params, stats, params, images, labels), donate=(0, 1, 2))
