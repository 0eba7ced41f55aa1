// Slicing, padding and joining: slice, pad, concatenate, dynamic_slice, and the indices of dynamic_update_slice.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

struct SliceDims {
  DimList start, limit, strides;  // one per dimension; 0 <= start <= limit <= size, strides positive
};
bool read_slice_dims(const Graph& graph, OpId op, SliceDims& out, std::string* why = nullptr);

struct PadDims {
  DimList low, high, interior;  // one per dimension; interior not negative
};
bool read_pad_dims(const Graph& graph, OpId op, PadDims& out, std::string* why = nullptr);

// concatenate: the joined dimension.
bool read_concatenate_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

// What feeds a concatenate, up to one slice before each operand.
struct ConcatenatePieces {
  bool all_sliced = false;  // every operand is the result of a slice
  bool one_source = false;  // at least one is, and all come from one value: concatenate(slice(x), x)
};
ConcatenatePieces concatenate_pieces(const Graph& graph, OpId op);

// dynamic_slice: the size of the slice in each dimension, between 0 and the operand's size.
bool read_dynamic_slice_sizes(const Graph& graph, OpId op, DimList& out, std::string* why = nullptr);

// Whether every start index of a dynamic_update_slice is the result of a constant.
bool update_indices_are_constant(const Graph& graph, OpId op);

}  // namespace sw
