// Reductions: which dimensions go, which stay, and what the body computes. Sorting, top-k and batch normalisation too:
// ops with one distinguished dimension.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

struct ReduceDims {
  DimList reduced;         // as given, not sorted
  DimList kept;            // ascending; kept[i] is dimension i of the results
  size_t input_count = 0;  // the first half of the operands; the rest are initial values
};
bool read_reduce_dims(const Graph& graph, OpId op, ReduceDims& out, std::string* why = nullptr);

struct SortDims {
  int64_t dimension = 0;  // not negative
  bool stable = false;
};
bool read_sort_dims(const Graph& graph, OpId op, SortDims& out, std::string* why = nullptr);

// batch_norm_*: the feature dimension of operand 0.
bool read_batch_norm_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

// When every result i of a region of 2 n arguments is `kind(argument i, argument n + i)` or the operands swapped, with
// one kind for all that is add, multiply, maximum or minimum, or `and` or `or` on pred: that kind. Otherwise `unknown`.
OpKind common_reducer(const Graph& graph, RegionId region, size_t n);

}  // namespace sw
