// StableHLO constraints all_gather_c1, reduce_scatter_c2, all_to_all_c1 .. c3.
#include "ops/dims_collective.h"

namespace sw {

namespace {

bool read_dim(const Graph& graph, OpId id, std::string_view name, std::string_view what, int64_t& out,
              std::string* why) {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  if (operands.empty() || !graph.type_of(operands[0]).is_tensor())
    return explain(why, "expected a tensor of known rank as operand");
  AttrReader attrs(graph, op, why);
  return attrs.integer(name, out) && check_dim(out, graph.type_of(operands[0]).rank(), what, why);
}

}  // namespace

bool read_all_gather_dim(const Graph& graph, OpId op, int64_t& out, std::string* why) {
  return read_dim(graph, op, "all_gather_dim", "gathered dimension", out, why);
}

bool read_reduce_scatter_dim(const Graph& graph, OpId op, int64_t& out, std::string* why) {
  return read_dim(graph, op, "scatter_dimension", "scattered dimension", out, why);
}

bool read_all_to_all_dims(const Graph& graph, OpId op, AllToAllDims& out, std::string* why) {
  out = AllToAllDims{};
  AttrReader attrs(graph, graph.op(op), why);
  if (!read_dim(graph, op, "split_dimension", "split dimension", out.split, why)) return false;
  // HLO has one dimension for both, and the count is the size of a group.
  out.concat = out.split;
  const bool both = !graph.is_hlo || attrs.present("concat_dimension");
  if (both && !read_dim(graph, op, "concat_dimension", "concatenated dimension", out.concat, why)) return false;
  if (!graph.is_hlo && !attrs.integer("split_count", out.count)) return false;
  return out.count > 0 || explain(why, "split_count " + std::to_string(out.count) + ", expected a positive one");
}

}  // namespace sw
