// Resharding to and from partial replication: slicing what every device of a group has, gathering what it is to have.
//
// Worked example, slice: {devices=[2,1,4]<=[8] last_tile_dim_replicate} to {devices=[4,2]<=[2,4]T(1,0)} of f32[64,32]:
// the four devices that hold the same rows can take a quarter each, as [4,2] in *some* device order: dynamic-slice; the
// wanted order is another: permute.
//
// Follows PartialReplicateReshardCompatibleSharding, ReshardFromPartialReplicateWithDynamicSlice,
// ReshardToPartialReplicateWithAllGather and ReshardPartialReplicateWithAllToAll of XLA (spmd/).
#include "partition/collectives.h"
#include "partition/reshard.h"
#include "partition/windowed.h"

namespace sw {

std::optional<TileSharding> compatible_refinement(const TileSharding& partial, const TileSharding& target) {
  if (!is_tiled(partial) || !has_partial_replication(partial) || !is_tiled(target)) return std::nullopt;
  if (device_count(partial) != device_count(target) || partial.data_rank() != target.data_rank()) return std::nullopt;
  const size_t rank = partial.data_rank();
  DimList factors;
  for (size_t d = 0; d < rank; ++d) {
    if (target.tile[d] % partial.tile[d] != 0) return std::nullopt;
    factors.push_back(target.tile[d] / partial.tile[d]);
  }
  const Dims tiles(std::span<const int64_t>(target.tile).first(rank));
  if (is_sub_tiling(tiles, target, partial)) return target;
  // Cut the replication in the missing factors, in the order of the dimensions, and put each behind its dimension.
  TileDims cut;
  DimList perm;
  for (size_t d = 0; d < rank; ++d) cut.push_back(partial.tile[d]);
  for (size_t d = 0; d < rank; ++d) {
    perm.push_back(static_cast<int64_t>(d));
    if (factors[d] == 1) continue;
    perm.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(factors[d]);
  }
  if (replicates_on_last_dim(target)) {
    perm.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(target.tile.back());
  }
  const TileGrid grid =
      reshaped(transposed(reshaped(grid_of(partial), cut), perm), TileDims(std::span<const int64_t>(target.tile)));
  return replicates_on_last_dim(target) ? partial_tiles(grid) : plain_tiles(grid);
}

namespace {

// Uneven: a coarse piece may need rows that the finer pieces' padding displaced, so rows move between neighbours first.
// `fine` has `ratio` tiles where `coarse` has one. Following the rows of fine tile i under the coarse tiling: the
// pieces of coarse tile i / ratio start (i / ratio) * excess rows earlier.
ValueId move_rows_to_coarse_pieces(Context& context, const ShardedValue& value, const Dims& full,
                                   const TileSharding& fine, const TileSharding& coarse, const DimList& dims) {
  const Dims fine_padded = padded_dims(full, fine), coarse_padded = padded_dims(full, coarse);
  ValueId result = value.value;
  if (coarse_padded == context.emit.dims(result)) return result;
  std::vector<ValueId> ordinals;
  for (int64_t dim : dims) {
    const auto d = static_cast<size_t>(dim);
    const int64_t fine_size = fine_padded[d] / coarse.tile[d], coarse_size = coarse_padded[d] / coarse.tile[d];
    if (fine_size <= coarse_size || coarse.tile[d] == 1) continue;
    if (ordinals.empty()) ordinals = shard_ordinals(context, fine, value.scope->partition_id);
    const OrdinalExtent left = OrdinalExtent(1, 0, fine.tile[d] / coarse.tile[d]).times(fine_size - coarse_size);
    result =
        exchange_halo_compact(context, *value.scope, result, full, {left, left.times(-1), d}, {}, fine, ordinals[d]);
  }
  return result;
}

// Uneven, the other way: a coarse piece is to be cut in `fine` pieces whose padding makes it longer.
ValueId pad_to_fine_pieces(Context& context, const ShardedValue& value, const Dims& full, const TileSharding& coarse,
                           const TileSharding& fine, const DimList& dims) {
  Emitter& emit = context.emit;
  const Dims coarse_padded = padded_dims(full, coarse), fine_padded = padded_dims(full, fine);
  ValueId result = value.value;
  if (fine_padded == emit.dims(result)) return result;
  std::vector<ValueId> ordinals;
  std::vector<PadDim> pads(full.size());
  for (int64_t dim : dims) {
    const auto d = static_cast<size_t>(dim);
    const int64_t have = coarse_padded[d] / coarse.tile[d], need = fine_padded[d] / coarse.tile[d];
    if (have >= need) continue;
    if (coarse.tile[d] == 1) {
      pads[d].high = fine_padded[d] - coarse_padded[d];
      continue;
    }
    if (ordinals.empty()) ordinals = shard_ordinals(context, coarse, value.scope->partition_id);
    const Halo halo{OrdinalExtent(have - need, 0, 1), OrdinalExtent(need - have, need - have, 1), d};
    result = exchange_halo_compact(context, *value.scope, result, full, halo, {}, coarse, ordinals[d]);
  }
  return emit.pad(result, emit.zero(emit.element(result)), pads);
}

}  // namespace

std::optional<ShardedValue> reshard_by_gather(Context& context, const ShardedValue& value, TileShardingId target) {
  const TileSharding to = context.at(target);
  const auto refined = compatible_refinement(to, context.at(value.sharding));
  if (!refined) return std::nullopt;
  ShardedValue current = value;
  const TileShardingId refined_id = context.id(*refined);
  if (can_permute(context.at(value.sharding), *refined)) current = reshard_by_permute(context, value, refined_id);
  const Dims full(context.emit.graph().types.get(value.full).dims);
  DimList dims, factors;
  for (size_t d = 0; d < full.size(); ++d) {
    if (refined->tile[d] == to.tile[d]) continue;
    dims.push_back(static_cast<int64_t>(d));
    factors.push_back(refined->tile[d] / to.tile[d]);
  }
  const ValueId rows = move_rows_to_coarse_pieces(context, current, full, *refined, to, dims);
  // Devices of one coarse piece form a group; inside it, `dims` are tiled by the factors.
  const GroupedSharding grouped = group_on_dims(*refined, dims, factors);
  const ShardedValue inside{rows, context.emit.type({context.emit.element(rows), shard_dims(full, to)}),
                            context.id(grouped.inner), group_scope(context, value.scope, grouped.device_groups)};
  return ShardedValue{gather_value_dims(context, inside, dims), value.full, target, value.scope};
}

std::optional<ShardedValue> reshard_by_slice(Context& context, const ShardedValue& value, TileShardingId target) {
  Emitter& emit = context.emit;
  const TileSharding from = context.at(value.sharding);
  const auto refined = compatible_refinement(from, context.at(target));
  if (!refined) return std::nullopt;
  const Dims full(emit.graph().types.get(value.full).dims);
  DimList dims;
  for (size_t d = 0; d < full.size(); ++d)
    if (refined->tile[d] > from.tile[d]) dims.push_back(static_cast<int64_t>(d));
  const ValueId padded = pad_to_fine_pieces(context, value, full, from, *refined, dims);
  // Where the fine piece starts inside the coarse one.
  const Dims even = padded_dims(full, *refined);
  std::vector<ValueId> offsets = shard_offsets(context, even, *refined, value.scope->partition_id);
  const std::vector<ValueId> coarse_offsets = shard_offsets(context, even, from, value.scope->partition_id);
  for (size_t d = 0; d < offsets.size(); ++d) offsets[d] = emit.binary(OpKind::subtract, offsets[d], coarse_offsets[d]);
  const ShardedValue sliced{emit.dynamic_slice(padded, offsets, shard_dims(full, *refined)), value.full,
                            context.id(*refined), value.scope};
  if (can_permute(*refined, context.at(target))) return reshard_by_permute(context, sliced, target);
  return sliced;
}

std::optional<ShardedValue> reshard_partial_by_all_to_all(Context& context, const ShardedValue& value,
                                                          TileShardingId target) {
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  const bool from_partial = replicates_on_last_dim(from);
  const TileSharding& partial = from_partial ? from : to;
  const TileSharding& tiled = from_partial ? to : from;
  if (!replicates_on_last_dim(partial) || replicates_on_last_dim(tiled) || !is_tiled(tiled)) return std::nullopt;
  const size_t rank = tiled.tile.size();
  if (rank + 1 != partial.tile.size() || partial.tile[0] != 1) return std::nullopt;
  // The partial tiling is the full one shifted by a dimension: its replication is the last tiled dimension of the
  // other.
  std::optional<size_t> last;
  for (size_t d = rank; d-- > 0;) {
    if (tiled.tile[d] > 1 && !last) {
      if (tiled.tile[d] != partial.tile.back()) return std::nullopt;
      last = d;
    }
    if (tiled.tile[d] != partial.tile[d + 1]) return std::nullopt;
  }
  if (!last || !same_grid(reshaped(grid_of(partial), grid_of(tiled).dims), grid_of(tiled))) return std::nullopt;
  TileDims between = grid_of(tiled).dims;
  between[*last] = 1;
  between.push_back(partial.tile.back());
  const TileSharding middle = partial_tiles(reshaped(grid_of(tiled), between));
  const TileShardingId middle_id = context.id(middle);
  if (from_partial) {
    const auto pairs = all_to_all_pairs(from, middle);
    if (!pairs) return std::nullopt;
    return reshard(context, reshard_by_all_to_all(context, value, middle_id, *pairs), target);
  }
  const ShardedValue gathered = reshard(context, value, middle_id);
  const auto pairs = all_to_all_pairs(context.at(gathered.sharding), to);
  if (!pairs) return std::nullopt;
  return reshard_by_all_to_all(context, gathered, target, *pairs);
}

}  // namespace sw
