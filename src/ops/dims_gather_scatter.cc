// StableHLO constraints gather_c1 .. c20 and scatter_c2, c4, c7 .. c20 without those on sizes of the result.
#include "ops/dims_gather_scatter.h"

#include <algorithm>

namespace sw {

namespace {

struct Ranks {
  size_t operand, indices, slices;
};

bool check_ascending(const DimList& list, std::string_view name, std::string* why) {
  if (std::is_sorted(list.begin(), list.end())) return true;
  return explain(why, "the " + std::string(name) + " are not sorted");
}

// What gather and scatter have in common, once the lists are read. Fills the derived lists.
bool complete(GatherScatterDims& d, const Ranks& ranks, std::string* why) {
  const int64_t indices_rank = static_cast<int64_t>(ranks.indices);
  if (d.index_vector_dim < 0 || d.index_vector_dim > indices_rank)
    return explain(why, "index_vector_dim " + std::to_string(d.index_vector_dim) +
                            " is out of range for indices of rank " + std::to_string(indices_rank));
  DimList gone = d.collapsed;
  gone.append(d.operand_batch.begin(), d.operand_batch.end());
  if (!check_dims(gone, ranks.operand, "collapsed or batching dimension of the operand", why) ||
      !check_dims(d.indices_batch, ranks.indices, "batching dimension of the indices", why) ||
      !check_dims(d.offset, ranks.slices, "window dimension of the slices", why) ||
      !check_dims(d.index_map, ranks.operand, "indexed dimension of the operand", why) ||
      !check_ascending(d.offset, "window dimensions of the slices", why) ||
      !check_ascending(d.collapsed, "collapsed dimensions", why) ||
      !check_ascending(d.operand_batch, "batching dimensions of the operand", why))
    return false;
  if (d.operand_batch.size() != d.indices_batch.size())
    return explain(why, std::to_string(d.operand_batch.size()) + " batching dimensions of the operand and " +
                            std::to_string(d.indices_batch.size()) + " of the indices, expected as many");
  if (contains(d.indices_batch, d.index_vector_dim))
    return explain(why, "index_vector_dim " + std::to_string(d.index_vector_dim) + " is a batching dimension too");
  for (int64_t dim : d.index_map)
    if (contains(d.operand_batch, dim))
      return explain(why, "operand dimension " + std::to_string(dim) + " is batching and indexed");
  if (d.offset.size() + gone.size() != ranks.operand)
    return explain(why, std::to_string(d.offset.size()) + " window, " + std::to_string(d.collapsed.size()) +
                            " collapsed and " + std::to_string(d.operand_batch.size()) +
                            " batching dimensions do not add up to the operand's rank " +
                            std::to_string(ranks.operand));
  d.window = other_dims(ranks.operand, gone);
  d.batch = other_dims(ranks.slices, d.offset);
  d.indices_dims.clear();
  for (int64_t i = 0; i < indices_rank; ++i)
    if (i != d.index_vector_dim) d.indices_dims.push_back(i);
  if (d.batch.size() != d.indices_dims.size())
    return explain(why, "slices of rank " + std::to_string(ranks.slices) + ", expected " +
                            std::to_string(d.offset.size() + d.indices_dims.size()) + ": " +
                            std::to_string(d.offset.size()) + " window dimensions and " +
                            std::to_string(d.indices_dims.size()) + " of the indices");
  return true;
}

bool check_index_count(const GatherScatterDims& d, const Type& indices, std::string* why) {
  const int64_t count = d.index_vector_dim < static_cast<int64_t>(indices.rank())
                            ? indices.dims[static_cast<size_t>(d.index_vector_dim)]
                            : 1;
  if (count == kDynamic || count == static_cast<int64_t>(d.index_map.size())) return true;
  return explain(why, std::to_string(d.index_map.size()) + " indexed dimensions of the operand, expected " +
                          std::to_string(count) + ", the length of an index vector");
}

}  // namespace

bool read_gather_dims(const Graph& graph, OpId id, GatherScatterDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = GatherScatterDims{};
  const auto operands = graph.operands(op);
  if (operands.size() < 2 || op.result_count == 0) return explain(why, "expected an operand, indices and a result");
  const Type operand = graph.type_of(operands[0]), indices = graph.type_of(operands[1]);
  const Type result = graph.type_of(graph.result(id));
  if (!operand.is_tensor() || !indices.is_tensor() || !result.is_tensor())
    return explain(why, "expected tensors of known rank as operands and result");
  AttrReader attrs(graph, op, why);
  if (!attrs.open_struct("dimension_numbers") || !attrs.field_ints("offset_dims", out.offset) ||
      !attrs.field_ints("collapsed_slice_dims", out.collapsed) ||
      !attrs.field_ints("operand_batching_dims", out.operand_batch) ||
      !attrs.field_ints("start_indices_batching_dims", out.indices_batch) ||
      !attrs.field_ints("start_index_map", out.index_map) ||
      !attrs.field_integer("index_vector_dim", out.index_vector_dim, false) ||
      !attrs.optional_boolean("indices_are_sorted", out.indices_are_sorted))
    return false;
  // A dynamic_gather has its slice sizes as third operand.
  if (op.kind != OpKind::dynamic_gather && !attrs.ints("slice_sizes", out.slice_sizes)) return false;
  if (!complete(out, {operand.rank(), indices.rank(), result.rank()}, why) || !check_index_count(out, indices, why))
    return false;
  if (op.kind == OpKind::dynamic_gather) return true;
  if (out.slice_sizes.size() != operand.rank())
    return explain(why, std::to_string(out.slice_sizes.size()) + " slice sizes, expected " +
                            std::to_string(operand.rank()) + ", the rank of the operand");
  for (size_t d = 0; d < operand.rank(); ++d) {
    const int64_t slice = out.slice_sizes[d], whole = operand.dims[d];
    if (slice < 0 || (whole != kDynamic && slice > whole))
      return explain(why, "slice size " + std::to_string(slice) + " of dimension " + std::to_string(d) +
                              " does not lie within its size " + std::to_string(whole));
    if (slice > 1 && !contains(out.window, static_cast<int64_t>(d)))
      return explain(why, "slice size " + std::to_string(slice) + " of the collapsed or batching dimension " +
                              std::to_string(d) + ", expected at most 1");
  }
  return true;
}

bool read_scatter_dims(const Graph& graph, OpId id, ScatterDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = ScatterDims{};
  const auto operands = graph.operands(op);
  if (operands.size() < 3 || operands.size() % 2 != 1)
    return explain(why, std::to_string(operands.size()) + " operands, expected inputs, indices and as many updates");
  out.input_count = operands.size() / 2;
  const Type input = graph.type_of(operands[0]), indices = graph.type_of(operands[out.input_count]);
  const Type update = graph.type_of(operands[out.input_count + 1]);
  if (!input.is_tensor() || !indices.is_tensor() || !update.is_tensor())
    return explain(why, "expected tensors of known rank as operands");
  AttrReader attrs(graph, op, why);
  if (!attrs.open_struct("scatter_dimension_numbers") || !attrs.field_ints("update_window_dims", out.offset) ||
      !attrs.field_ints("inserted_window_dims", out.collapsed) ||
      !attrs.field_ints("input_batching_dims", out.operand_batch) ||
      !attrs.field_ints("scatter_indices_batching_dims", out.indices_batch) ||
      !attrs.field_ints("scatter_dims_to_operand_dims", out.index_map) ||
      !attrs.field_integer("index_vector_dim", out.index_vector_dim, false) ||
      !attrs.optional_boolean("indices_are_sorted", out.indices_are_sorted) ||
      !attrs.optional_boolean("unique_indices", out.unique_indices))
    return false;
  if (!complete(out, {input.rank(), indices.rank(), update.rank()}, why) || !check_index_count(out, indices, why))
    return false;
  out.slice_sizes.assign(input.rank(), 1);
  for (size_t i = 0; i < out.window.size(); ++i)
    out.slice_sizes[static_cast<size_t>(out.window[i])] = update.dims[static_cast<size_t>(out.offset[i])];
  return true;
}

}  // namespace sw
