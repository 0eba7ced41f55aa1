// Giving every device the input that its part of a windowed op reads: halos from the neighbours, padding, masks.
#pragma once

#include <optional>
#include <span>

#include "partition/context.h"
#include "partition/ordinal_extent.h"

namespace sw {

// `value` brought to the tiles of `target`, each piece extended to what the windows of its outputs read. Nothing when
// that cannot be said with static shapes; the caller then takes the general way. `pad_value` is a scalar. With `mask`
// what lies outside of the array is set to `pad_value`; `mask_in_compact` does that in compact exchanges only.
std::optional<WindowedInput> reshard_windowed(Context& context, const ShardedValue& value, const WindowDims& window,
                                              TileShardingId target, ValueId pad_value, bool mask = true,
                                              bool mask_in_compact = false);

// slice [starts, limits) with strides, as a window; then the local slice that is left to do.
std::optional<WindowedInput> reshard_for_slice(Context& context, const ShardedValue& value,
                                               std::span<const int64_t> starts, std::span<const int64_t> limits,
                                               std::span<const int64_t> strides, TileShardingId target);
ValueId finish_slice(Context& context, const WindowedInput& input, std::span<const int64_t> strides);
// The same for pad.
std::optional<WindowedInput> reshard_for_pad(Context& context, const ShardedValue& value, ValueId pad_value,
                                             std::span<const PadDim> pads, TileShardingId target);
ValueId finish_pad(Context& context, const WindowedInput& input, ValueId pad_value);
// Moves the padding of uneven `dims` from the end to the start. Invalid when that needs more than neighbours.
ValueId padding_to_the_left(Context& context, const ShardedValue& value, std::span<const int64_t> dims);

// How an exchange along one dimension is described: tile k needs `left(k)` elements of the tiles before it and
// `right(k)` of those after it; negative: it does not need all of its own.
struct Halo {
  OrdinalExtent left, right;
  size_t dim = 0;
};

// What a tile reads along a dimension, in terms of the array with explicit padding: tile k reads `shard` rows from its
// own start on; `left_padding` rows stand before the array, `padded` is the number of rows with padding at both ends.
struct Reach {
  int64_t left_padding = 0, padded = 0, shard = 0;
  ValueId offset;  // start of this device's rows, on the padded array (s32 scalar)
};
struct MaskChoice {
  bool always = true, in_compact = false;
};
// Whether exchange_and_cut takes exchange_halo_compact, or nothing, since tiles read much that is far away. `have`:
// rows of a tile.
bool exchanges_compactly(const Halo& halo, const Reach& reach, int64_t have, int64_t tiles);
// The exchange along one dimension, cut to what each tile reads and masked. `full`: extents of the array exchanged.
// Nothing when rows from beyond the neighbours' reach are needed.
std::optional<ValueId> exchange_and_cut(Context& context, const Scope& scope, ValueId rows, const Halo& halo,
                                        const Reach& reach, std::span<const int64_t> full, const TileSharding& s,
                                        ValueId ordinal, ValueId pad_value, MaskChoice mask);

// Concatenation of what comes from the left, the own piece and what comes from the right, of maximal size over all
// tiles.
std::optional<ValueId> exchange_halo(Context& context, const Scope& scope, ValueId value, const Halo& halo,
                                     const TileSharding& s);
// The same with few long moves, one per (distance, offset), for halos that reach over many tiles; exactly the window of
// each tile. `pad_value` invalid: what lies outside of the array is not masked.
ValueId exchange_halo_compact(Context& context, const Scope& scope, ValueId value, std::span<const int64_t> full,
                              const Halo& halo, ValueId pad_value, const TileSharding& s, ValueId ordinal);

}  // namespace sw
