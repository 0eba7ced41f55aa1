#include "partition/backend/tidy.h"

#include <algorithm>
#include <unordered_map>

#include "ops/dims_reduce.h"
#include "partition/backend/device_offset.h"

namespace sw {

namespace {

// A sum over dimensions of extent 1 only changes the shape. The largest and smallest too, from where nothing is left
// out.
bool only_drops_dims(const Rewrite& rewrite, OpId op) {
  ReduceDims dims;
  if (!read_reduce_dims(rewrite.graph(), op, dims) || dims.input_count != 1) return false;
  const Type from = rewrite.shape(rewrite.operand(op));
  for (int64_t d : dims.reduced)
    if (from.dims[static_cast<size_t>(d)] != 1) return false;
  const Op* start = rewrite.maker(rewrite.operand(op, 1));
  const AttrId literal =
      start != nullptr && start->kind == OpKind::constant ? rewrite.graph().attr(*start, "value") : AttrId{};
  if (!literal.valid()) return false;
  const std::string_view number = rewrite.graph().attr_table.get(literal).text;
  switch (common_reducer(rewrite.graph(), rewrite.graph().regions(rewrite.graph().op(op))[0], 1)) {
    case OpKind::add: return number.find_first_not_of("0.e+") == std::string_view::npos;
    case OpKind::and_: return number == "true";
    case OpKind::or_: return number == "false";
    case OpKind::maximum: return number == "-inf";
    case OpKind::minimum: return number == "inf";
    default: return false;
  }
}

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
    case OpKind::reduce:
      if (!only_drops_dims(rewrite, id)) return {};
      return rewrite.add(id, OpKind::reshape, rewrite.type(rewrite.result(id)), {operand});
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

// Calls that are copied into calls can multiply; beyond this many ops the rest stay.
constexpr size_t kMaxOps = size_t{1} << 22;

// What a call, or a conditional whose branch is known, runs.
struct Inlined {
  FunctionId callee;
  size_t first_operand = 0;  // which is the callee's first argument
};

std::optional<Inlined> inlined(const Rewrite& rewrite, OpId id) {
  const Graph& graph = rewrite.graph();
  const Op& op = graph.op(id);
  const auto regions = graph.regions(op);
  const size_t operands = graph.operands(op).size();
  if (op.kind == OpKind::call && operands > 0) return Inlined{graph.region(regions[0]).function, 0};
  if (op.kind != OpKind::case_ || operands != regions.size() + 1) return std::nullopt;
  size_t branch = 0;
  if (regions.size() > 1) {
    const Type type = rewrite.shape(rewrite.operand(id));
    if (type.element == ElementType::pred || !is_integer(type.element)) return std::nullopt;
    const auto index = constant_integers(rewrite, rewrite.operand(id));
    if (!index) return std::nullopt;
    // An index outside is the last branch.
    const bool inside = (*index)[0] >= 0 && (*index)[0] < static_cast<int64_t>(regions.size());
    branch = inside ? static_cast<size_t>((*index)[0]) : regions.size() - 1;
  }
  return Inlined{graph.region(regions[branch]).function, branch + 1};
}

// It is copied to where it is called, the innermost calls first.
void inline_calls(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId call : rewrite.post_order(computation)) {
      const auto to = inlined(rewrite, call);
      if (!to) continue;
      if (rewrite.graph().op_count() > kMaxOps) return;
      const Block& block =
          rewrite.graph().block(rewrite.graph().entry_block(rewrite.graph().function(to->callee).body));
      const ValueId first_arg = block.first_arg;
      if (to->first_operand + block.arg_count > rewrite.graph().operands(call).size()) continue;
      std::unordered_map<uint32_t, ValueId> now;
      for (uint32_t i = 0; i < block.arg_count; ++i)
        now[first_arg.raw + i] = rewrite.operand(call, to->first_operand + i);
      for (OpId op : rewrite.post_order(to->callee)) {
        std::vector<ValueId> operands;
        for (ValueId operand : rewrite.graph().operands(op)) operands.push_back(now.at(operand.raw));
        now[rewrite.result(op).raw] = rewrite.clone(op, rewrite.type(rewrite.result(op)), operands, call);
      }
      rewrite.replace(call, now.at(rewrite.root(to->callee).raw));
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
