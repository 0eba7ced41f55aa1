// StableHLO constraints slice_c2 .. c4, pad_c2, concatenate_c4, dynamic_slice_c2, c4.
#include "ops/dims_slice.h"

namespace sw {

namespace {

bool first_type(const Graph& graph, const Op& op, Type& type, std::string* why) {
  const auto operands = graph.operands(op);
  if (operands.empty()) return explain(why, "expected at least one operand");
  type = graph.type_of(operands[0]);
  if (!type.is_tensor()) return explain(why, "expected a tensor of known rank as operand");
  return true;
}

bool check_length(const DimList& list, size_t rank, std::string_view name, std::string* why) {
  if (list.size() == rank) return true;
  if (why == nullptr) return false;
  return explain(why, "attribute `" + std::string(name) + "` has " + std::to_string(list.size()) +
                          " entries, expected " + std::to_string(rank) + ", the rank of the operand");
}

}  // namespace

bool read_slice_dims(const Graph& graph, OpId id, SliceDims& out, std::string* why) {
  const Op& op = graph.op(id);
  Type type;
  if (!first_type(graph, op, type, why)) return false;
  AttrReader attrs(graph, op, why);
  if (!attrs.ints("start_indices", out.start) || !attrs.ints("limit_indices", out.limit)) return false;
  out.strides.assign(out.start.size(), 1);
  if (!attrs.stated_ints("strides", out.strides)) return false;
  if (!check_length(out.start, type.rank(), "start_indices", why) ||
      !check_length(out.limit, type.rank(), "limit_indices", why) ||
      !check_length(out.strides, type.rank(), "strides", why))
    return false;
  for (size_t d = 0; d < type.rank(); ++d) {
    if (out.strides[d] <= 0)
      return explain(why, "stride " + std::to_string(out.strides[d]) + " of dimension " + std::to_string(d) +
                              ", expected a positive one");
    if (out.start[d] < 0 || out.start[d] > out.limit[d] || (type.dims[d] != kDynamic && out.limit[d] > type.dims[d]))
      return explain(why, "bounds " + std::to_string(out.start[d]) + ":" + std::to_string(out.limit[d]) +
                              " of dimension " + std::to_string(d) + " do not lie within its size " +
                              std::to_string(type.dims[d]));
  }
  return true;
}

bool read_pad_dims(const Graph& graph, OpId id, PadDims& out, std::string* why) {
  const Op& op = graph.op(id);
  Type type;
  if (!first_type(graph, op, type, why)) return false;
  AttrReader attrs(graph, op, why);
  if (!attrs.ints("edge_padding_low", out.low) || !attrs.ints("edge_padding_high", out.high)) return false;
  out.interior.assign(type.rank(), 0);
  if (!attrs.stated_ints("interior_padding", out.interior)) return false;
  if (!check_length(out.low, type.rank(), "edge_padding_low", why) ||
      !check_length(out.high, type.rank(), "edge_padding_high", why) ||
      !check_length(out.interior, type.rank(), "interior_padding", why))
    return false;
  for (int64_t i : out.interior)
    if (i < 0) return explain(why, "interior padding " + std::to_string(i) + ", expected none below 0");
  return true;
}

bool read_concatenate_dim(const Graph& graph, OpId id, int64_t& out, std::string* why) {
  const Op& op = graph.op(id);
  Type type;
  if (!first_type(graph, op, type, why)) return false;
  AttrReader attrs(graph, op, why);
  return attrs.integer("dimension", out) && check_dim(out, type.rank(), "concatenated dimension", why);
}

ConcatenatePieces concatenate_pieces(const Graph& graph, OpId id) {
  bool all = true, any = false, same = true;
  ValueId first;
  for (ValueId operand : graph.operands(id)) {
    const OpId def = graph.value(operand).def;
    const bool sliced = def.valid() && graph.op(def).kind == OpKind::slice && graph.op(def).operands.count > 0;
    const ValueId source = sliced ? graph.operands(def)[0] : operand;
    if (!first.valid()) first = source;
    all &= sliced;
    any |= sliced;
    same &= source == first;
  }
  return {all, any && same};
}

bool read_dynamic_slice_sizes(const Graph& graph, OpId id, DimList& out, std::string* why) {
  const Op& op = graph.op(id);
  Type type;
  if (!first_type(graph, op, type, why)) return false;
  AttrReader attrs(graph, op, why);
  if (!attrs.ints("slice_sizes", out) || !check_length(out, type.rank(), "slice_sizes", why)) return false;
  for (size_t d = 0; d < type.rank(); ++d)
    if (out[d] < 0 || (type.dims[d] != kDynamic && out[d] > type.dims[d]))
      return explain(why, "slice size " + std::to_string(out[d]) + " of dimension " + std::to_string(d) +
                              " does not lie within its size " + std::to_string(type.dims[d]));
  return true;
}

bool update_indices_are_constant(const Graph& graph, OpId id) {
  const auto operands = graph.operands(id);
  for (size_t i = 2; i < operands.size(); ++i) {
    const OpId def = graph.value(operands[i]).def;
    if (!def.valid() || !has_trait(graph.op(def).kind, kConstant)) return false;
  }
  return true;
}

}  // namespace sw
