#include "partition/init_value.h"

#include "ops/dims_reduce.h"
#include "ops/literal.h"

namespace sw {

bool is_constant(const Graph& graph, ValueId value, int64_t number) {
  for (;;) {
    const OpId def = graph.value(value).def;
    if (!def.valid()) return false;
    const OpKind kind = graph.op(def).kind;
    if (kind == OpKind::constant) {
      const auto literal = read_literal(graph, graph.attr(graph.op(def), "value"), graph.value(value).type);
      if (!literal) return false;
      if (literal->is_whole()) return literal->whole[0] == number;
      return literal->real[0] == static_cast<double>(number) && (literal->width() == 1 || literal->real[1] == 0);
    }
    if (kind != OpKind::convert && kind != OpKind::copy && kind != OpKind::reshape) return false;
    value = graph.operands(def)[0];
  }
}

bool init_changes_result(const Graph& graph, OpId op) {
  const size_t count = graph.operands(op).size() / 2;
  const OpKind kind = common_reducer(graph, graph.regions(graph.op(op))[0], count);
  if (kind != OpKind::add && kind != OpKind::multiply) return false;
  for (const ValueId init : graph.operands(op).subspan(count)) {
    if (graph.type_of(init).element == ElementType::pred) continue;
    if (!is_constant(graph, init, kind == OpKind::add ? 0 : 1)) return true;
  }
  return false;
}

}  // namespace sw
