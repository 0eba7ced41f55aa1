#include "ops/dims_listed.h"

namespace sw {

ListedDims listed_dims_of(OpKind kind) {
  switch (kind) {
    case OpKind::broadcast_in_dim: return {"broadcast_dimensions"};
    case OpKind::transpose: return {"permutation"};
    case OpKind::reduce:
    case OpKind::reverse: return {"dimensions"};
    case OpKind::concatenate:
    case OpKind::sort: return {"dimension", true};
    case OpKind::iota: return {"iota_dimension", true};
    default: return {};
  }
}

DimList listed_dims(const Graph& graph, OpId id, OpKind kind) {
  DimList dims;
  const ListedDims listed = listed_dims_of(kind);
  if (listed.attribute.empty()) return dims;
  const Op& op = graph.op(id);
  AttrReader attrs(graph, op, nullptr);
  if (!listed.single) {
    attrs.optional_ints(listed.attribute, dims);
    return dims;
  }
  int64_t dim = kind == OpKind::sort ? -1 : 0;
  attrs.optional_integer(listed.attribute, dim);
  if (kind == OpKind::sort && dim < 0) dim += static_cast<int64_t>(graph.type_of(graph.operands(op)[0]).rank());
  dims.push_back(dim);
  return dims;
}

bool counts_up(std::span<const int64_t> dims) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != static_cast<int64_t>(i)) return false;
  return true;
}

bool moves_ones_only(std::span<const int64_t> permutation, std::span<const int64_t> shape) {
  int64_t last = -1;
  for (const int64_t d : permutation) {
    if (shape[static_cast<size_t>(d)] == 1) continue;
    if (d <= last) return false;
    last = d;
  }
  return true;
}

}  // namespace sw
