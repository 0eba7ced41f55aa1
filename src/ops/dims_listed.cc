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

}  // namespace sw
