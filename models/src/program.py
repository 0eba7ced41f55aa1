"""What a model hands to the exporter: a step function, abstract arguments with shardings, options of jit."""
import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec


@dataclasses.dataclass
class Program:
  step: Callable
  arguments: tuple
  donate: tuple[int, ...] = ()
  out_shardings: Any = None

  def lower(self):
    options = {} if self.out_shardings is None else {'out_shardings': self.out_shardings}
    return jax.jit(self.step, donate_argnums=self.donate, **options).lower(*self.arguments)


def array(mesh: Mesh | None, shape: tuple[int, ...], spec: PartitionSpec | None = None, dtype=jnp.float32):
  """An abstract array; without a mesh or a spec it carries no sharding, so that the partitioner is free."""
  if mesh is None or spec is None:
    return jax.ShapeDtypeStruct(shape, dtype)
  return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec))


def arrays(mesh: Mesh | None, shapes: dict, specs: dict, dtype=jnp.float32) -> dict:
  """The same for a tree of parameters: `shapes` and `specs` are dictionaries of one structure, or lists of such."""
  if isinstance(shapes, dict):
    return {name: arrays(mesh, shapes[name], specs[name], dtype) for name in shapes}
  if isinstance(shapes, list):
    return [arrays(mesh, shape, spec, dtype) for shape, spec in zip(shapes, specs, strict=True)]
  return array(mesh, shapes, specs, dtype)


def like(tree, dtype):
  """Optimizer state: the shapes and shardings of `tree` in another element type."""
  return jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, dtype, sharding=a.sharding), tree)


def constrain(mesh: Mesh | None, value, *spec):
  return value if mesh is None else jax.lax.with_sharding_constraint(value, NamedSharding(mesh, PartitionSpec(*spec)))
