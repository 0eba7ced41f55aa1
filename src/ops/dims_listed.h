// The dimensions that an op lists in one attribute of its own, whatever they mean: broadcast_dimensions, permutation,
// dimensions, dimension, iota_dimension. For stages that carry them beside the op or write them anew.
#pragma once

#include <string_view>

#include "ops/attr_reader.h"

namespace sw {

struct ListedDims {
  std::string_view attribute;  // empty: the op lists none
  bool single = false;         // one number, not a list
};
ListedDims listed_dims_of(OpKind kind);

// As `kind`, which the op is or is to be. A sort counts from the front; missing lists are empty, a missing number is 0,
// of a sort the last dimension.
DimList listed_dims(const Graph& graph, OpId op, OpKind kind);

// 0, 1, 2, ...: the identity.
bool counts_up(std::span<const int64_t> dims);
// Whether a transpose of `shape` moves dimensions of 1 only.
bool moves_ones_only(std::span<const int64_t> permutation, std::span<const int64_t> shape);

}  // namespace sw
