// Which dimensions of operand, indices and slices run together. Follows GetGatherScatterBatchParallelDims and
// GetDimensionForIota of XLA (hlo_sharding_util.cc).
//
// Worked example: rows of f32[8,32,4] by indices s32[8,2] whose first component counts 0..7 (an iota) along dimension 0
// of the indices: operand dimension 0 and indices dimension 0 are parallel, so that both may be tiled there without any
// exchange.
#include <algorithm>

#include "ops/literal.h"
#include "partition/indexed.h"

namespace sw {

namespace {

bool has(std::span<const int64_t> list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

int64_t integer_of(const Graph& graph, OpId op, std::string_view name) {
  const AttrId attr = graph.attr(graph.op(op), name);
  return attr.valid() ? graph.attr_table.get(attr).integer : 0;
}

const std::vector<OpId>& callers_of(Shared& shared, const Graph& graph, RegionId region) {
  if (shared.callers.empty()) {
    for (size_t i = 0; i < graph.op_count(); ++i)
      for (RegionId called : graph.regions(graph.op(OpId{i}))) shared.callers[called.raw].push_back(OpId{i});
  }
  return shared.callers[region.raw];
}

// What a loop or branch is given for an element of its parameter, if the loop leaves it alone.
ValueId element_from_caller(Shared& shared, const Graph& graph, ValueId element) {
  const OpId gte = graph.value(element).def;
  const ValueId parameter = graph.operands(gte)[0];
  if (graph.value(parameter).def.valid()) return {};
  const RegionId region = graph.block(graph.op(gte).parent).parent;
  const std::vector<OpId>& callers = callers_of(shared, graph, region);
  if (callers.size() != 1) return {};
  const OpId caller = callers[0];
  const auto number = static_cast<size_t>(integer_of(graph, gte, "index"));
  const auto tuple_element = [&](ValueId tuple) {
    const OpId def = graph.value(tuple).def;
    const bool found = def.valid() && graph.op(def).kind == OpKind::tuple && number < graph.operands(def).size();
    return found ? graph.operands(def)[number] : ValueId{};
  };
  if (graph.op(caller).kind == OpKind::while_) {
    const OpId end = graph.block(graph.entry_block(region)).ops.back();
    const ValueId root = graph.operands(end)[0];
    return tuple_element(root) == element ? tuple_element(graph.operands(caller)[0]) : ValueId{};
  }
  if (graph.op(caller).kind != OpKind::case_) return {};
  const auto regions = graph.regions(graph.op(caller));
  const auto branch = static_cast<size_t>(std::find(regions.begin(), regions.end(), region) - regions.begin());
  return branch + 1 < graph.operands(caller).size() ? tuple_element(graph.operands(caller)[branch + 1]) : ValueId{};
}

// The dimension along which a value counts 0, 1, 2, ... A chain of broadcasts is followed to its start.
std::optional<int64_t> counted_dim(Shared& shared, const Graph& graph, ValueId value) {
  std::vector<OpId> broadcasts;
  std::optional<int64_t> found;
  while (value.valid() && !found) {
    const OpId def = graph.value(value).def;
    if (!def.valid()) return std::nullopt;
    const OpKind kind = graph.op(def).kind;
    if (kind == OpKind::iota) {
      found = integer_of(graph, def, "iota_dimension");
    } else if (graph.type_of(value).element != ElementType::s32) {
      return std::nullopt;
    } else if (kind == OpKind::constant) {
      found = counted_dim_of_constant(graph, def);
      if (!found) return std::nullopt;
    } else if (kind == OpKind::broadcast_in_dim) {
      broadcasts.push_back(def);
      value = graph.operands(def)[0];
    } else if (kind == OpKind::get_tuple_element) {
      value = element_from_caller(shared, graph, value);
    } else {
      return std::nullopt;
    }
  }
  for (size_t i = broadcasts.size(); found && i-- > 0;) {
    const auto dims = graph.attr_table.get(graph.attr(graph.op(broadcasts[i]), "broadcast_dimensions")).integers;
    if (static_cast<size_t>(*found) >= dims.size()) return std::nullopt;
    found = dims[static_cast<size_t>(*found)];
  }
  return found;
}

// By component of the index vector: the dimension of the indices that it counts along, or -1.
DimList counted_components(Shared& shared, const Graph& graph, ValueId indices, const GatherScatterDims& dims) {
  DimList counted(dims.index_map.size(), -1);
  const auto fill = [&](size_t begin, ValueId piece, bool all) {
    const Type type = graph.type_of(piece);
    const auto axis = static_cast<size_t>(dims.index_vector_dim);
    const size_t components = axis < type.rank() ? static_cast<size_t>(type.dims[axis]) : 1;
    const std::optional<int64_t> dim = counted_dim(shared, graph, piece);
    if (dim && *dim != dims.index_vector_dim) {
      for (size_t j = 0; j < components && begin + j < counted.size(); ++j) counted[begin + j] = *dim;
      if (all) counted.resize(std::min(components, counted.size()));
    }
    return components;
  };
  const OpId def = graph.value(indices).def;
  if (def.valid() && graph.op(def).kind == OpKind::concatenate &&
      integer_of(graph, def, "dimension") == dims.index_vector_dim) {
    size_t at = 0;
    for (ValueId piece : graph.operands(def)) at += fill(at, piece, false);
  } else {
    fill(0, indices, true);
  }
  return counted;
}

int64_t slices_dim(const GatherScatterDims& dims, int64_t indices_dim) {
  for (size_t i = 0; i < dims.batch.size() && i < dims.indices_dims.size(); ++i)
    if (dims.indices_dims[i] == indices_dim) return dims.batch[i];
  return -1;
}

bool fill_slices(const GatherScatterDims& dims, ParallelIndexDims& out) {
  for (int64_t d : out.indices) out.slices.push_back(slices_dim(dims, d));
  return !has(out.slices, -1);
}

std::optional<ParallelIndexDims> implicit_batch(Shared& shared, const Graph& graph, const IndexedOp& call,
                                                ValueId indices) {
  const GatherScatterDims& dims = call.dims;
  ValueId source = indices;
  while (graph.value(source).def.valid() && graph.op(graph.value(source).def).kind == OpKind::copy)
    source = graph.operands(graph.value(source).def)[0];
  const OpId def = graph.value(source).def;
  if (!def.valid() || graph.op(def).kind != OpKind::concatenate) source = indices;
  const DimList counted = counted_components(shared, graph, source, dims);
  ParallelIndexDims out;
  for (size_t i = 0; i < counted.size(); ++i) {
    const int64_t along = counted[i], operand_dim = dims.index_map[i];
    if (along < 0) continue;
    if (has(out.indices, along)) return std::nullopt;
    if (dims.slice_sizes[static_cast<size_t>(operand_dim)] != 1 || has(dims.indices_batch, along)) continue;
    if (call.operand_shape[static_cast<size_t>(operand_dim)] != graph.type_of(source).dims[static_cast<size_t>(along)])
      return std::nullopt;
    out.indices.push_back(along);
    out.operand.push_back(operand_dim);
  }
  if (out.indices.empty() || !fill_slices(dims, out)) return std::nullopt;
  return out;
}

}  // namespace

IndexedOp indexed_op(Shared& shared, const Graph& graph, OpId op) {
  IndexedOp call;
  call.op = op;
  if (graph.op(op).kind == OpKind::gather) {
    read_gather_dims(graph, op, call.dims);
    call.slices_rank = graph.type_of(graph.result(op)).rank();
  } else {
    ScatterDims dims;
    read_scatter_dims(graph, op, dims);
    call.dims = dims;
    call.input_count = dims.input_count;
    call.slices_rank = graph.type_of(graph.operands(op)[dims.input_count + 1]).rank();
  }
  const ValueId indices = graph.operands(op)[call.input_count];
  call.operand_shape = Dims(graph.type_of(graph.operands(op)[0]).dims);
  call.indices_rank = graph.type_of(indices).rank();
  if (!call.dims.operand_batch.empty()) {
    ParallelIndexDims batch{call.dims.operand_batch, call.dims.indices_batch, {}};
    if (fill_slices(call.dims, batch)) call.explicit_batch = batch;
  }
  call.implicit_batch = implicit_batch(shared, graph, call, indices);
  for (size_t i = 0; i < call.dims.batch.size(); ++i) {
    const int64_t d = call.dims.indices_dims[i];
    if (has(call.dims.indices_batch, d) || (call.implicit_batch && has(call.implicit_batch->indices, d))) continue;
    call.through_indices.push_back(d);
    call.through_slices.push_back(call.dims.batch[i]);
  }
  return call;
}

}  // namespace sw
