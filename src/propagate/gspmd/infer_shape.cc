// Ops that rearrange: broadcast, reshape, transpose, reverse, concatenate, slice, pad. Follows the cases of those names
// in sharding_propagation.cc and InferBroadcastOperandSharding.
#include <algorithm>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

enum Tag : uint32_t { kForward = 0, kBackward = 1 };

// Dimension of the operand that dimension i of the result repeats, -1 for a new one.
DimList operand_of_result(std::span<const int64_t> dims, size_t rank) {
  DimList of(rank, -1);
  for (size_t i = 0; i < dims.size(); ++i) of[static_cast<size_t>(dims[i])] = static_cast<int64_t>(i);
  return of;
}

}  // namespace

bool gspmd_forward_broadcast_in_dim(Context& ctx, InstId id) {
  // Late, so that what is small is not tiled first and moved after the broadcast.
  if (ctx.state.level() < 3) return false;
  const InstId operand = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(operand) || ctx.state.is_replicated(operand)) return false;
  const Shard from = ctx.state.shard(operand);
  const Shard next = ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    const TileSharding s = ctx.pool.get(from);
    if (!sw::is_tiled(s)) return from;
    TileDims tiles;
    for (const int64_t source : operand_of_result(ctx.module.dims(id), ctx.state.rank(id))) {
      tiles.push_back(source < 0 ? 1 : s.tile[static_cast<size_t>(source)]);
    }
    return ctx.intern(with_data_tiles(s, tiles));
  });
  return ctx.offer(id, 0, next, ctx.single_inner_user(id));
}

bool gspmd_backward_broadcast_in_dim(Context& ctx, InstId, InstId user, Leaves& out) {
  const Shard from = ctx.state.shard(user);
  out = {ctx.pool.remember(ctx.class_of(user), kBackward, from, [&] {
    const TileSharding s = ctx.pool.get(from);
    if (!sw::is_tiled(s)) return from;
    DimList added;
    const DimList source = operand_of_result(ctx.module.dims(user), ctx.state.rank(user));
    for (size_t i = 0; i < source.size(); ++i) {
      if (source[i] < 0) added.push_back(static_cast<int64_t>(i));
    }
    return ctx.intern(remove_dims(replicate_dims(s, added), added));
  })};
  return true;
}

bool gspmd_forward_reshape(Context& ctx, InstId id) {
  const InstId operand = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(operand)) return false;
  const Shard from = ctx.state.shard(operand);
  const Shard next = ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    return ctx.intern(through_reshape(ctx.state.shape(operand), ctx.state.shape(id), TileSharding(ctx.pool.get(from))));
  });
  return ctx.offer(id, 0, next, ctx.single_inner_user(id));
}

bool gspmd_backward_reshape(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const Shard from = ctx.state.shard(user);
  out = {ctx.pool.remember(ctx.class_of(user), kBackward, from, [&] {
    return ctx.intern(
        through_reshape(ctx.state.shape(user), ctx.state.shape(operand), TileSharding(ctx.pool.get(from))));
  })};
  return true;
}

bool gspmd_forward_transpose(Context& ctx, InstId id) {
  const InstId operand = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(operand)) return false;
  const Shard from = ctx.state.shard(operand);
  const Shard next = ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    return ctx.intern(transpose_sharding(ctx.pool.get(from), ctx.module.dims(id)));
  });
  return ctx.offer(id, 0, next, ctx.single_inner_user(id));
}

bool gspmd_backward_transpose(Context& ctx, InstId, InstId user, Leaves& out) {
  const Shard from = ctx.state.shard(user);
  out = {ctx.pool.remember(ctx.class_of(user), kBackward, from, [&] {
    const DimList inverse = operand_of_result(ctx.module.dims(user), ctx.module.dims(user).size());
    return ctx.intern(transpose_sharding(ctx.pool.get(from), inverse));
  })};
  return true;
}

bool gspmd_forward_reverse(Context& ctx, InstId id) {
  const InstId operand = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(operand)) return false;
  const Shard from = ctx.state.shard(operand);
  const Shard next = ctx.pool.remember(ctx.class_of(id), kForward, from, [&] {
    return ctx.intern(reverse_sharding(ctx.pool.get(from), ctx.module.dims(id)));
  });
  return ctx.offer(id, 0, next, ctx.single_inner_user(id));
}

bool gspmd_backward_reverse(Context& ctx, InstId, InstId user, Leaves& out) {
  const Shard from = ctx.state.shard(user);
  out = {ctx.pool.remember(ctx.class_of(user), kForward, from,
                           [&] { return ctx.intern(reverse_sharding(ctx.pool.get(from), ctx.module.dims(user))); })};
  return true;
}

namespace {

// Parameters of repeated layers that are stacked: reshape of a parameter, tiled, but not along the joined dimension.
bool joins_layer_parameters(const Context& ctx, InstId id) {
  const int64_t joined = ctx.module.dims(id)[0];
  for (const uint32_t raw : ctx.module.operands(id)) {
    const InstId operand{raw};
    if (!ctx.state.partitioned(operand) || ctx.module.inst(operand).kind != OpKind::reshape) return false;
    const TileSharding& s = ctx.pool.get(ctx.state.shard(operand));
    if (tile_count(s) <= 1 || s.tile[static_cast<size_t>(joined)] > 1) return false;
    const OpKind source = ctx.module.inst(ctx.module.operand(operand, 0)).kind;
    if (source != OpKind::parameter && source != OpKind::get_tuple_element) return false;
  }
  return true;
}

}  // namespace

bool gspmd_forward_concatenate(Context& ctx, InstId id) {
  const InstId best = representative_operand(ctx, id);
  if (!best.valid() || !ctx.state.partitioned(best)) return false;
  if (ctx.state.level() == 0 && !joins_layer_parameters(ctx, id)) return false;
  return ctx.offer(id, ctx.module.operand_index(id, best), ctx.state.shard(best), ctx.single_inner_user(id));
}

bool gspmd_backward_concatenate(Context& ctx, InstId, InstId user, Leaves& out) {
  if (ctx.state.level() == 0) return false;
  out = {ctx.state.shard(user)};
  return true;
}

bool gspmd_forward_slice(Context& ctx, InstId id) { return gspmd_forward_pointwise(ctx, id); }

bool gspmd_backward_slice(Context& ctx, InstId, InstId user, Leaves& out) {
  out = {ctx.state.shard(user)};
  return true;
}

bool gspmd_forward_pad(Context& ctx, InstId id) { return gspmd_forward_pointwise(ctx, id); }

bool gspmd_backward_pad(Context& ctx, InstId operand, InstId user, Leaves& out) {
  if (operand != ctx.module.operand(user, 0)) return false;
  out = {ctx.state.shard(user)};
  return true;
}

}  // namespace sw::gspmd
