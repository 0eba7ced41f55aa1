// Arrays of matrices as complex doubles, which is what linear algebra computes in whatever the element type.
#pragma once

#include "exec/array.h"
#include "exec/matrices.h"

namespace sw {

// A copy to compute in.
Array numbers(const Array& a);
std::span<Number> numbers_of(Array& a);

// The two last dimensions swapped.
Array transposed(const Array& a);

// x of op(a) x = b for every pair of matrices; of x op(a) = b when `a` is not on the left.
Array solved(const Array& a, const Array& b, bool left, TriangularForm form);

}  // namespace sw
