"""Mutations of a module's shardings that JAX programs seldom hold: sub-axes, open dimensions, priorities, replicated
axes, constraints, groups and barriers in odd places, shardings on ops. The result may be illegal: then Shardy
rejects it.
"""
import random
import re

from jaxlib.mlir import ir

import live_shardy
import reduce_module


def axis_pieces(rng: random.Random, axes: dict[str, int]) -> list[str]:
  """The axes in random order, some of them cut into two sub-axes."""
  pieces = []
  for name, size in axes.items():
    cuts = [k for k in range(2, size) if size % k == 0]
    if cuts and rng.random() < 0.35:
      k = rng.choice(cuts)
      pieces += [f'"{name}":(1){k}', f'"{name}":({k}){size // k}']
    else:
      pieces.append(f'"{name}"')
  rng.shuffle(pieces)
  return pieces


def random_sharding(rng: random.Random, axes: dict[str, int], rank: int, mesh: str = 'mesh', shape=None) -> str:
  """`<@mesh, [{"x", ?}p1, {}], replicated={"y"}>`"""
  pieces, dims, priorities = axis_pieces(rng, axes), [], rng.random() < 0.3
  for d in range(rank):
    mine = []
    while pieces and rng.random() < (0.45 if not mine else 0.2):
      mine.append(pieces.pop())
    is_open = rng.random() < 0.45
    priority = f'p{rng.randrange(3)}' if priorities and (mine or is_open) and rng.random() < 0.7 else ''
    dims.append('{' + ', '.join(mine + ['?'] * is_open) + '}' + priority)
  replicated = ''
  if pieces and rng.random() < 0.15:
    order = list(axes)
    kept = sorted(rng.sample(pieces, 1), key=lambda p: order.index(re.match(r'"([^"]*)"', p)[1]))
    replicated = ', replicated={' + ', '.join(kept) + '}'
  unreduced = ''
  if pieces and not replicated and rng.random() < 0.05:
    unreduced = ', unreduced={' + rng.choice(pieces) + '}'
  return f'<@{mesh}, [{", ".join(dims)}]{replicated}{unreduced}>'


class Mutator:
  def __init__(self, text: str, rng: random.Random):
    self.rng = rng
    found = re.search(r'sdy\.mesh @(\w+) = <\[(.*?)\]', text)
    self.mesh = found[1] if found else None
    self.axes = {n: int(s) for n, s in re.findall(r'"([^"]+)"=(\d+)', found[2])} if found else {}
    self.module = reduce_module.Module(text)

  def rank(self, value) -> int | None:
    return ir.RankedTensorType(value.type).rank if isinstance(value.type, ir.RankedTensorType) else None

  def sharding(self, rank: int) -> ir.Attribute:
    return ir.Attribute.parse('#sdy.sharding' + random_sharding(self.rng, self.axes, rank, self.mesh))

  def values(self) -> list:
    """Results of ranked tensors, one each op."""
    ops = [op for op in self.module.all_ops() if len(op.results) and op.name not in ('sdy.manual_computation',)]
    return [op.results[0] for op in ops if self.rank(op.results[0])]

  def arguments(self) -> None:
    values = list(self.module.block.arguments)
    held = self.module.held('arg_attrs', len(values))
    for i, value in enumerate(values):
      if self.rank(value) and self.rng.random() < 0.5:
        fields = {a.name: a.attr for a in ir.DictAttr(held[i])}
        held[i] = ir.DictAttr.get(fields | {'sdy.sharding': self.sharding(self.rank(value))})
    self.module.set_attributes('arg_attrs', held)

  def results(self) -> None:
    values = list(self.module.returned().operands)
    held = self.module.held('res_attrs', len(values))
    for i, value in enumerate(values):
      if self.rank(value) and self.rng.random() < 0.4:
        held[i] = ir.DictAttr.get({'sdy.sharding': self.sharding(self.rank(value))})
    self.module.set_attributes('res_attrs', held)

  def insert(self, name: str, value, attributes: dict, has_result: bool) -> None:
    with ir.InsertionPoint.after(value.owner), ir.Location.unknown():
      results = [value.type] if has_result else []
      op = ir.Operation.create(name, results=results, operands=[value], attributes=attributes)
    if has_result:
      value.replace_all_uses_except(op.results[0], op)

  def constraints(self) -> None:
    for value in self.rng.sample(self.values(), min(2, len(self.values()))):
      self.insert('sdy.sharding_constraint', value, {'sharding': self.sharding(self.rank(value))}, True)

  def op_shardings(self) -> None:
    for value in self.rng.sample(self.values(), min(2, len(self.values()))):
      if len(value.owner.results) == 1 and not value.owner.name.startswith('sdy.'):
        text = random_sharding(self.rng, self.axes, self.rank(value), self.mesh)
        value.owner.attributes['sdy.sharding'] = ir.Attribute.parse(f'#sdy.sharding_per_value<[{text}]>')

  def groups(self) -> None:
    values = self.values()
    if not values:
      return
    first = self.rng.choice(values)
    same = [v for v in values if v.type == first.type]
    for value in self.rng.sample(same, min(2, len(same))):
      group = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
      self.insert('sdy.sharding_group', value, {'group_id': group}, False)

  def barriers(self) -> None:
    values = self.values()
    if values:
      direction = self.rng.randrange(3)  # none, forward, backward
      attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), direction)
      self.insert('sdy.propagation_barrier', self.rng.choice(values), {'allowed_direction': attribute}, True)


def mutate(text: str, seed: int) -> str | None:
  """A mutated module, or None where the bindings refuse."""
  rng = random.Random(f'mutate {seed}')
  with live_shardy._context():
    mutator = Mutator(text, rng)
    if not mutator.mesh:
      return None
    kinds = (mutator.arguments, mutator.arguments, mutator.results, mutator.constraints, mutator.op_shardings,
             mutator.groups, mutator.barriers)
    for kind in rng.sample(kinds, rng.randint(1, 4)):
      kind()
    try:
      return mutator.module.text()
    except Exception:  # verification failed
      return None
