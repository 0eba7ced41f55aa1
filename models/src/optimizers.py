"""Stochastic gradient descent with momentum, and AdamW with clipping by the global norm."""
import jax
import jax.numpy as jnp


def momentum(params, velocity, grads, rate=0.1, decay=0.9):
  velocity = jax.tree.map(lambda v, g: decay * v + g.astype(v.dtype), velocity, grads)
  return jax.tree.map(lambda p, v: p - (rate * v).astype(p.dtype), params, velocity), velocity


def clip_by_global_norm(grads, limit):
  norm = jnp.sqrt(sum(jnp.sum(jnp.square(g.astype(jnp.float32))) for g in jax.tree.leaves(grads)))
  scale = jnp.minimum(1.0, limit / (norm + 1e-6))
  return jax.tree.map(lambda g: g.astype(jnp.float32) * scale, grads), norm


def warmup_cosine(step, peak=3e-4, warmup=2000.0, total=100000.0):
  ramp = peak * step / warmup
  progress = jnp.clip((step - warmup) / (total - warmup), 0.0, 1.0)
  return jnp.where(step < warmup, ramp, 0.5 * peak * (1.0 + jnp.cos(jnp.pi * progress)))


def adamw(params, state, grads, beta1=0.9, beta2=0.95, epsilon=1e-8, decay=0.1, clip=1.0):
  """`state` is {'step', 'mu', 'nu'}; the moments are kept in float32. Returns new params, new state, the norm."""
  grads, norm = clip_by_global_norm(grads, clip)
  step = state['step'] + 1
  rate = warmup_cosine(step.astype(jnp.float32))
  mu = jax.tree.map(lambda m, g: beta1 * m + (1.0 - beta1) * g, state['mu'], grads)
  nu = jax.tree.map(lambda n, g: beta2 * n + (1.0 - beta2) * jnp.square(g), state['nu'], grads)
  fix1 = 1.0 - beta1 ** step.astype(jnp.float32)
  fix2 = 1.0 - beta2 ** step.astype(jnp.float32)

  def update(p, m, n):
    direction = (m / fix1) / (jnp.sqrt(n / fix2) + epsilon) + decay * p.astype(jnp.float32)
    return (p.astype(jnp.float32) - rate * direction).astype(p.dtype)

  return jax.tree.map(update, params, mu, nu), {'step': step, 'mu': mu, 'nu': nu}, norm
