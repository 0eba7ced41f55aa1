// StableHLO constraints dot_general_c1 .. c10 (ranges, uniqueness, pairing); sizes are checked in verify_contract.cc.
#include "ops/dims_dot.h"

namespace sw {

namespace {

bool check_pairs(const DotDims& d, size_t lhs_rank, size_t rhs_rank, std::string* why) {
  if (d.lhs_batch.size() != d.rhs_batch.size())  // dot_general_c1
    return explain(why, std::to_string(d.lhs_batch.size()) + " batching dimensions on the left and " +
                            std::to_string(d.rhs_batch.size()) + " on the right, expected as many");
  if (d.lhs_contract.size() != d.rhs_contract.size())  // dot_general_c2
    return explain(why, std::to_string(d.lhs_contract.size()) + " contracting dimensions on the left and " +
                            std::to_string(d.rhs_contract.size()) + " on the right, expected as many");
  // dot_general_c3 .. c8: in range, and no dimension twice among batching and contracting ones.
  DimList lhs = d.lhs_batch, rhs = d.rhs_batch;
  lhs.append(d.lhs_contract.begin(), d.lhs_contract.end());
  rhs.append(d.rhs_contract.begin(), d.rhs_contract.end());
  return check_dims(lhs, lhs_rank, "batching or contracting dimension of the left operand", why) &&
         check_dims(rhs, rhs_rank, "batching or contracting dimension of the right operand", why);
}

bool read_numbers(AttrReader& attrs, DotDims& d) {
  return attrs.field_ints("lhs_batching_dimensions", d.lhs_batch) &&
         attrs.field_ints("rhs_batching_dimensions", d.rhs_batch) &&
         attrs.field_ints("lhs_contracting_dimensions", d.lhs_contract) &&
         attrs.field_ints("rhs_contracting_dimensions", d.rhs_contract);
}

bool operand_ranks(const Graph& graph, const Op& op, size_t& lhs, size_t& rhs, std::string* why) {
  const auto operands = graph.operands(op);
  if (operands.size() < 2) return explain(why, "expected two operands");
  const Type l = graph.type_of(operands[0]), r = graph.type_of(operands[1]);
  if (!l.is_tensor() || !r.is_tensor()) return explain(why, "expected tensors of known rank as operands");
  lhs = l.rank();
  rhs = r.rank();
  return true;
}

}  // namespace

bool read_dot_dims(const Graph& graph, OpId id, DotDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = DotDims{};
  size_t lhs_rank = 0, rhs_rank = 0;
  if (!operand_ranks(graph, op, lhs_rank, rhs_rank, why)) return false;
  if (op.kind == OpKind::dot) {
    // Vectors and matrices only: the last dimension of the left meets the first of the right operand.
    if (lhs_rank < 1 || lhs_rank > 2 || rhs_rank < 1 || rhs_rank > 2)
      return explain(why, "operands of rank " + std::to_string(lhs_rank) + " and " + std::to_string(rhs_rank) +
                              ", expected vectors or matrices");
    out.lhs_contract.push_back(static_cast<int64_t>(lhs_rank) - 1);
    out.rhs_contract.push_back(0);
  } else {
    AttrReader attrs(graph, op, why);
    // HLO leaves empty lists out, and an outer product has no others.
    const bool outer = graph.is_hlo && !attrs.present("dot_dimension_numbers");
    if ((!outer && !attrs.open_struct("dot_dimension_numbers")) || !read_numbers(attrs, out)) return false;
    if (!check_pairs(out, lhs_rank, rhs_rank, why)) return false;
  }
  out.lhs_free = other_dims(lhs_rank, out.lhs_batch, out.lhs_contract);
  out.rhs_free = other_dims(rhs_rank, out.rhs_batch, out.rhs_contract);
  return true;
}

bool read_ragged_dot_dims(const Graph& graph, OpId id, RaggedDotDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = RaggedDotDims{};
  size_t lhs_rank = 0, rhs_rank = 0;
  if (!operand_ranks(graph, op, lhs_rank, rhs_rank, why)) return false;
  AttrReader attrs(graph, op, why);
  DimList ragged;
  if (!attrs.open_struct("ragged_dot_dimension_numbers") || !read_numbers(attrs, out.dot) ||
      !attrs.field_ints("lhs_ragged_dimensions", ragged) || !attrs.field_ints("rhs_group_dimensions", out.rhs_group))
    return false;
  if (!check_pairs(out.dot, lhs_rank, rhs_rank, why)) return false;
  if (ragged.size() != 1) return explain(why, std::to_string(ragged.size()) + " ragged dimensions, expected one");
  if (!check_dims(ragged, lhs_rank, "ragged dimension", why) ||
      !check_dims(out.rhs_group, rhs_rank, "group dimension", why))
    return false;
  out.lhs_ragged = ragged[0];
  out.mode = contains(out.dot.lhs_contract, ragged[0]) ? RaggedMode::contracting
             : contains(out.dot.lhs_batch, ragged[0])  ? RaggedMode::batch
                                                       : RaggedMode::non_contracting;
  const size_t groups = out.mode == RaggedMode::non_contracting ? 1 : 0;
  if (out.rhs_group.size() != groups)
    return explain(why, std::to_string(out.rhs_group.size()) + " group dimensions, expected " + std::to_string(groups) +
                            " for this ragged dimension");
  DimList taken = out.dot.rhs_batch;
  taken.append(out.dot.rhs_contract.begin(), out.dot.rhs_contract.end());
  for (int64_t g : out.rhs_group)
    if (contains(taken, g))
      return explain(why, "group dimension " + std::to_string(g) + " is batching or contracting too");
  taken.append(out.rhs_group.begin(), out.rhs_group.end());
  out.dot.lhs_free = other_dims(lhs_rank, out.dot.lhs_batch, out.dot.lhs_contract);
  out.dot.rhs_free = other_dims(rhs_rank, taken);
  return true;
}

}  // namespace sw
