// Sharding -> sharding: what the passes around propagation do to one sharding at a time. All of them take and return
// ids of interned shardings; none is on the hot path.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "sharding/named_sharding.h"

namespace sw::shardy {

// Axes of a mesh by position, sorted in mesh order; full axes only.
using ManualAxes = std::span<const uint32_t>;

// No axes in dimensions, replicated or unreduced lists.
bool empty_axes(const NamedSharding& sharding);
bool fully_closed(const NamedSharding& sharding);
// Open everywhere and without axes in any dimension.
bool fully_replicated_and_open(const NamedSharding& sharding);

// Drops axes of size 1; a dimension that becomes closed and empty loses its priority. Follows RemoveSizeOneAxesPass.
NamedShardingId without_size_one_axes(ShardingTable& table, NamedShardingId id);
NamedShardingId with_mesh(ShardingTable& table, NamedShardingId id, MeshId mesh);

// Manual computations. In each dimension manual axes come before free ones.
// The inside view: manual axes taken out. [{"x", "y"}] with manual "x" -> [{"y"}]. Follows eraseManualAxes.
NamedShardingId erase_manual_axes(ShardingTable& table, NamedShardingId outer, ManualAxes manual);
// The outside view of an inside sharding: the manual axes of `outer`, then the axes of `inner`; replicated and
// unreduced axes are those of `outer` without its manual... all of them; the reduction becomes a sum. Open or closed as
// `inner` is. Follows addFreeAxesToManualComputationSharding.
NamedShardingId add_free_axes(ShardingTable& table, NamedShardingId outer, NamedShardingId inner, ManualAxes manual);
// Adds the manual axes that `id` does not mention to its replicated axes; `common` replaces its mesh then.
// Follows addUnusedManualAxesToReplicatedAxes.
NamedShardingId complete_manual_axes(ShardingTable& table, NamedShardingId id, ManualAxes manual, MeshId common);

// User priorities. Follows getInitializedSharding: dimensions of a priority above 0 become closed and empty and their
// axes wait among the replicated ones; priorities are dropped.
NamedShardingId hold_back_priorities(ShardingTable& table, NamedShardingId id);
// Follows getUpdatedShardingForPriority: the dimensions whose priority in `original` is `priority` get their axes back.
NamedShardingId release_priority(ShardingTable& table, NamedShardingId current, NamedShardingId original,
                                 int32_t priority);

// Boundaries. A prefix of each dimension's axes that divides `dims`. Follows getEvenlySharded.
NamedShardingId divisible_prefix(ShardingTable& table, NamedShardingId id, std::span<const int64_t> dims);
// Open dimensions are cut before their first sub-axis. Follows removeSubAxesInDimensionShardings.
NamedShardingId without_open_sub_axes(ShardingTable& table, NamedShardingId id);
// Every dimension closed, replicated axes dropped. Follows TensorShardingAttr::getClosedLike.
NamedShardingId closed_like(ShardingTable& table, NamedShardingId id);
// The dimensions of `id` with the unreduced axes and reduction of `from`.
NamedShardingId with_unreduced_of(ShardingTable& table, NamedShardingId id, NamedShardingId from);

// Same placement of data: dims and unreduced axes, whatever is open; a missing one is replicated. Follows isEquivalent.
bool equivalent(const ShardingTable& table, NamedShardingId a, NamedShardingId b);

// Sorts in mesh order and merges neighbours: {"y", "x":(2)2, "x":(1)2} of x=4 -> {"x", "y"}.
void sort_and_merge(AxisList& axes);

}  // namespace sw::shardy
