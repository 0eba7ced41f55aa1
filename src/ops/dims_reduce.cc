// See the header; common_reducer follows Shardy's getCommonSupportedReductionOp (dialect/sdy/ir/utils.cc).
#include "ops/dims_reduce.h"

namespace sw {

namespace {

bool first_rank(const Graph& graph, const Op& op, size_t& rank, std::string* why) {
  const auto operands = graph.operands(op);
  if (operands.empty()) return explain(why, "expected at least one operand");
  const Type type = graph.type_of(operands[0]);
  if (!type.is_tensor()) return explain(why, "expected a tensor of known rank as operand");
  rank = type.rank();
  return true;
}

}  // namespace

bool read_reduce_dims(const Graph& graph, OpId id, ReduceDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = ReduceDims{};
  size_t rank = 0;
  if (!first_rank(graph, op, rank, why)) return false;
  if (op.operands.count % 2 != 0)
    return explain(why, std::to_string(op.operands.count) + " operands, expected as many initial values as inputs");
  AttrReader attrs(graph, op, why);
  if (!attrs.ints("dimensions", out.reduced) || !check_dims(out.reduced, rank, "reduced dimension", why)) return false;
  out.kept = other_dims(rank, out.reduced);
  out.input_count = op.operands.count / 2;
  return true;
}

bool read_sort_dims(const Graph& graph, OpId id, SortDims& out, std::string* why) {
  const Op& op = graph.op(id);
  size_t rank = 0;
  if (!first_rank(graph, op, rank, why)) return false;
  AttrReader attrs(graph, op, why);
  out.dimension = -1;
  out.stable = false;
  if (!attrs.optional_integer("dimension", out.dimension) || !attrs.optional_boolean("is_stable", out.stable))
    return false;
  if (out.dimension < 0) out.dimension += static_cast<int64_t>(rank);  // sort_c4 admits negative ones
  return check_dim(out.dimension, rank, "sorted dimension", why);
}

bool read_batch_norm_dim(const Graph& graph, OpId id, int64_t& out, std::string* why) {
  const Op& op = graph.op(id);
  size_t rank = 0;
  if (!first_rank(graph, op, rank, why)) return false;
  AttrReader attrs(graph, op, why);
  return attrs.integer("feature_index", out) && check_dim(out, rank, "feature dimension", why);
}

OpKind common_reducer(const Graph& graph, RegionId region, size_t n) {
  if (graph.region(region).blocks.empty()) return OpKind::unknown;
  const BlockId block_id = graph.region(region).blocks.front();
  const Block& block = graph.block(block_id);
  if (block.arg_count != 2 * n || block.ops.empty()) return OpKind::unknown;
  const Op& terminator = graph.op(block.ops.back());
  if (!has_trait(terminator.kind, kTerminator)) return OpKind::unknown;
  auto returned = graph.operands(terminator);

  const auto is_arg = [&](ValueId value, size_t i) {
    const Value& v = graph.value(value);
    return v.block == block_id && v.index == i;
  };
  if (returned.size() != n) return OpKind::unknown;
  OpKind common = OpKind::unknown;
  for (size_t i = 0; i < n; ++i) {
    const Value& value = graph.value(returned[i]);
    if (!value.def.valid()) return OpKind::unknown;
    const Op& op = graph.op(value.def);
    const bool logical = op.kind == OpKind::and_ || op.kind == OpKind::or_;
    const bool arithmetic = op.kind == OpKind::add || op.kind == OpKind::multiply || op.kind == OpKind::maximum ||
                            op.kind == OpKind::minimum;
    if (op.operands.count != 2 ||
        !(arithmetic || (logical && graph.types.get(value.type).element == ElementType::pred)))
      return OpKind::unknown;
    const ValueId a = graph.operands(op)[0], b = graph.operands(op)[1];
    if (!(is_arg(a, i) && is_arg(b, n + i)) && !(is_arg(a, n + i) && is_arg(b, i))) return OpKind::unknown;
    if (i > 0 && op.kind != common) return OpKind::unknown;
    common = op.kind;
  }
  return common;
}

}  // namespace sw
