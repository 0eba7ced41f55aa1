// Gather and scatter: how dimensions of the operand, of the indices and of the slices (the result of a gather, an
// update of a scatter) correspond. Both ops are read into one form, since they mirror one another:
//   operand_dims   = window dims (in order) + collapsed + operand_batch
//   slices_dims    = offset (in order, for the window dims) + batch (for the indices' dims without the index vector)
// Example: take rows of a (5, 3) table by 4 indices: indices (4, 1), index_vector_dim 1, slice_sizes (1, 3), collapsed
// [0], offset [1], index_map [0]; slices (4, 3): dimension 0 is a batch dimension, dimension 1 the window dimension 1.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

struct GatherScatterDims {
  DimList offset;     // slices dims that run through a window (offset_dims, update_window_dims)
  DimList collapsed;  // operand dims of window size 1 that the slices lack (collapsed_slice_dims, inserted_window_dims)
  DimList operand_batch;         // explicit batching dims of the operand, pairwise with ...
  DimList indices_batch;         // ... those of the indices
  DimList index_map;             // operand dim that component i of an index vector addresses
  int64_t index_vector_dim = 0;  // may equal the rank of the indices: every index is then one number
  DimList slice_sizes;           // by operand dim; scatter: derived from the updates, 1 for the dims they lack
  bool indices_are_sorted = false, unique_indices = false;

  DimList window;        // operand dims in the slices, ascending: window[i] runs along offset[i]
  DimList batch;         // slices dims that are not offset, ascending
  DimList indices_dims;  // indices_dims[i]: the dim of the indices that runs along batch[i]
};

bool read_gather_dims(const Graph& graph, OpId op, GatherScatterDims& out, std::string* why = nullptr);

// Operands: n inputs, the indices, n updates.
struct ScatterDims : GatherScatterDims {
  size_t input_count = 0;
};
bool read_scatter_dims(const Graph& graph, OpId op, ScatterDims& out, std::string* why = nullptr);

}  // namespace sw
