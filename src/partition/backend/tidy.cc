#include "partition/backend/tidy.h"

#include <algorithm>
#include <unordered_map>

namespace sw {

namespace {

// The value that the op may be replaced with; invalid: the op stays.
ValueId simpler(Rewrite& rewrite, OpId id, std::optional<ElementType> but_for) {
  const Op& op = rewrite.graph().op(id);
  if (op.result_count != 1 || rewrite.graph().operands(op).empty()) return {};
  const ValueId operand = rewrite.operand(id);
  const Type type = rewrite.shape(rewrite.result(id)), from = rewrite.shape(operand);
  const bool same =
      type.is_array() && from.is_array() && type.element == from.element && std::ranges::equal(type.dims, from.dims);
  switch (op.kind) {
    case OpKind::copy: return operand;
    case OpKind::select:
      if (but_for && type.element == *but_for) return {};
      return rewrite.operand(id, 1) == rewrite.operand(id, 2) ? rewrite.operand(id, 1) : ValueId{};
    case OpKind::convert:
    case OpKind::slice:
    case OpKind::dynamic_slice: return same ? operand : ValueId{};
    case OpKind::reshape:
      if (same) return operand;
      if (rewrite.is(operand, OpKind::reshape)) {
        const ValueId inner = rewrite.operand(rewrite.def(operand));
        return rewrite.add(id, OpKind::reshape, rewrite.type(rewrite.result(id)), {inner});
      }
      return {};
    default: return {};
  }
}

// A called computation is copied to where it is called, the innermost calls first.
void inline_calls(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId call : rewrite.post_order(computation)) {
      if (rewrite.graph().op(call).kind != OpKind::call || rewrite.graph().operands(call).empty()) continue;
      const FunctionId callee = rewrite.graph().region(rewrite.graph().regions(rewrite.graph().op(call))[0]).function;
      const Block& block = rewrite.graph().block(rewrite.graph().entry_block(rewrite.graph().function(callee).body));
      const ValueId first_arg = block.first_arg;
      std::unordered_map<uint32_t, ValueId> now;
      for (uint32_t i = 0; i < block.arg_count; ++i) now[first_arg.raw + i] = rewrite.operand(call, i);
      for (OpId op : rewrite.post_order(callee)) {
        std::vector<ValueId> operands;
        for (ValueId operand : rewrite.graph().operands(op)) operands.push_back(now.at(operand.raw));
        now[rewrite.result(op).raw] = rewrite.clone(op, rewrite.type(rewrite.result(op)), operands, call);
      }
      rewrite.replace(call, now.at(rewrite.root(callee).raw));
    }
  }
}

}  // namespace

void tidy(Rewrite& rewrite, std::optional<ElementType> but_for) {
  inline_calls(rewrite);
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      const ValueId value = simpler(rewrite, op, but_for);
      if (value.valid()) rewrite.replace(op, value);
    }
  }
}

}  // namespace sw
