"""Shrinks a module while a property of it holds: the delta debugging behind differential.py.

`shrink(text, holds)` tries, over and over until nothing helps, to drop results of main with all that only they need, to
replace ops of main by new arguments (in chunks that halve, then one by one), to replace the result of any op by an
operand of the same type, and to drop shardings of arguments and results. Each step goes through the MLIR bindings, so
that what comes out is always a valid module; `holds` decides whether it still shows what is looked for.
"""
import re
from collections.abc import Callable

from jaxlib.mlir import ir

import live_shardy


class Module:
  """One parse of a text, to be changed and printed. Ops of main are numbered in order."""

  def __init__(self, text: str):
    self.module = ir.Module.parse(text)
    self.functions = [o for o in self.module.body.operations if o.operation.name == 'func.func']
    self.main = next(f for f in self.functions if ir.StringAttr(f.operation.attributes['sym_name']).value == 'main')
    self.block = self.main.operation.regions[0].blocks[0]

  def ops(self) -> list:
    return [o.operation for o in self.block.operations][:-1]

  def all_ops(self) -> list:
    return [op for op in live_shardy._walk(self.module.operation) if op.name != 'func.func']

  def text(self) -> str:
    self.update_type()
    if not self.module.operation.verify():
      raise ValueError('invalid')
    return self.module.operation.get_asm(enable_debug_info=False)

  def returned(self):
    return [o.operation for o in self.block.operations][-1]

  def update_type(self) -> None:
    attributes = self.main.operation.attributes
    inputs, outputs = [a.type for a in self.block.arguments], [v.type for v in self.returned().operands]
    attributes['function_type'] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
    for name, count in (('arg_attrs', len(inputs)), ('res_attrs', len(outputs))):
      held = list(ir.ArrayAttr(attributes[name])) if name in attributes else []
      attributes[name] = ir.ArrayAttr.get((held + [ir.DictAttr.get({})] * count)[:count])

  def set_attributes(self, name: str, held: list) -> None:
    self.main.operation.attributes[name] = ir.ArrayAttr.get(held)

  def held(self, name: str, count: int) -> list:
    attributes = self.main.operation.attributes
    held = list(ir.ArrayAttr(attributes[name])) if name in attributes else []
    return (held + [ir.DictAttr.get({})] * count)[:count]

  # ---- single steps ------------------------------------------------------------------------------------------------
  def keep_results(self, kept: list[int]) -> None:
    terminator = self.returned()
    values = list(terminator.operands)
    attrs = self.held('res_attrs', len(values))
    with ir.InsertionPoint(terminator), ir.Location.unknown():
      ir.Operation.create('func.return', operands=[values[i] for i in kept])
    terminator.erase()
    self.set_attributes('res_attrs', [attrs[i] for i in kept])

  def return_also(self, values: list) -> None:
    self.update_type()
    terminator = self.returned()
    old = list(terminator.operands)
    with ir.InsertionPoint(terminator), ir.Location.unknown():
      ir.Operation.create('func.return', operands=old + values)
    terminator.erase()

  def cut(self, op) -> None:
    """The op's results become arguments of main."""
    with ir.Location.unknown():
      for result in op.results:
        result.replace_all_uses_with(self.block.add_argument(result.type, ir.Location.unknown()))
    op.erase()

  def forward_operand(self, op) -> bool:
    if len(op.results) != 1:
      return False
    for operand in op.operands:
      if operand.type == op.results[0].type:
        op.results[0].replace_all_uses_with(operand)
        op.erase()
        return True
    return False

  def sweep(self) -> None:
    """Erases what nothing uses: ops, arguments of main, private functions."""
    changed = True
    while changed:
      changed = False
      for op in reversed(self.all_ops()):
        if len(op.results) and not any(list(r.uses) for r in op.results):
          op.erase()
          changed = True
    attrs = self.held('arg_attrs', len(self.block.arguments))
    kept = [i for i, a in enumerate(self.block.arguments) if list(a.uses)]
    for i in reversed(range(len(self.block.arguments))):
      if i not in kept:
        self.block.erase_argument(i)
    self.set_attributes('arg_attrs', [attrs[i] for i in kept])
    called = {str(op.attributes['callee']).lstrip('@').strip('"') for op in self.all_ops() if 'callee' in op.attributes}
    for function in self.functions:
      name = ir.StringAttr(function.operation.attributes['sym_name']).value
      if function is not self.main and name not in called:
        function.operation.erase()

  def drop_sharding(self, name: str, index: int) -> bool:
    count = len(self.block.arguments) if name == 'arg_attrs' else len(list(self.returned().operands))
    held = self.held(name, count)
    if index >= count or not len(ir.DictAttr(held[index])):
      return False
    held[index] = ir.DictAttr.get({})
    self.set_attributes(name, held)
    return True


def attempt(text: str, change: Callable, holds: Callable) -> str | None:
  """The changed text if the change applies, is valid and the property still holds."""
  with live_shardy._context():
    try:
      module = Module(text)
      if change(module) is False:
        return None
      module.sweep()
      smaller = module.text()
    except Exception:  # the bindings refuse illegal changes in many ways
      return None
  return smaller if smaller != text and holds(smaller) else None


def count_ops(text: str) -> tuple[int, int]:
  with live_shardy._context():
    module = Module(text)
    return len(module.ops()), len(list(module.returned().operands))


def one_result(text: str, holds: Callable) -> str:
  """Main returns as few values as possible: one of them, or one op's results in place of all."""
  _, results = count_ops(text)
  for keep in range(results):
    smaller = attempt(text, lambda m: m.keep_results([keep]), holds) if results > 1 else None
    if smaller:
      return smaller
  return text


def cut_ops(text: str, holds: Callable) -> str:
  """Chunks of ops of main become arguments."""
  ops, _ = count_ops(text)
  size = max(ops // 2, 1)
  while True:
    place = 0
    while place < ops:
      def change(module, place=place):
        for op in module.ops()[place:place + size]:
          module.cut(op)
      smaller = attempt(text, change, holds)
      if smaller:
        text, (ops, _) = smaller, count_ops(smaller)
      else:
        place += size
    if size == 1:
      return text
    size //= 2


def end_early(text: str, holds: Callable) -> str:
  """Main returns the results of an early op, so that everything after it goes."""
  ops, _ = count_ops(text)
  for place in range(ops):
    def change(module, place=place):
      values = list(module.ops()[place].results)
      module.keep_results([])
      module.return_also(values)
    smaller = attempt(text, change, holds)
    if smaller:
      return smaller
  return text


def simplify(text: str, holds: Callable) -> str:
  """Ops anywhere give way to an operand of theirs; shardings go."""
  index = 0
  while True:
    with live_shardy._context():
      total = len(Module(text).all_ops())
    if index >= total:
      break
    smaller = attempt(text, lambda m: m.forward_operand(m.all_ops()[index]), holds)
    text, index = (smaller, index) if smaller else (text, index + 1)
  for name in ('arg_attrs', 'res_attrs'):
    for number in range(64):
      text = attempt(text, lambda m: m.drop_sharding(name, number), holds) or text
  return text


def shrink(text: str, holds: Callable, rounds: int = 6) -> str:
  """The smallest text found; `holds(text)` must be true for the one given."""
  for _ in range(rounds):
    before = text
    for stage in (one_result, end_early, cut_ops, simplify):
      text = stage(text, holds)
    if text == before:
      break
  plain = re.sub(r' \{stablehlo\.mesh = \{.*?\}\}(?=\n)', '', text)
  return plain if holds(plain) else text
