// What the partition rules of gather and scatter share: which dimensions run together, groups of devices along them,
// and trying a method out to see what it would cost.
//
// The words: a gather takes from `operand`, at places told by `indices`, windows which make up the `slices` (its
// result); a scatter puts `slices` (its updates) into the operand. A slices dimension runs along a window dimension or
// along a dimension of the indices.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ops/dims_gather_scatter.h"
#include "partition/align.h"
#include "partition/visitor.h"

namespace sw {

// Dimensions that run together: operand[i], indices[i] and slices[i].
struct ParallelIndexDims {
  DimList operand, indices, slices;
};

struct IndexedOp {
  OpId op;
  GatherScatterDims dims;
  size_t input_count = 1;  // scatter: operands (and updates)
  Dims operand_shape;      // full, of all devices
  size_t indices_rank = 0, slices_rank = 0;
  std::optional<ParallelIndexDims> explicit_batch;  // stated
  std::optional<ParallelIndexDims> implicit_batch;  // the indices count 0, 1, 2, ... along a dimension
  DimList through_indices, through_slices;          // the other dimensions that indices and slices share

  bool vector_is_tiled_dim() const { return static_cast<size_t>(dims.index_vector_dim) < indices_rank; }
};

IndexedOp indexed_op(Shared& shared, const Graph& graph, OpId op);

// Operand dimensions taken whole, given the window sizes inside a group, and their slices dimensions.
struct WindowPairs {
  DimList operand, slices;
};
WindowPairs windows_taken_whole(const IndexedOp& call, std::span<const int64_t> shape,
                                std::span<const int64_t> slice_sizes);
// Tiled dimensions of the operand that are indexed with windows of size 1; nothing when there are none.
std::optional<DimList> indexed_tiled_dims(const IndexedOp& call, const TileSharding& operand,
                                          std::span<const int64_t> slice_sizes);

// Slices as seen from the indices, and the other way round.
TileSharding slices_from_indices(const IndexedOp& call, const TileSharding& indices);
TileSharding indices_from_slices(const IndexedOp& call, const TileSharding& slices);

// Dimensions from which tiles may be taken when replicas are needed, the cheapest first.
DimList operand_dims_by_priority(const IndexedOp& call, const TileSharding& operand,
                                 std::span<const int64_t> slice_sizes);
DimList indices_dims_by_priority(const IndexedOp& call);
DimList slices_dims_by_priority(const IndexedOp& call, std::span<const int64_t> slice_sizes);

// Operand and indices with equal tiles along parallel dimensions: {operand, indices}; nothing when neither is tiled
// there or it cannot be.
std::optional<std::pair<TileSharding, TileSharding>> tiled_in_parallel(const TileSharding& operand, size_t operand_rank,
                                                                       const TileSharding& indices, size_t indices_rank,
                                                                       const ParallelIndexDims& dims);

// Smallest index and (with `last`) largest index that this device's part of the operand has, broadcast to the shape of
// `indices`, for the operand dimensions `tiled`; all others have 0 and their full extent.
ValueId index_bound(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices,
                    std::span<const int64_t> tiled, bool last);
// The offset of this device's part along `dims`, to subtract from the indices.
ValueId index_offsets(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices,
                      std::span<const int64_t> dims);

// Indices of a gather kept inside the operand, as a gather does itself.
ValueId clamp(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices);
// Whether any element along `dim` is true.
ValueId reduce_any(Context& context, ValueId predicates, int64_t dim);

// `s` grouped by `groups` groups of devices that hold the same: its replicas, or replicas made of the tiles along
// `dims` (the first first); when there are not enough, everything is replicated in groups of consecutive devices.
GroupedSharding group_on_replicas(const TileSharding& s, int64_t groups, int64_t devices, size_t rank,
                                  std::span<const int64_t> dims);

// `value` brought to what `grouped` says, seen from inside the groups.
ShardedValue enter_groups(Context& context, const ShardedValue& value, const GroupedSharding& grouped);

// Whether a collective among the ops from `first_op` on moves something from one of the groups (in global numbers) to
// another.
bool moves_between_groups(const Graph& graph, size_t first_op, const DeviceGroups& groups);

// Cost of one way: bytes that the op or a collective has alive at most, bytes sent. A way that does not apply costs
// most.
using WayCost = std::pair<int64_t, int64_t>;
// Writes what `way` would write into a computation that is thrown away. `way` gets a context and stand-ins of the
// values.
using TryWay = std::function<ValueId(Context&, std::span<const ShardedValue>)>;
WayCost cost_of(Context& context, OpKind kind, std::span<const ShardedValue> values, const TryWay& way);

}  // namespace sw
