// Ops that only place elements: each is a strided copy (exec/strided.h), or shares its operand's buffer.
#include <algorithm>

#include "exec/kernel.h"
#include "exec/literal.h"
#include "exec/strided.h"
#include "ops/dims_reshape.h"
#include "ops/dims_slice.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

size_t width_of(const Array& array) { return static_cast<size_t>(element_bytes(array.element)); }

}  // namespace

// What add-dependency depends on beside its first operand is no part of its result.
Kernel interp_pass(const KernelRequest& request) {
  return [one = request.op().kind == OpKind::add_dependency](std::span<Datum> operands) {
    if (one || operands.size() == 1) return operands[0];
    return make_tuple_datum(std::vector<Datum>(operands.begin(), operands.end()));
  };
}

// Tokens are empty tuples.
Kernel interp_tuple(const KernelRequest& request) {
  if (request.op().kind != OpKind::tuple) return [](std::span<Datum>) { return make_tuple_datum({}); };
  return
      [](std::span<Datum> operands) { return make_tuple_datum(std::vector<Datum>(operands.begin(), operands.end())); };
}

Kernel interp_constant(const KernelRequest& request) {
  const AttrId value = request.graph.attr(request.op(), "value");
  std::optional<Array> array =
      read_array(request.graph, value, request.graph.value(request.graph.result(request.id)).type, request.why);
  if (!array.has_value()) return {};
  array = converted(*array, held_as(array->element, request.precision));
  return [array = *array](std::span<Datum>) -> Datum { return array; };
}

Kernel interp_reshape(const KernelRequest& request) {
  return [dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    return with_dims(std::move(operands[0].array), dims);
  };
}

// The bytes stay; only whole bytes have a place in memory.
Kernel interp_bitcast_convert(const KernelRequest& request) {
  const Type from = request.graph.type_of(request.graph.operands(request.id)[0]);
  const Type to = request.graph.type_of(request.graph.result(request.id));
  if (bits(from.element) % 8 != 0 || bits(to.element) % 8 != 0)
    return request.refused("bitcast-convert of elements smaller than a byte cannot be executed");
  const ElementType held = held_as(to.element, request.precision);
  return [in = from.element, element = to.element, held, dims = DimList(to.dims)](std::span<Datum> operands) -> Datum {
    Array out = with_dims(converted(operands[0].array, in), dims);
    out.element = element;
    return converted(out, held);
  };
}

Kernel interp_broadcast_in_dim(const KernelRequest& request) {
  DimList target;
  if (!read_broadcast_dims(request.graph, request.id, target, request.why)) return {};
  const Type from = request.operand(0), to = request.result();
  const DimList steps = row_major(from.dims);
  DimList distances(to.rank(), 0);
  for (size_t i = 0; i < from.rank(); ++i)
    if (from.dims[i] != 1) distances[static_cast<size_t>(target[i])] = steps[i];
  return [distances, dims = DimList(to.dims)](std::span<Datum> operands) -> Datum {
    Array& a = operands[0].array;
    // Only extents of 1 are new, and the order stays: the same elements.
    if (product(dims) == a.count() && distances == row_major(dims)) return with_dims(std::move(a), dims);
    return gathered(a, dims, distances, 0);
  };
}

Kernel interp_transpose(const KernelRequest& request) {
  DimList permutation;
  if (!read_transpose_dims(request.graph, request.id, permutation, request.why)) return {};
  const DimList steps = row_major(request.operand(0).dims);
  DimList distances;
  for (const int64_t p : permutation) distances.push_back(steps[static_cast<size_t>(p)]);
  const bool stays = std::is_sorted(permutation.begin(), permutation.end());
  return [distances, stays, dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    if (stays) return operands[0];
    return gathered(operands[0].array, dims, distances, 0);
  };
}

Kernel interp_reverse(const KernelRequest& request) {
  DimList reversed;
  if (!read_reverse_dims(request.graph, request.id, reversed, request.why)) return {};
  const Type type = request.result();
  DimList distances = row_major(type.dims);
  int64_t start = 0;
  for (const int64_t d : reversed) {
    const auto i = static_cast<size_t>(d);
    start += distances[i] * (type.dims[i] - 1);
    distances[i] = -distances[i];
  }
  return [distances, start, dims = DimList(type.dims)](std::span<Datum> operands) -> Datum {
    return gathered(operands[0].array, dims, distances, start);
  };
}

Kernel interp_slice(const KernelRequest& request) {
  SliceDims slice;
  if (!read_slice_dims(request.graph, request.id, slice, request.why)) return {};
  DimList distances = row_major(request.operand(0).dims);
  int64_t start = 0;
  for (size_t i = 0; i < distances.size(); ++i) {
    start += slice.start[i] * distances[i];
    distances[i] *= slice.strides[i];
  }
  return [distances, start, dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    if (operands[0].array.dims == dims) return operands[0];
    return gathered(operands[0].array, dims, distances, start);
  };
}

Kernel interp_pad(const KernelRequest& request) {
  PadDims pad;
  if (!read_pad_dims(request.graph, request.id, pad, request.why)) return {};
  const Type from = request.operand(0), to = request.result();
  // The elements that land inside: low + i * (interior + 1) in [0, extent of the result).
  StridedCopy copy;
  copy.from = row_major(from.dims);
  copy.to = row_major(to.dims);
  for (size_t i = 0; i < from.rank(); ++i) {
    const int64_t step = pad.interior[i] + 1, low = pad.low[i];
    const int64_t first = low < 0 ? (-low + step - 1) / step : 0;
    const int64_t room = to.dims[i] - 1 - low;
    const int64_t last = room < 0 ? -1 : std::min(from.dims[i] - 1, room / step);
    copy.extents.push_back(std::max<int64_t>(last - first + 1, 0));
    copy.from_start += first * copy.from[i];
    copy.to_start += (low + first * step) * copy.to[i];
    copy.to[i] *= step;
  }
  return [copy, dims = DimList(to.dims)](std::span<Datum> operands) -> Datum {
    const Array& a = operands[0].array;
    Array out = new_array(a.element, dims);
    fill(out.bytes(), operands[1].array.bytes(), static_cast<size_t>(out.count()), width_of(a));
    copy_strided(copy, a.bytes(), out.bytes(), width_of(a));
    return out;
  };
}

Kernel interp_concatenate(const KernelRequest& request) {
  int64_t dim = 0;
  if (!read_concatenate_dim(request.graph, request.id, dim, request.why)) return {};
  return [d = static_cast<size_t>(dim), dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    Array out = new_array(operands[0].array.element, dims);
    StridedCopy copy;
    copy.to = row_major(dims);
    for (const Datum& operand : operands) {
      const Array& a = operand.array;
      copy.extents = a.dims;
      copy.from = row_major(a.dims);
      copy_strided(copy, a.bytes(), out.bytes(), width_of(a));
      copy.to_start += a.dims[d] * copy.to[d];
    }
    return out;
  };
}

Kernel interp_iota(const KernelRequest& request) {
  int64_t dim = 0;
  if (!read_iota_dim(request.graph, request.id, dim, request.why)) return {};
  const Type type = request.result();
  const int64_t extent[] = {type.dims[static_cast<size_t>(dim)]};
  Array counted = new_array(ElementType::s64, extent);
  for (int64_t i = 0; i < extent[0]; ++i) counted.data<int64_t>()[i] = i;
  counted = converted(counted, type.element);
  DimList distances(type.rank(), 0);
  distances[static_cast<size_t>(dim)] = 1;
  return [counted, distances, dims = DimList(type.dims)](std::span<Datum>) -> Datum {
    return gathered(counted, dims, distances, 0);
  };
}

}  // namespace sw
