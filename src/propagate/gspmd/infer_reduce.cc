// Reductions and sorting. Follows InferReduceShardingFromOperand and the cases of reduce and sort
// (sharding_propagation.cc). Worked example: f32[64,32] tiled (2,4), summed over dimension 1: the 4 become replication
// and the dimension goes, {devices=[2,4]<=[8] last_tile_dim_replicate}.
#include <algorithm>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

enum Tag : uint32_t { kForward = 0, kBackward = 1 };

Shard reduced(Context& ctx, InstId id, Shard from) {
  return ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    const std::span<const int64_t> dims = ctx.module.dims(id);
    const TileSharding s = replicate_dims(ctx.pool.get(from), dims);
    return ctx.intern(sw::is_tiled(s) ? remove_dims(s, dims) : s);
  });
}

// The result's tiles with untiled dimensions where the reduced ones were.
Shard unreduced(Context& ctx, InstId user, size_t operand_rank, Shard from) {
  if (!ctx.pool.is_tiled(from)) return from;
  return ctx.pool.remember(ctx.class_of(user), kBackward, from, [&] {
    const TileSharding s = ctx.pool.get(from);
    TileDims tiles(operand_rank, -1);
    for (const int64_t d : ctx.module.dims(user)) tiles[static_cast<size_t>(d)] = 1;
    size_t next = 0;
    for (int64_t& t : tiles) {
      if (t < 0) t = s.tile[next++];
    }
    return ctx.intern(with_data_tiles(s, tiles));
  });
}

}  // namespace

bool gspmd_forward_reduce(Context& ctx, InstId id) {
  const size_t inputs = ctx.module.inst(id).operand_count / 2;
  const bool aggressive = ctx.single_inner_user(id);
  bool changed = false;
  for (size_t i = 0; i < inputs; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    if (!ctx.state.partitioned(operand)) continue;
    const Shard from = ctx.state.shard(operand);
    if (ctx.pool.is_manual(from)) {
      changed |= ctx.offer_leaf(id, i, i, from, aggressive);
    } else {
      // All results are of the same loop, so they are tiled the same.
      changed |= ctx.offer_everywhere(id, i, ctx.pool.is_tiled(from) ? reduced(ctx, id, from) : ctx.pool.replicated(),
                                      aggressive);
    }
  }
  return changed;
}

bool gspmd_backward_reduce(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const size_t rank = ctx.state.rank(operand);
  if (rank == 0) return false;
  const size_t slot = ctx.module.operand_index(user, operand);
  const std::span<const Shard> results = ctx.state.shards(user);
  Shard from = unreduced(ctx, user, rank, results[std::min(slot, results.size() - 1)]);
  // The other inputs are read together with this one.
  const size_t inputs = ctx.module.inst(user).operand_count / 2;
  for (size_t i = 0; i < inputs; ++i) {
    const InstId other = ctx.module.operand(user, i);
    if (other == operand || !ctx.state.has(other)) continue;
    const Shard joined = ctx.pool.merged_if_compatible(ctx.state.shard(other), from);
    if (joined != kNoShard) from = joined;
  }
  out = {from};
  return true;
}

bool gspmd_forward_sort(Context& ctx, InstId id) {
  const InstId best = representative_operand(ctx, id);
  if (!best.valid() || !ctx.state.partitioned(best)) return false;
  const Shard from = ctx.state.shard(best);
  if (ctx.pool.is_tiled(from)) {
    const TileSharding& s = ctx.pool.get(from);
    const int64_t dim = ctx.module.dims(id)[0];
    // Tiles along the sorted dimension must be able to move to another one for the time of sorting.
    if (s.tile[static_cast<size_t>(dim)] != 1 && !first_dim_to_absorb(ctx.state.shape(best), s, dim)) return false;
  }
  return ctx.offer_everywhere(id, ctx.module.operand_index(id, best), from, ctx.single_inner_user(id));
}

bool gspmd_backward_sort(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const std::span<const Shard> results = ctx.state.shards(user);
  const size_t slot = ctx.module.operand_index(user, operand);
  if (slot >= results.size()) return false;
  out = {results[slot]};
  return true;
}

}  // namespace sw::gspmd
