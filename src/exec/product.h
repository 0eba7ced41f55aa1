// One matrix product, for kernels that are made of many: c = a b or c += a b, row-major.
#pragma once

#include "exec/array.h"

namespace sw {

struct ProductExtents {
  int64_t rows = 1, depth = 1, columns = 1;
};

using ProductFn = void (*)(const std::byte* a, const std::byte* b, std::byte* c, const ProductExtents& extents,
                           bool accumulate);

// What products with results of this element are computed in: small floats in f32, integers without sign.
ElementType multiplied_in(ElementType element);
// For elements that multiplied_in returns; null for others.
ProductFn product_of(ElementType element);

}  // namespace sw
