// Windows: reduce_window, select_and_scatter. Follows the cases of those names in sharding_propagation.cc: shapes
// correspond dimension by dimension, and dilation stops everything.
#include "ops/dims_window.h"
#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

bool dilated(const Context& ctx, InstId id, bool window_too) {
  WindowDims window;
  if (!read_window_dims(ctx.state.graph, ctx.module.inst(id).op, window)) return true;
  for (const WindowDim& d : window) {
    if (d.base_dilation > 1 || (window_too && d.window_dilation > 1)) return true;
  }
  return false;
}

}  // namespace

bool gspmd_forward_reduce_window(Context& ctx, InstId id) {
  if (dilated(ctx, id, /*window_too=*/true)) return false;
  bool changed = false;
  for (size_t i = 0; i < ctx.module.inst(id).operand_count / 2; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    if (!ctx.state.partitioned(operand)) continue;
    changed |= ctx.offer_everywhere(id, i, ctx.state.shard(operand), ctx.single_inner_user(id));
  }
  return changed;
}

bool gspmd_backward_reduce_window(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const size_t slot = ctx.module.operand_index(user, operand);
  const std::span<const Shard> results = ctx.state.shards(user);
  if (slot >= ctx.module.inst(user).operand_count / 2 || slot >= results.size()) return false;
  out = {results[slot]};
  return true;
}

bool gspmd_forward_select_and_scatter(Context& ctx, InstId id) {
  const InstId data = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(data) || dilated(ctx, id, /*window_too=*/false)) return false;
  return ctx.offer(id, 0, ctx.state.shard(data), ctx.single_inner_user(id));
}

bool gspmd_backward_select_and_scatter(Context& ctx, InstId operand, InstId user, Leaves& out) {
  return gspmd_backward_pointwise(ctx, operand, user, out);
}

}  // namespace sw::gspmd
