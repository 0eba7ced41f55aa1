"""Layers that the transformer models share: normalization, rotary positions, grouped-query attention, gated units."""
import jax
import jax.numpy as jnp


def rms_norm(x, gain, epsilon=1e-5):
  wide = x.astype(jnp.float32)
  scale = jax.lax.rsqrt(jnp.mean(jnp.square(wide), axis=-1, keepdims=True) + epsilon)
  return (wide * scale).astype(x.dtype) * gain


def layer_norm(x, gain, bias, epsilon=1e-6):
  wide = x.astype(jnp.float32)
  mean = jnp.mean(wide, axis=-1, keepdims=True)
  variance = jnp.mean(jnp.square(wide - mean), axis=-1, keepdims=True)
  return ((wide - mean) * jax.lax.rsqrt(variance + epsilon)).astype(x.dtype) * gain + bias


def rotary(x, positions, base=500000.0):
  """Rotates pairs of channels of x[batch, length, heads, head_size] by angles that grow with the position."""
  half = x.shape[-1] // 2
  frequency = base ** (-jnp.arange(half, dtype=jnp.float32) / half)
  angle = positions.astype(jnp.float32)[..., None] * frequency
  cos, sin = jnp.cos(angle)[..., None, :], jnp.sin(angle)[..., None, :]
  left, right = jnp.split(x.astype(jnp.float32), 2, axis=-1)
  return jnp.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1).astype(x.dtype)


def grouped_attention(q, k, v, mask):
  """q[b, l, kv_heads * group, h] against k, v[b, s, kv_heads, h]; mask[l, s] or [b, l, s] says what may be seen."""
  batch, length, heads, size = q.shape
  kv_heads = k.shape[2]
  q = q.reshape(batch, length, kv_heads, heads // kv_heads, size)
  scores = jnp.einsum('blkgh,bskh->bkgls', q, k, preferred_element_type=jnp.float32) * size ** -0.5
  scores = jnp.where(mask if mask.ndim == 2 else mask[:, None, None], scores, -1e30)
  weights = jax.nn.softmax(scores, axis=-1).astype(v.dtype)
  return jnp.einsum('bkgls,bskh->blkgh', weights, v).reshape(batch, length, heads * size)


def swiglu(x, gate, up, down):
  return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def cross_entropy(logits, labels):
  logits = logits.astype(jnp.float32)
  peak = jax.lax.stop_gradient(jnp.max(logits, axis=-1, keepdims=True))
  log_sum = jnp.log(jnp.sum(jnp.exp(logits - peak), axis=-1)) + peak[..., 0]
  picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
  return jnp.mean(log_sum - picked)
