"""A perceptron with two hidden layers: the training step, column- and row-parallel over `model`, batch over `data`."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import optimizers
from program import Program, array, arrays

SHAPES = {'w1': (784, 512), 'b1': (512,), 'w2': (512, 512), 'b2': (512,), 'w3': (512, 10), 'b3': (10,)}
SPECS = {'w1': P(None, 'model'), 'b1': P('model'), 'w2': P('model', None), 'b2': P(), 'w3': P(), 'b3': P()}


def forward(params, images):
  hidden = jax.nn.gelu(images @ params['w1'] + params['b1'])
  hidden = jax.nn.relu(hidden @ params['w2'] + params['b2'])
  return hidden @ params['w3'] + params['b3']


def loss(params, images, labels):
  log_probabilities = jax.nn.log_softmax(forward(params, images))
  return -jnp.mean(jnp.sum(log_probabilities * jax.nn.one_hot(labels, 10), axis=-1))


def train_step(params, velocity, images, labels):
  value, grads = jax.value_and_grad(loss)(params, images, labels)
  params, velocity = optimizers.momentum(params, velocity, grads)
  return params, velocity, value


def program(mesh) -> Program:
  params = arrays(mesh, SHAPES, SPECS)
  images = array(mesh, (256, 784), P('data', None))
  labels = array(mesh, (256,), P('data'), jnp.int32)
  return Program(train_step, (params, params, images, labels), donate=(0, 1))
