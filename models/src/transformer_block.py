"""One transformer block with grouped-query attention (8 key heads for 32 query heads), forward, tensor parallel."""
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import layers
from program import Program, array, arrays, constrain

HEADS, KV_HEADS, HEAD_SIZE, WIDTH, HIDDEN = 32, 8, 128, 4096, 14336

SHAPES = {
    'attention_norm': (WIDTH,), 'wq': (WIDTH, HEADS * HEAD_SIZE), 'wk': (WIDTH, KV_HEADS * HEAD_SIZE),
    'wv': (WIDTH, KV_HEADS * HEAD_SIZE), 'wo': (HEADS * HEAD_SIZE, WIDTH),
    'mlp_norm': (WIDTH,), 'w_gate': (WIDTH, HIDDEN), 'w_up': (WIDTH, HIDDEN), 'w_down': (HIDDEN, WIDTH),
}
SPECS = {
    'attention_norm': P(), 'wq': P(None, 'tensor'), 'wk': P(None, 'tensor'), 'wv': P(None, 'tensor'),
    'wo': P('tensor', None),
    'mlp_norm': P(), 'w_gate': P(None, 'tensor'), 'w_up': P(None, 'tensor'), 'w_down': P('tensor', None),
}


def program(mesh) -> Program:
  def forward(params, x):
    batch, length, _ = x.shape
    positions = jnp.arange(length)
    mask = positions[:, None] >= positions[None, :]
    h = layers.rms_norm(x, params['attention_norm'])
    q = layers.rotary((h @ params['wq']).reshape(batch, length, HEADS, HEAD_SIZE), positions)
    k = layers.rotary((h @ params['wk']).reshape(batch, length, KV_HEADS, HEAD_SIZE), positions)
    v = (h @ params['wv']).reshape(batch, length, KV_HEADS, HEAD_SIZE)
    x = x + layers.grouped_attention(q, k, v, mask) @ params['wo']
    x = constrain(mesh, x, 'data', None, None)
    h = layers.rms_norm(x, params['mlp_norm'])
    return x + layers.swiglu(h, params['w_gate'], params['w_up'], params['w_down'])

  params = arrays(mesh, SHAPES, SPECS, jnp.bfloat16)
  return Program(forward, (params, array(mesh, (8, 2048, WIDTH), P('data', None, None), jnp.bfloat16)))
