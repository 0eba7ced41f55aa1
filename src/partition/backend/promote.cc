#include "partition/backend/promote.h"

namespace sw {

namespace {

TypeId with_element(Rewrite& rewrite, ValueId value, ElementType element) {
  const SmallVector<int64_t, 6> dims(rewrite.shape(value).dims);
  return rewrite.builder().types().tensor(element, dims);
}

// The op in `wide`, and its result back in the type that it had.
OpId widen(Rewrite& rewrite, OpId op, ElementType wide) {
  const ValueId result = rewrite.result(op), operand = rewrite.operand(op);
  const TypeId type = rewrite.type(result);
  const ValueId before = rewrite.add(op, OpKind::convert, with_element(rewrite, operand, wide), {operand});
  const ValueId done = rewrite.clone(op, with_element(rewrite, result, wide), std::span(&before, 1));
  rewrite.replace(op, rewrite.add(op, OpKind::convert, type, {done}));
  return rewrite.def(done);
}

}  // namespace

void promote_reductions(Rewrite& rewrite, std::span<const std::pair<ElementType, ElementType>> promoted) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      const OpKind kind = rewrite.graph().op(op).kind;
      if (kind != OpKind::all_reduce && kind != OpKind::reduce_scatter) continue;
      const Type type = rewrite.shape(rewrite.result(op));
      const auto reduction = reduction_kind(rewrite.graph(), rewrite.graph().op(op));
      if (!reduction || !type.is_array() || rewrite.graph().operands(op).size() != 1) continue;
      const ElementType element = type.element;
      for (const auto& [narrow, wide] : promoted) {
        if (narrow != element) continue;
        rewrite.set_reduction(widen(rewrite, op, wide), *reduction, wide);
        break;
      }
    }
  }
}

void widen_collectives(Rewrite& rewrite, ElementType narrow, ElementType wide) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      switch (rewrite.graph().op(op).kind) {
        case OpKind::all_gather:
        case OpKind::all_to_all:
        case OpKind::collective_permute:
        case OpKind::collective_broadcast: break;
        default: continue;
      }
      const Type type = rewrite.shape(rewrite.result(op));
      if (type.is_array() && type.element == narrow && rewrite.graph().operands(op).size() == 1)
        widen(rewrite, op, wide);
    }
  }
}

}  // namespace sw
