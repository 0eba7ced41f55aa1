// Products of arrays. Operands are brought to (batch, rows, contracting) and (batch, contracting, columns) unless they
// are so already; batches, or blocks of rows, are multiplied at the same time. Small floats are multiplied in f32 and
// rounded once; integers in 32 or 64 bits without sign, so that they wrap.
#include <algorithm>

#include "exec/kernel.h"
#include "exec/product.h"
#include "exec/strided.h"
#include "ops/dims_dot.h"

namespace sw {

namespace {

void multiply(ProductFn product, const Array& lhs, const Array& rhs, Array& out, int64_t batch,
              const ProductExtents& e) {
  constexpr int64_t kWorthSharing = 1 << 16;
  const auto width = element_bytes(lhs.element);
  const auto block = [&](int64_t b, int64_t begin, int64_t end) {
    product(lhs.bytes() + (b * e.rows + begin) * e.depth * width, rhs.bytes() + b * e.depth * e.columns * width,
            out.bytes() + (b * e.rows + begin) * e.columns * width, {end - begin, e.depth, e.columns}, false);
  };
  const int64_t row_work = std::max<int64_t>(1, e.depth * e.columns);
  if (batch > 1) {
    const int64_t batch_work = std::max<int64_t>(1, e.rows * row_work);
    return parallel_parts(batch, kWorthSharing / batch_work, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) block(b, 0, e.rows);
    });
  }
  // Parts of few rows would pack the right operand again and again.
  constexpr int64_t kRows = 128;
  parallel_parts(e.rows, std::max(kRows, kWorthSharing / row_work),
                 [&](int64_t begin, int64_t end) { block(0, begin, end); });
}

// The dimensions of `a` in the order of the three lists.
Array ordered(const Array& a, const DimList& first, const DimList& second, const DimList& third) {
  DimList order;
  for (const DimList* list : {&first, &second, &third}) order.append(list->begin(), list->end());
  return permuted(a, order);
}

int64_t extent(const Array& a, const DimList& dims) {
  int64_t product = 1;
  for (const int64_t d : dims) product *= a.dims[static_cast<size_t>(d)];
  return product;
}

}  // namespace

Kernel interp_dot_general(const KernelRequest& request) {
  DotDims d;
  if (!read_dot_dims(request.graph, request.id, d, request.why)) return {};
  const Type result = request.result();
  const ElementType in = multiplied_in(result.element);
  const ProductFn product = product_of(in);
  if (product == nullptr) return request.refused("a product of this element type cannot be executed");
  return [d, in, product, element = result.element, dims = DimList(result.dims)](std::span<Datum> operands) -> Datum {
    const Array& a = operands[0].array;
    const Array& b = operands[1].array;
    const ProductExtents e{extent(a, d.lhs_free), extent(a, d.lhs_contract), extent(b, d.rhs_free)};
    const Array left = converted(ordered(a, d.lhs_batch, d.lhs_free, d.lhs_contract), in);
    const Array right = converted(ordered(b, d.rhs_batch, d.rhs_contract, d.rhs_free), in);
    Array out = new_array(in, dims);
    multiply(product, left, right, out, extent(a, d.lhs_batch), e);
    return converted(out, element);
  };
}

}  // namespace sw
