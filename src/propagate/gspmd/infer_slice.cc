// dynamic_slice and dynamic_update_slice: dimensions that are really sliced are not tiled. Follows
// InferDynamicUpdateSliceShardingFromOperand0/1 (sharding_propagation.cc).
#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

enum Tag : uint32_t { kForward = 0, kBackward = 1 };

DimList sliced_dims(std::span<const int64_t> a, std::span<const int64_t> b) {
  DimList dims;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) dims.push_back(static_cast<int64_t>(i));
  }
  return dims;
}

bool from_small_operand(Context& ctx, InstId id, size_t slot) {
  const InstId operand = ctx.module.operand(id, slot);
  if (!ctx.state.partitioned(operand)) return false;
  const Shard from = ctx.state.shard(operand);
  const Shard next = ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    return ctx.intern(replicate_dims(ctx.pool.get(from), sliced_dims(ctx.state.shape(id), ctx.state.shape(operand))));
  });
  return ctx.offer(id, slot, next, ctx.single_inner_user(id));
}

// `slot`: the operand of other size than the result.
bool to_sized_operand(Context& ctx, InstId operand, InstId user, size_t slot, Leaves& out) {
  if (operand != ctx.module.operand(user, slot)) return false;
  const Shard from = ctx.state.shard(user);
  out = {ctx.pool.remember(ctx.class_of(user), kBackward, from, [&] {
    return ctx.intern(replicate_dims(ctx.pool.get(from), sliced_dims(ctx.state.shape(user), ctx.state.shape(operand))));
  })};
  return true;
}

}  // namespace

bool gspmd_forward_dynamic_slice(Context& ctx, InstId id) { return from_small_operand(ctx, id, 0); }

bool gspmd_backward_dynamic_slice(Context& ctx, InstId operand, InstId user, Leaves& out) {
  if (ctx.state.level() == 0) return false;
  if (ctx.state.is_replicated(user)) {
    out = {ctx.state.shard(user)};
    return true;
  }
  return to_sized_operand(ctx, operand, user, 0, out);
}

bool gspmd_forward_dynamic_update_slice(Context& ctx, InstId id) {
  bool changed = from_small_operand(ctx, id, 1);
  const InstId whole = ctx.module.operand(id, 0);
  if (ctx.state.partitioned(whole)) changed |= ctx.offer(id, 0, ctx.state.shard(whole));
  return changed;
}

bool gspmd_backward_dynamic_update_slice(Context& ctx, InstId operand, InstId user, Leaves& out) {
  if (ctx.state.level() == 0) return false;
  if (ctx.state.is_replicated(user) || operand == ctx.module.operand(user, 0)) {
    out = {ctx.state.shard(user)};
    return true;
  }
  return to_sized_operand(ctx, operand, user, 1, out);
}

}  // namespace sw::gspmd
