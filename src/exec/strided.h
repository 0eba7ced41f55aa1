// Moving elements: every op that only rearranges (broadcast, transpose, slice, reverse, pad, concatenate, updates) is
// one copy between two walks over the same extents, each with its own distances.
//
//   transpose of (2, 3): extents (3, 2), from distances (1, 3), to distances (2, 1)
//   broadcast along the first of (4, 3): from distances (0, 1);  reverse: a negative distance from the last element
#pragma once

#include <cstddef>
#include <functional>

#include "exec/array.h"

namespace sw {

// Distances in elements of a row-major array.
DimList row_major(std::span<const int64_t> dims);

struct StridedCopy {
  DimList extents;
  DimList from, to;                      // distance in elements per dimension
  int64_t from_start = 0, to_start = 0;  // first element
};

// `width` is 1, 2, 4, 8 or 16 bytes. The two must not overlap unless nothing moves.
void copy_strided(const StridedCopy& copy, const std::byte* from, std::byte* to, size_t width);

// `count` elements of `width` bytes, all equal to the one at `value`.
void fill(std::byte* to, const std::byte* value, size_t count, size_t width);

// A new array of `dims` whose element i is the element of `from` that `distances` say.
Array gathered(const Array& from, std::span<const int64_t> dims, std::span<const int64_t> distances, int64_t start);

// `a` with dimension order[i] as dimension i; `a` itself when that changes nothing.
Array permuted(const Array& a, std::span<const int64_t> order);

// Calls body(begin, end) on parts of [0, count), at the same time when there is enough to do; `grain` is how many make
// a part worthwhile.
void parallel_parts(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body);

}  // namespace sw
