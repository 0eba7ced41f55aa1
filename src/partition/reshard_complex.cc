// Resharding that no single collective does, tried before everything is gathered.
//
// Worked example: f32[64,32] from [4,1] to [2,2]. Dimension 0 is split in two dimensions [64,1]: the source is [4,1,1]
// = [2,2,1] on the split dimensions, the target [2,1,2]; now one all-to-all moves the minor 2 from the split-off
// dimension to the last. Merging the two dimensions again gives the target.
//
// Follows TryComplexReshardHandling of XLA (spmd_partitioner.cc), NEW behaviour.
#include <algorithm>
#include <numeric>

#include "base/checked_math.h"
#include "partition/reshard.h"

namespace sw {

namespace {

// Dimension `dim` of the grid of a sharding cut in two: `major` tiles and the rest, as two dimensions.
TileSharding split_dim(const TileSharding& s, size_t dim, int64_t major) {
  TileDims dims = grid_of(s).dims;
  const int64_t minor = dims[dim] / major;
  dims[dim] = major;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(dim) + 1, minor);
  return tiles_like(s, reshaped(grid_of(s), dims));
}

TileSharding merge_dim(const TileSharding& s, size_t dim) {
  if (!is_tiled(s)) return s;
  TileDims dims = grid_of(s).dims;
  dims[dim] *= dims[dim + 1];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
  return tiles_like(s, reshaped(grid_of(s), dims));
}

struct Split {
  size_t dim;
  int64_t major;
};

// The dimension to split: tiled on both sides, one count a multiple of the other, the extent even for both.
std::optional<Split> dim_to_split(std::span<const int64_t> full, const TileSharding& from, const TileSharding& to) {
  if (from.data_rank() != to.data_rank() || has_partial_replication(from) != has_partial_replication(to))
    return std::nullopt;
  if (has_partial_replication(from)) {
    const auto replication = [](const TileSharding& s) { return s.tile[static_cast<size_t>(replication_dim(s))]; };
    if (replication(from) != replication(to)) return std::nullopt;
  }
  DimList one_side, both_sides;
  for (size_t d = 0; d < to.data_rank(); ++d) {
    const int64_t low = std::min(from.tile[d], to.tile[d]), high = std::max(from.tile[d], to.tile[d]);
    if (low == high) continue;
    if (low == 1) {
      one_side.push_back(static_cast<int64_t>(d));
    } else if (high % low == 0 && ceil_div(full[d], low) * low % high == 0) {
      both_sides.push_back(static_cast<int64_t>(d));
    }
  }
  for (int64_t i : both_sides) {
    const auto a = static_cast<size_t>(i);
    for (int64_t j : one_side) {
      const auto b = static_cast<size_t>(j);
      if (from.tile[a] * from.tile[b] == to.tile[a] * to.tile[b]) return Split{a, std::min(from.tile[a], to.tile[a])};
    }
  }
  for (int64_t i : both_sides) {
    const auto a = static_cast<size_t>(i);
    if (from.tile[a] > to.tile[a]) return Split{a, to.tile[a]};
  }
  return std::nullopt;
}

std::optional<ShardedValue> reshard_split(Context& context, const ShardedValue& value, TileShardingId target,
                                          const Split& split) {
  Emitter& emit = context.emit;
  const TileSharding from = split_dim(context.at(value.sharding), split.dim, split.major);
  const TileSharding to = split_dim(context.at(target), split.dim, split.major);
  const auto behind = static_cast<std::ptrdiff_t>(split.dim) + 1;
  // The whole local extent becomes the new minor dimension, so that pieces stay contiguous.
  Dims local = emit.dims(value.value), full(emit.graph().types.get(value.full).dims);
  const int64_t extent = local[split.dim];
  local[split.dim] = 1;
  local.insert(local.begin() + behind, extent);
  const int64_t minor = extent * from.tile[split.dim + 1];
  full[split.dim] /= minor;
  full.insert(full.begin() + behind, minor);
  const ShardedValue cut{emit.reshape(value.value, local), emit.type({emit.element(value.value), full}),
                         context.id(from), value.scope};
  const TileShardingId wanted = context.id(to);
  const ShardedValue moved = reshard_uncached(context, cut, wanted, false);
  if (!context.same(moved.sharding, wanted)) return std::nullopt;
  Dims merged = emit.dims(moved.value);
  merged[split.dim] *= merged[split.dim + 1];
  merged.erase(merged.begin() + behind);
  ShardedValue result{emit.reshape(moved.value, merged), value.full,
                      context.id(merge_dim(context.at(moved.sharding), split.dim)), value.scope};
  if (context.same(result.sharding, target)) return result;
  result = reshard_uncached(context, result, target, false);
  if (!context.same(result.sharding, target)) return std::nullopt;
  return result;
}

// [.., X, .., Y, ..] -> [.., Y, .., X replicated]: give up X first, what is left may be one move.
std::optional<TileSharding> without_one_dim(const TileSharding& from, const TileSharding& to) {
  if (!has_partial_replication(to)) return std::nullopt;
  const auto replication = [](const TileSharding& s) {
    return has_partial_replication(s) ? s.tile[static_cast<size_t>(replication_dim(s))] : int64_t{1};
  };
  for (size_t d = 0; d < from.data_rank(); ++d) {
    if (from.tile[d] == 1 || from.tile[d] * replication(from) != replication(to)) continue;
    const auto dim = static_cast<int64_t>(d);
    return replicate_dims(from, std::span(&dim, 1));
  }
  return std::nullopt;
}

// The replication goes, as it is, to the first untiled dimension that is to have a multiple of it.
std::optional<TileSharding> replication_to_dim(const TileSharding& from, const TileSharding& to) {
  const auto replicated = static_cast<size_t>(replication_dim(from));
  const int64_t amount = from.tile[replicated];
  for (size_t d = 0; d < to.tile.size(); ++d) {
    if (to.tile[d] == from.tile[d] || from.tile[d] != 1 || to.tile[d] % amount != 0) continue;
    DimList perm(from.tile.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[d], perm[replicated]);
    return transpose_sharding(from, perm);
  }
  return std::nullopt;
}

std::optional<ShardedValue> reshard_via(Context& context, const ShardedValue& value, const TileSharding& middle,
                                        TileShardingId target) {
  const ShardedValue first = reshard(context, value, context.id(middle));
  const ShardedValue result = reshard_uncached(context, first, target, false);
  if (!context.same(result.sharding, target)) return std::nullopt;
  return result;
}

}  // namespace

std::optional<ShardedValue> reshard_complex(Context& context, const ShardedValue& value, TileShardingId target) {
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  const Dims full(context.emit.graph().types.get(value.full).dims);
  if (const auto split = dim_to_split(full, from, to)) return reshard_split(context, value, target, *split);
  if (const auto middle = without_one_dim(from, to)) return reshard_via(context, value, *middle, target);
  if (has_partial_replication(from) && !has_partial_replication(to))
    if (const auto middle = replication_to_dim(from, to)) return reshard_via(context, value, *middle, target);
  return std::nullopt;
}

}  // namespace sw
