// Ops that only rearrange elements: reshape (how dimensions split and merge), broadcast_in_dim, transpose, reverse.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

// A reshape as a list of factors, major to minor. A factor of size `size` is a part of dimension `in` of the operand,
// of dimension `out` of the result, or of both (then elements that agree in it stay together); -1 where it is not.
struct ReshapeFactor {
  int64_t size;
  int64_t in, out;
};
using ReshapeFactors = SmallVector<ReshapeFactor, 12>;

// (8) -> (2, 4):       {2, 0, 0} {4, 0, 1}
// (2, 3) -> (3, 2):    {2, 0, -1} {3, -1, 0} {3, 1, -1} {2, -1, 1}: no common factor until both are used up
// (4, 6) -> (6, 4):    {2, 0, 0} {2, 0, -1} {3, -1, 0} {3, 1, -1} {2, -1, 1} {2, 1, 1}
// False when a shape is dynamic or empty, or when the element counts differ.
bool reshape_factors(std::span<const int64_t> in, std::span<const int64_t> out, ReshapeFactors& factors);

// broadcast_in_dim: dimension i of the operand is dimension out[i] of the result.
bool read_broadcast_dims(const Graph& graph, OpId op, DimList& out, std::string* why = nullptr);
// transpose: dimension i of the result is dimension out[i] of the operand.
bool read_transpose_dims(const Graph& graph, OpId op, DimList& out, std::string* why = nullptr);
// reverse: the reversed dimensions.
bool read_reverse_dims(const Graph& graph, OpId op, DimList& out, std::string* why = nullptr);
// iota: the counted dimension.
bool read_iota_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

}  // namespace sw
