// From one sharding of a value to another: the heart of the partitioner. Which collectives a reshard needs is decided
// here, by the first of a list of methods that applies, from cheap to expensive:
//
//   nothing            the shardings are equal, or this value has been brought there before
//   re-emit            a scalar broadcast is written again with the other piece's shape
//   permute            same tiles, other devices: collective-permute
//   all-to-all         same number of tiles, moved between dimensions
//   slice              the target refines what is replicated: dynamic-slice, then a permute when devices differ
//   gather             the target is a coarsening: a permute when devices differ, then all-gathers
//   split, regroup     a dimension is split so that one of the above applies to a part (reshard_complex.cc)
//   replicate          gather everything, then slice: a finding when neither end is replicated
//
// Worked example, 8 devices x=2, y=4: {devices=[2,4]<=[8]} to {devices=[4,2]<=[2,4]T(1,0)}. Both have 8 tiles and the
// counts on the two dimensions are swapped: all-to-all over the 2 devices that differ in the minor half of dimension
// 0's tiles, which gives the right grid with devices in another order, then one permute.
//
// Follows PartitionedHlo::Reshard and ReshardNoCache of XLA (spmd_partitioner.cc), NEW behaviour. Differs: causes of
// collectives are kept, full replication becomes a finding.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "partition/context.h"

namespace sw {

ShardedValue reshard(Context& context, const ShardedValue& value, TileShardingId target);
// Without looking at what was resharded before. With `may_replicate` false the value comes back with another sharding
// than `target` when only full replication would do.
ShardedValue reshard_uncached(Context& context, const ShardedValue& value, TileShardingId target,
                              bool may_replicate = true);
// What has been made of a value is remembered by the value and what it was made for. XLA forgets that one value may be
// the piece of two arrays (four elements in tiles of one, and the first two of them in as many tiles), and what it was
// padded with. Whether to make the same mistake; notes it.
bool may_mistake(Context& context);
// The whole array on every device.
ShardedValue replicate(Context& context, const ShardedValue& value);
// Gathered whole and cut again to tiles, with `pad` (a scalar) where these are uneven, as XLA does it: tiles that have
// replicas are padded with zero nevertheless.
ShardedValue cut_with_padding(Context& context, const ShardedValue& value, TileShardingId target, ValueId pad);
// Gathers only the dimensions `dims`; the result has the tiles of the others.
ValueId gather_value_dims(Context& context, const ShardedValue& value, std::span<const int64_t> dims);
// The part of a replicated value that the group of this device is to have when the dims grouped on are tiled.
ValueId slice_for_group(Context& context, ValueId replicated, ValueId partition_id, const GroupedSharding& grouped);

// Padding that an uneven tiling adds is overwritten with `pad` (a scalar), except along `skipped` dims.
ShardedValue mask_padding(Context& context, const ShardedValue& value, ValueId pad,
                          std::span<const int64_t> left_padded = {}, std::span<const int64_t> skipped = {});
ShardedValue mask_padding_with_zero_on(Context& context, const ShardedValue& value, std::span<const int64_t> dims);
ShardedValue mask_padding_with_zero(Context& context, const ShardedValue& value);

// The single methods (used by dots, which ask what a reshard would need).
bool can_permute(const TileSharding& from, const TileSharding& to);
using DimPair = std::pair<int64_t, int64_t>;  // tiles go from dimension .first to dimension .second
std::optional<std::vector<DimPair>> all_to_all_pairs(const TileSharding& from, const TileSharding& to);
ShardedValue reshard_by_permute(Context& context, const ShardedValue& value, TileShardingId target);
ShardedValue reshard_by_all_to_all(Context& context, const ShardedValue& value, TileShardingId target,
                                   std::span<const DimPair> pairs, bool merge_pairs = true);
std::optional<ShardedValue> reshard_by_slice(Context& context, const ShardedValue& value, TileShardingId target);
std::optional<ShardedValue> reshard_by_gather(Context& context, const ShardedValue& value, TileShardingId target);
std::optional<ShardedValue> reshard_partial_by_all_to_all(Context& context, const ShardedValue& value,
                                                          TileShardingId target);
std::optional<ShardedValue> reshard_complex(Context& context, const ShardedValue& value, TileShardingId target);

// Sharding with the tiles of `target` that `partial` (partially replicated) reaches by slicing alone.
std::optional<TileSharding> compatible_refinement(const TileSharding& partial, const TileSharding& target);

}  // namespace sw
