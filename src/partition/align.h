// Bringing the device groups of one sharding in line with those of another, so that what is computed inside the groups
// by both meets on the same devices.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "partition/emitter.h"
#include "sharding/tile_algebra.h"

namespace sw {

// `grouped` with the groups of `reference` (same number and size of groups). Where every group of `grouped` has the
// devices of the group of `reference` with the same number (any number, with `ignore_order`), the inner sharding is
// renumbered, so that every device keeps its tile; otherwise the groups are replaced as they are and the caller has to
// move data. Follows AlignGroupsWith of XLA (spmd_partitioner_util.cc).
GroupedSharding align_groups(GroupedSharding grouped, const GroupedSharding& reference, bool ignore_order = false);
// Nothing unless every device keeps its tile, by one renumbering that holds for all groups.
std::optional<GroupedSharding> align_groups_if_compatible(GroupedSharding grouped, const GroupedSharding& reference,
                                                          bool ignore_order = false);

// Extents inside one group: dimensions that were grouped on are divided, rounded up.
Dims group_dims(std::span<const int64_t> full, const GroupedSharding& grouped);

// Dimensions of the grid of `s` whose coordinates tell the groups apart and are equal within each; nothing if there are
// none.
std::optional<DimList> dims_matching_groups(const TileSharding& s, const TileGrid& groups);

// `s` (replicated on its last dimension) grouped by exactly the groups given: nothing unless every group holds the same
// tiles in the same inner arrangement, `kept` replicas of each.
std::optional<GroupedSharding> group_replicas_as(const TileSharding& s, int64_t kept, const TileGrid& groups);

// Every group of `b` lies within the group of `a` with the same number.
bool groups_match(const TileGrid& a, const TileGrid& b);
// Every group of `inner` lies within some group of `outer`.
bool groups_nest(const TileGrid& outer, const TileGrid& inner);
// The number of the group that each device is in.
std::vector<size_t> group_by_device(const TileGrid& groups);

}  // namespace sw
