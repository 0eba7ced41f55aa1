// The four collectives that partitioning inserts. Groups and pairs are given in the numbering of a scope and written
// for all devices; every collective gets the next channel and is remembered with the cause that is set in the context.
#pragma once

#include "partition/context.h"

namespace sw {

// `groups` with no dims: all devices of the scope are one group.
ValueId emit_all_gather(Context& context, const Scope& scope, ValueId value, size_t dim, const DeviceGroups& groups);
ValueId emit_all_reduce(Context& context, const Scope& scope, ValueId value, RegionId reduction,
                        const DeviceGroups& groups);
// `dim` is cut into as many pieces as a group has devices; piece i goes to member i.
ValueId emit_all_to_all(Context& context, const Scope& scope, ValueId value, size_t dim, const DeviceGroups& groups);
// A device that nobody sends to gets zeros. No tiles at all: zeros; everyone to itself: the value itself.
ValueId emit_permute(Context& context, const Scope& scope, ValueId value, const Moves& moves);

// Groups of devices that differ only in their coordinates on `dims` of the sharding's grid (subgroup dimensions count).
DeviceGroups groups_over_dims(const TileSharding& s, std::span<const int64_t> dims);
// Groups of devices that differ only in the minor part of size sizes[i] of the coordinate on dims[i].
DeviceGroups groups_over_minor_parts(const TileSharding& s, std::span<const int64_t> dims,
                                     std::span<const int64_t> sizes);

// One all-gather (all-reduce) per dimension of `dims` that is tiled, the last listed first.
ValueId gather_dims(Context& context, const Scope& scope, ValueId value, const TileSharding& s,
                    std::span<const int64_t> dims);
ValueId reduce_dims(Context& context, const Scope& scope, ValueId value, const TileSharding& s,
                    std::span<const int64_t> dims, RegionId reduction);

}  // namespace sw
