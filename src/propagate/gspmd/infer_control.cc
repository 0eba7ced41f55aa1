// Tuples and control flow. What loops and branches share (the state inside and outside) is copied by the driver; here
// are the rules of the instructions themselves. Follows the cases of those names in sharding_propagation.cc.
#include <algorithm>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {

bool gspmd_forward_nothing(Context&, InstId) { return false; }

bool gspmd_forward_get_tuple_element(Context& ctx, InstId id) {
  const InstId tuple = ctx.module.operand(id, 0);
  if (!ctx.state.partitioned(tuple)) return false;
  const Inst& inst = ctx.module.inst(id);
  const uint32_t first = tuple_element_leaf(ctx.state.graph, ctx.module, tuple, inst.number);
  if (first + inst.leaf_count > ctx.state.shards(tuple).size()) return false;
  const Leaves from(ctx.state.shards(tuple).subspan(first, inst.leaf_count));
  ctx.from_operand(id, 0);
  ctx.state.origin().from_leaf = first;
  bool all_manual = true;
  for (const Shard s : from) all_manual = all_manual && ctx.pool.is_manual(s);
  if (all_manual) {
    ctx.state.set_all(id, from);
    return true;
  }
  return ctx.state.offer_all(id, from, ctx.single_inner_user(id));
}

// The tuple of the instruction with its own sharding, or with nothing tiled, and this element replaced.
bool gspmd_backward_get_tuple_element(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const Inst& tuple = ctx.module.inst(operand);
  const uint32_t first = tuple_element_leaf(ctx.state.graph, ctx.module, operand, ctx.module.inst(user).number);
  const std::span<const Shard> element = ctx.state.shards(user);
  if (ctx.state.has(operand)) {
    out.assign(ctx.state.shards(operand).begin(), ctx.state.shards(operand).end());
  } else {
    out.clear();
    for (uint32_t leaf = 0; leaf < tuple.leaf_count; ++leaf) {
      const TileSharding none = replicate_data_dims(ctx.pool.get(element.front()),
                                                    static_cast<int64_t>(ctx.state.leaf_shape(operand, leaf).size()));
      out.push_back(ctx.intern(none));
    }
  }
  for (size_t i = 0; i < element.size() && first + i < out.size(); ++i) out[first + i] = element[i];
  return true;
}

bool gspmd_forward_tuple(Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  bool any = false;
  for (const uint32_t operand : ctx.module.operands(id)) any = any || ctx.state.partitioned(InstId{operand});
  if (!any) return false;
  // Each leaf takes what its operand has when that says more; a tuple without a sharding takes everything.
  const bool had = ctx.state.has(id);
  Leaves next;
  if (had) {
    next.append(ctx.state.shards(id).begin(), ctx.state.shards(id).end());
  } else {
    next.assign(size_t{inst.leaf_count}, ctx.pool.replicated());
  }
  size_t at = 0;
  bool changed = !had;
  for (size_t i = 0; i < inst.operand_count; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    const bool outfeed = ctx.module.inst(operand).kind == OpKind::outfeed;
    for (size_t j = 0; j < ctx.module.inst(operand).leaf_count; ++j, ++at) {
      if (!ctx.state.has(operand) || at >= next.size()) continue;
      const Shard from = outfeed ? ctx.state.shards(operand).back() : ctx.state.shards(operand)[j];
      if (had && !ctx.pool.more_specific(from, next[at])) continue;
      changed = changed || !ctx.pool.same(from, next[at]);
      next[at] = from;
      if (changed) ctx.from_operand(id, i);
    }
  }
  if (!changed) return false;
  ctx.state.set_all(id, next);
  return true;
}

bool gspmd_backward_tuple(Context& ctx, InstId operand, InstId user, Leaves& out) {
  // An operand that stands in the tuple more than once takes the most specific of its places.
  size_t at = 0;
  bool found = false;
  const size_t leaves = ctx.module.inst(operand).leaf_count;
  const bool flat = ctx.is_flat(user);
  for (const uint32_t raw : ctx.module.operands(user)) {
    const InstId other{raw};
    if (flat && other != operand) {
      ++at;
      continue;
    }
    if (at + leaves > ctx.state.shards(user).size()) return false;
    if (other == operand) {
      const std::span<const Shard> here = ctx.state.shards(user).subspan(at, leaves);
      if (!found || more_specific_leaves(ctx.pool, here, out)) out.assign(here.begin(), here.end());
      found = true;
    }
    at += ctx.module.inst(other).leaf_count;
  }
  return found;
}

bool gspmd_forward_parameter(Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  const InstId caller = ctx.module.comps[inst.comp.index()].sharer;
  if (!caller.valid()) return false;
  size_t slot = ctx.module.inst(caller).operand_count;
  if (ctx.module.inst(caller).kind == OpKind::case_) {
    const std::span<const uint32_t> branches = ctx.module.called(caller);
    for (size_t i = 0; i < branches.size() && slot == ctx.module.inst(caller).operand_count; ++i) {
      if (branches[i] == inst.comp.raw) slot = i + 1;
    }
  } else if (ctx.module.inst(caller).kind == OpKind::call) {
    slot = inst.number;
  }
  if (slot >= ctx.module.inst(caller).operand_count) return false;
  const InstId operand = ctx.module.operand(caller, slot);
  if (!ctx.state.has(operand) || ctx.state.shards(operand).size() != inst.leaf_count) return false;
  State::Origin origin{CauseKind::edge, ctx.module.inst(caller).op, operand, OpSlot::operand(slot), {}, 0};
  ctx.state.set_origin(origin);
  return ctx.state.offer_all(id, Leaves(ctx.state.shards(operand)));
}

bool gspmd_forward_while_(Context& ctx, InstId id) {
  const InstId init = ctx.module.operand(id, 0);
  if (!ctx.state.has(init) || ctx.state.shards(init).size() != ctx.state.shards(id).size()) return false;
  Leaves from(ctx.state.shards(init));
  if (ctx.state.has(id)) {
    for (size_t i = 0; i < from.size(); ++i) {
      const Shard joined = ctx.pool.merged(ctx.state.shards(id)[i], from[i], ctx.state.combine());
      if (joined != kNoShard) from[i] = joined;
    }
  }
  ctx.from_operand(id, 0);
  return ctx.state.offer_all(id, from);
}

bool gspmd_backward_outfeed(Context& ctx, InstId operand, InstId user, Leaves& out) {
  if (operand != ctx.module.operand(user, 0)) return false;
  const std::span<const Shard> all = ctx.state.shards(user);
  out.assign(size_t{ctx.module.inst(operand).leaf_count}, all.front());
  return true;
}

}  // namespace sw::gspmd
