// Slices at positions that are computed: a start that does not fit is moved until the slice lies inside.
#include <algorithm>

#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_slice.h"

namespace sw {

namespace {

// Offset in elements of a window of `sizes` in an array of `dims`.
int64_t clamped_start(std::span<Datum> indices, const DimList& dims, const DimList& sizes) {
  const DimList distances = row_major(dims);
  int64_t start = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    start += distances[i] * std::clamp<int64_t>(integer_at(indices[i].array, 0), 0, dims[i] - sizes[i]);
  return start;
}

}  // namespace

Kernel interp_dynamic_slice(const KernelRequest& request) {
  DimList sizes;
  if (!read_dynamic_slice_sizes(request.graph, request.id, sizes, request.why)) return {};
  if (request.operand_count() != sizes.size() + 1) return request.refused("start indices in one array");
  return [sizes](std::span<Datum> operands) -> Datum {
    const Array& a = operands[0].array;
    return gathered(a, sizes, row_major(a.dims), clamped_start(operands.subspan(1), a.dims, sizes));
  };
}

Kernel interp_dynamic_update_slice(const KernelRequest& request) {
  const Type whole = request.operand(0), part = request.operand(1);
  if (request.operand_count() != whole.rank() + 2) return request.refused("start indices in one array");
  for (size_t i = 0; i < whole.rank(); ++i)
    if (part.dims[i] > whole.dims[i]) return request.refused("an update that is larger than the array");
  return [](std::span<Datum> operands) -> Datum {
    Array& a = operands[0].array;
    const Array& update = operands[1].array;
    Array out = reuse_or_new(a, a.element, a.dims);
    if (out.buffer != a.buffer && out.byte_size() > 0) std::copy(a.bytes(), a.bytes() + a.byte_size(), out.bytes());
    StridedCopy copy{update.dims, row_major(update.dims), row_major(a.dims), 0,
                     clamped_start(operands.subspan(2), a.dims, update.dims)};
    copy_strided(copy, update.bytes(), out.bytes(), static_cast<size_t>(element_bytes(a.element)));
    return out;
  };
}

}  // namespace sw
