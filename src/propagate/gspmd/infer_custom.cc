// Custom calls. Follows the case of custom calls in sharding_propagation.cc, the default CustomCallShardingHelper, and
// JAX's partitioner for calls that are a batch of small problems: their leading batch dimensions are tiled, the rest is
// whole.
#include <algorithm>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

// The tiles of the first `batch` dimensions.
TileSharding batch_part(const TileSharding& s, size_t batch) {
  if (!sw::is_tiled(s) || batch == 0 || batch >= s.data_rank()) return replicated_sharding();
  DimList inner;
  for (size_t d = batch; d < s.data_rank(); ++d) inner.push_back(static_cast<int64_t>(d));
  return remove_dims(replicate_dims(s, inner), inner);
}

// What all operands have in common on the batch dimensions; the other dimensions of every result are untiled.
bool forward_batch(Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  std::vector<Shard> all;
  for (const uint32_t raw : ctx.module.operands(id)) {
    const InstId operand{raw};
    if (ctx.state.has(operand))
      all.push_back(ctx.intern(batch_part(ctx.pool.get(ctx.state.shard(operand)), inst.number)));
  }
  if (all.empty() || inst.number == 0) return false;
  const TileSharding common = ctx.pool.get(ctx.pool.common(all));
  Leaves next;
  for (size_t leaf = 0; leaf < inst.leaf_count; ++leaf) {
    const size_t rank = ctx.state.leaf_shape(id, leaf).size();
    if (!sw::is_tiled(common) || rank < inst.number) {
      next.push_back(ctx.pool.replicated());
      continue;
    }
    TileDims tiles(std::span<const int64_t>(common.tile).first(common.data_rank()));
    tiles.resize(rank, 1);
    next.push_back(ctx.intern(with_data_tiles(common, tiles)));
  }
  ctx.from_operand(id, 0);
  return ctx.state.offer_all(id, next, ctx.single_inner_user(id));
}

}  // namespace

bool gspmd_forward_custom_call(Context& ctx, InstId id) {
  switch (ctx.module.inst(id).target) {
    case CallTarget::batch: return forward_batch(ctx, id);
    case CallTarget::barrier_from: return false;
    case CallTarget::barrier_to: {
      const InstId operand = ctx.module.operand(id, 0);
      return ctx.state.has(operand) && ctx.offer(id, 0, ctx.state.shard(operand), ctx.single_inner_user(id));
    }
    default: break;
  }
  if (!passes_through(ctx, id) || ctx.module.inst(id).operand_count == 0) return false;
  const InstId operand = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(operand)) return false;
  return ctx.offer(id, 0, ctx.state.shard(operand), ctx.single_inner_user(id));
}

bool gspmd_backward_custom_call(Context& ctx, InstId operand, InstId user, Leaves& out) {
  return gspmd_backward_pointwise(ctx, operand, user, out);
}

}  // namespace sw::gspmd
