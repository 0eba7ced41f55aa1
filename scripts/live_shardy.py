"""Asks the Shardy inside jaxlib: the sharding of every op result of a module, and the factor rule of every op.

Answers are keyed by the line of the text on which an op starts, which is also how the tool's report names an op.
The passes below are Shardy's registered import, propagation and closing passes, without the one that merges equal
constants: that would take the line of a value away. Factor rules are kept as attributes to be read afterwards.

XLA never shows Shardy `chlo.square`, it makes a multiplication of it before; so does `propagate`, and such an op is
named as in the text, without a rule.
"""
import dataclasses
import re

from jaxlib.mlir import ir, passmanager
from jax._src.interpreters import mlir as jax_mlir

IMPORT = ('sdy-import-pipeline', 'sdy-flatten-call-graph', 'symbol-dce', 'sdy-import-func-calls', 'symbol-dce',
          'sdy-apply-sharding-constraints', 'sdy-sharding-group-import', 'sdy-pre-order-funcs')
PROPAGATE = 'sdy-user-priority-propagate'
EXPORT = ('sdy-export-named-computations', 'sdy-propagate-to-func-results', 'sdy-unflatten-call-graph', 'symbol-dce',
          'sdy-insert-func-call-reshards', 'func.func(sdy-sink-data-flow-edges)', 'sdy-remove-sharding-groups',
          'func.func(sdy-sharding-constraint-to-reshard)', 'sdy-update-non-divisible-input-output-shardings',
          'sdy-remove-sub-axes-in-input-output-shardings', 'sdy-close-shardings')


class Rejected(Exception):
  """Shardy does not take this text, or fails on it."""


@dataclasses.dataclass
class OpAnswer:
  line: int | None
  op: str
  shardings: list[str | None]  # `<@mesh, [{"x"}, {}]>` of each result; None where Shardy left none
  rule: str | None             # `<([i, j])->([i, j]) {i=2, j=4}>`


@dataclasses.dataclass
class Answer:
  meshes: list[str]
  ops: list[OpAnswer]
  outputs: list[str | None]  # of the main function


def _context():
  context = jax_mlir.make_ir_context()
  context.allow_unregistered_dialects = True
  return context


def _run(module, passes) -> None:
  passmanager.PassManager.parse(f'builtin.module({",".join(passes)})').run(module.operation)


def _body(attribute) -> str:
  """`#sdy.sharding<@mesh, [{}]>` -> `<@mesh, [{}]>`; the same for rules."""
  return re.sub(r'^#sdy\.\w+', '', str(attribute))


def _per_value(attribute) -> list[str]:
  text = _body(attribute)
  return re.findall(r'<(?:@\w+|mesh<.*?>), \[.*?\](?:, (?:replicated|unreduced)=\{[^}]*\}(?:<[^>]*>)?)*>', text)


def _shardings(operation) -> list[str | None]:
  attributes, count = operation.attributes, len(operation.results)
  if operation.name == 'sdy.manual_computation':
    found = _per_value(attributes['out_shardings'])
  elif operation.name in ('sdy.reshard', 'sdy.sharding_constraint'):
    found = [_body(attributes['sharding'])]
  elif 'out_sharding' in attributes:
    found = [_body(attributes['out_sharding'])]
  else:
    found = _per_value(attributes['sdy.sharding']) if 'sdy.sharding' in attributes else []
  return found if len(found) == count else [None] * count


def _line(operation) -> int | None:
  match = re.search(r'":(\d+):\d+', str(operation.location))
  return int(match.group(1)) if match else None


def _walk(operation):
  for region in operation.regions:
    for block in region.blocks:
      for inner in block.operations:
        yield inner.operation
        yield from _walk(inner.operation)


def _main_outputs(module) -> list[str | None]:
  for op in module.body.operations:
    if op.operation.name == 'func.func' and ir.StringAttr(op.operation.attributes['sym_name']).value == 'main':
      if 'res_attrs' not in op.operation.attributes:
        return []
      results = [ir.DictAttr(r) for r in ir.ArrayAttr(op.operation.attributes['res_attrs'])]
      return [_body(r['sdy.sharding']) if 'sdy.sharding' in r else None for r in results]
  return []


_SQUARE = re.compile(r'chlo\.square (%[\w#]+)( \{.*\})? : (\S.*?) -> \3')


def propagate(text: str) -> Answer:
  """The answer for a module without locations (lowered_text.without_locations), or Rejected with Shardy's message."""
  squares = {number for number, line in enumerate(text.splitlines(), 1) if _SQUARE.search(line)}
  text = _SQUARE.sub(lambda m: f'stablehlo.multiply {m[1]}, {m[1]}{m[2] or ""} : {m[3]}', text)
  with _context():
    try:
      module = ir.Module.parse(text)
      _run(module, (*IMPORT, PROPAGATE + '{keep-sharding-rules=true}', *EXPORT))
    except Exception as error:  # MLIRError, or ValueError of the bindings
      raise Rejected(str(error)[:1000]) from None
    meshes = [str(o) for o in module.body.operations if o.operation.name == 'sdy.mesh']
    answer = Answer(meshes, [], _main_outputs(module))
    for operation in _walk(module.operation):
      if operation.name != 'func.func' and len(operation.results):
        line, name = _line(operation), operation.name
        rule = _body(operation.attributes['sdy.sharding_rule']) if 'sdy.sharding_rule' in operation.attributes else None
        if line in squares and name == 'stablehlo.multiply':
          name, rule = 'chlo.square', None
        answer.ops.append(OpAnswer(line, name, _shardings(operation), rule))
    return answer


def timed(text: str) -> tuple[float, float, float]:
  """Seconds to read the text, seconds to run the whole pipeline (no verifier between passes), seconds of CPU in all."""
  import time
  with _context():
    cpu, start = time.process_time(), time.perf_counter()
    module = ir.Module.parse(text)
    read = time.perf_counter()
    manager = passmanager.PassManager.parse(f'builtin.module({",".join((*IMPORT, PROPAGATE, *EXPORT))})')
    manager.enable_verifier(False)
    manager.run(module.operation)
    return read - start, time.perf_counter() - read, time.process_time() - cpu
