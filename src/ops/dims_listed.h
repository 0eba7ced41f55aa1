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

}  // namespace sw
