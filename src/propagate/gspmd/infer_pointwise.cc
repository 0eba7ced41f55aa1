// Elementwise ops, and the default of all others: operand and result have the same shape, so the sharding goes over as
// it is. Follows the default cases of InferShardingFromOperands and GetShardingFromUser (sharding_propagation.cc).
#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

bool forward_from_all(Context& ctx, InstId id) {
  const size_t count = ctx.module.inst(id).operand_count;
  const bool aggressive = count == 1 && ctx.single_inner_user(id);
  const bool rng = ctx.module.inst(id).kind == OpKind::rng;
  bool changed = false;
  for (size_t i = 0; i < count; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    if (!ctx.state.partitioned(operand)) continue;
    const Shard from = ctx.state.shard(operand);
    if (rng) {
      // The operands of an rng are its bounds, of other shapes.
      const Shard none = ctx.intern(replicate_data_dims(ctx.pool.get(from), static_cast<int64_t>(ctx.state.rank(id))));
      changed |= ctx.offer(id, i, none, ctx.single_inner_user(id));
    } else {
      changed |= ctx.offer(id, i, from, aggressive);
    }
  }
  return changed;
}

}  // namespace

bool gspmd_forward_pointwise(Context& ctx, InstId id) {
  if (ctx.module.inst(id).elementwise && ctx.state.combine()) return forward_from_all(ctx, id);
  const InstId best = representative_operand(ctx, id);
  if (!best.valid() || !ctx.state.partitioned(best)) return false;
  ctx.from_operand(id, ctx.module.operand_index(id, best));
  if (ctx.state.is_tuple(best) != ctx.state.is_tuple(id) ||
      ctx.state.shards(best).size() != ctx.state.shards(id).size()) {
    return false;
  }
  return ctx.state.offer_all(id, Leaves(ctx.state.shards(best)), ctx.single_inner_user(id));
}

bool gspmd_backward_pointwise(Context& ctx, InstId operand, InstId user, Leaves& out) {
  if (!same_dims(ctx.state, operand, user)) return false;
  out.assign(ctx.state.shards(user).begin(), ctx.state.shards(user).end());
  return true;
}

}  // namespace sw::gspmd
