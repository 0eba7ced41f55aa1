// The frame around the rules: which ops let shardings through at which level, how manual shardings spread, and what can
// be tiled. Follows InferShardingFromOperands, InferShardingFromUsers, GetShardingFromUser, SupportSpatialPartitioning
// and CanPropagateThroughAtAggressiveLevel (sharding_propagation.cc).
#include <algorithm>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {

uint32_t Context::pair(uint32_t a, uint32_t b) {
  const Memo::Key key{a, b};
  if (const uint32_t* known = pairs.find(key)) return *known;
  pairs.put(key, ++next_class);
  return next_class;
}

uint32_t Context::compute_class(InstId id) {
  const Inst& inst = module.inst(id);
  uint32_t c = pair(static_cast<uint32_t>(inst.kind), inst.type.raw);
  for (const uint32_t operand_raw : module.operands(id)) c = pair(c, module.insts[operand_raw].type.raw);
  for (const int64_t d : module.dims(id)) c = pair(c, static_cast<uint32_t>(d));
  if (!inst.op.valid() ||
      (inst.kind != OpKind::dot_general && inst.kind != OpKind::dot && inst.kind != OpKind::convolution)) {
    return c;
  }
  // Attributes that say nothing about dimensions only split classes needlessly; they are few.
  for (const NamedAttr& attr : state.graph.attrs(state.graph.op(inst.op))) {
    const std::string_view name = state.graph.strings.text(attr.name);
    if (name == "mhlo.sharding" || name == "metadata" || name == "mhlo.frontend_attributes" || name == "backend_config")
      continue;
    c = pair(c, pair(attr.name.raw, attr.value.raw));
  }
  return c;
}

uint32_t Context::class_of(InstId id) {
  if (rule_class.empty()) rule_class.assign(module.insts.size(), kNoShard);
  uint32_t& known = rule_class[id.index()];
  if (known == kNoShard) known = compute_class(id);
  return known;
}

bool Context::single_inner_user(InstId id) const {
  const InstId root = module.comps[module.inst(id).comp.index()].root;
  size_t count = 0;
  for (const uint32_t user : module.users[id.index()]) count += user != root.raw;
  return count == 1;
}

void Context::from_operand(InstId id, size_t slot) {
  const Inst& inst = module.inst(id);
  const InstId operand = slot < inst.operand_count ? module.operand(id, slot) : InstId{};
  state.set_origin({CauseKind::rule, inst.op, operand, OpSlot::operand(slot), OpSlot::result(0), 0});
}

uint32_t Context::leaf_of_operand(InstId tuple, size_t slot) {
  if (is_flat(tuple)) return static_cast<uint32_t>(slot);
  uint32_t leaf = 0;
  for (size_t i = 0; i < slot; ++i) leaf += module.inst(module.operand(tuple, i)).leaf_count;
  return leaf;
}

// The result of a large model has thousands of operands, each of which asks for its place: kept for one tuple.
bool Context::is_flat(InstId tuple) {
  if (asked_tuple != tuple) {
    const std::span<const uint32_t> operands = module.operands(tuple);
    asked_tuple = tuple;
    tuple_of_arrays =
        std::all_of(operands.begin(), operands.end(), [&](uint32_t id) { return state.is_array(InstId{id}); });
  }
  return tuple_of_arrays;
}

bool Context::offer(InstId id, size_t slot, Shard from, bool aggressive) {
  from_operand(id, slot);
  return state.offer(id, from, aggressive);
}

bool Context::offer_leaf(InstId id, size_t slot, size_t leaf, Shard from, bool aggressive) {
  from_operand(id, slot);
  return state.offer_leaf(id, leaf, from, aggressive);
}

bool Context::offer_everywhere(InstId id, size_t slot, Shard from, bool aggressive) {
  from_operand(id, slot);
  return state.offer_everywhere(id, from, aggressive);
}

uint32_t tuple_element_leaf(const Graph& graph, const Module& module, InstId tuple, uint32_t index) {
  const Inst& inst = module.inst(tuple);
  const std::span<const TypeId> elements = graph.types.get(inst.type).elements;
  if (elements.size() == inst.leaf_count) return index;
  std::vector<TypeId> leaves;
  for (uint32_t i = 0; i < index && i < elements.size(); ++i) collect_leaves(graph.types, elements[i], leaves);
  return static_cast<uint32_t>(std::min<size_t>(leaves.size(), inst.leaf_count - 1));
}

bool more_specific_leaves(const ShardingPool& pool, std::span<const Shard> a, std::span<const Shard> b) {
  bool better = false;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (pool.more_specific(b[i], a[i])) return false;
    better = better || pool.more_specific(a[i], b[i]);
  }
  return better;
}

bool same_dims(const State& state, InstId a, InstId b) {
  const Inst &x = state.module.inst(a), &y = state.module.inst(b);
  if (x.type == y.type) return true;
  if (x.leaf_count != y.leaf_count || state.is_array(a) != state.is_array(b)) return false;
  for (size_t i = 0; i < x.leaf_count; ++i) {
    const std::span<const int64_t> p = state.leaf_shape(a, i), q = state.leaf_shape(b, i);
    if (!std::equal(p.begin(), p.end(), q.begin(), q.end())) return false;
    if (!p.empty()) continue;
    const Type s = state.graph.types.get(state.module.type_of_leaf[x.leaf_begin + i]);
    const Type t = state.graph.types.get(state.module.type_of_leaf[y.leaf_begin + i]);
    if (s.is_token() != t.is_token()) return false;
  }
  return true;
}

bool passes_through(const Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  if (inst.target == CallTarget::sharding || inst.target == CallTarget::passes_first) return true;
  return inst.target == CallTarget::passes_only && inst.operand_count == 1 && ctx.state.is_array(id) &&
         ctx.state.is_array(ctx.module.operand(id, 0)) &&
         ctx.state.rank(ctx.module.operand(id, 0)) == ctx.state.rank(id);
}

bool can_be_tiled(const Context& ctx, InstId id, bool allow_outputs, bool allow_parameters) {
  const Inst& inst = ctx.module.inst(id);
  const bool called = ctx.module.comps[inst.comp.index()].sharer.valid();
  if (ctx.module.is_root(id) && !called && !(inst.comp == ctx.module.entry && allow_outputs)) return false;
  if (inst.elementwise) return true;
  switch (inst.kind) {
    case OpKind::parameter: return allow_parameters || called;
    case OpKind::custom_call:
      return inst.target == CallTarget::batch || inst.target == CallTarget::barrier_from ||
             inst.target == CallTarget::barrier_to || passes_through(ctx, id);
    case OpKind::bitcast_convert:
    case OpKind::map: return false;  // unless elementwise
    default: return rule_of(inst.kind).can_be_tiled;
  }
}

InstId representative_operand(const Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  if (inst.operand_count == 0) return {};
  const Representative which = rule_of(inst.kind).representative;
  if (which == Representative::none) return {};
  if (which == Representative::first)
    return ctx.state.has(ctx.module.operand(id, 0)) ? ctx.module.operand(id, 0) : InstId{};
  InstId best;
  for (const uint32_t raw : ctx.module.operands(id)) {
    const InstId operand{raw};
    if (!ctx.state.has(operand)) continue;
    if (!best.valid() || (ctx.state.shards(operand).size() == ctx.state.shards(best).size() &&
                          more_specific_leaves(ctx.pool, ctx.state.shards(operand), ctx.state.shards(best)))) {
      best = operand;
    }
  }
  return best;
}

namespace {

int first_level(const Module& module, InstId id) {
  const Inst& inst = module.inst(id);
  if (inst.elementwise || inst.target == CallTarget::sharding) return 0;
  if (inst.kind == OpKind::bitcast_convert || inst.kind == OpKind::map) return 1;
  return rule_of(inst.kind).level;
}

bool correlated_results(const Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  return ctx.state.is_array(id) || inst.kind == OpKind::reduce || inst.kind == OpKind::sort ||
         inst.kind == OpKind::reduce_window || inst.kind == OpKind::custom_call || inst.kind == OpKind::scan;
}

enum class Outcome : uint8_t { go_on, changed, stop };

// A manual operand makes the result manual.
Outcome manual_from_operands(Context& ctx, InstId id) {
  if ((ctx.state.has(id) && !ctx.state.is_trivial(id)) || !correlated_results(ctx, id)) return Outcome::go_on;
  const Inst& inst = ctx.module.inst(id);
  for (size_t i = 0; i < inst.operand_count; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    if (!ctx.state.has(operand) || !ctx.state.is_manual(operand)) continue;
    if (inst.target == CallTarget::shard_to_full) return Outcome::stop;
    const bool early = inst.kind == OpKind::concatenate || inst.kind == OpKind::dynamic_slice;
    if (early && ctx.state.level() == 0) return Outcome::stop;
    ctx.from_operand(id, i);
    ctx.state.set_all(id, Leaves(inst.leaf_count, ctx.pool.manual()));
    return Outcome::changed;
  }
  return Outcome::go_on;
}

// What cannot be tiled is replicated when an operand is.
bool replicated_from_operands(Context& ctx, InstId id) {
  const Inst& inst = ctx.module.inst(id);
  if (ctx.state.is_tuple(id) || ctx.module.is_root(id) || inst.has_side_effect) return false;
  for (size_t i = 0; i < inst.operand_count; ++i) {
    const InstId operand = ctx.module.operand(id, i);
    if (!ctx.state.has(operand) || !ctx.state.is_replicated(operand)) continue;
    if (ctx.state.is_tuple(operand)) return false;
    return ctx.offer(id, i, ctx.state.shard(operand));
  }
  return false;
}

void from_user(Context& ctx, InstId id, InstId user) {
  const size_t slot = ctx.module.operand_index(user, id);
  uint32_t leaf = 0;
  if (ctx.module.inst(user).kind == OpKind::tuple && ctx.module.inst(user).operand_count > 1)
    leaf = ctx.leaf_of_operand(user, slot);
  ctx.state.set_origin(
      {CauseKind::rule, ctx.module.inst(user).op, user, OpSlot::result(0), OpSlot::operand(slot), leaf});
}

// A manual user makes its operand manual.
bool manual_from_users(Context& ctx, InstId id) {
  if (ctx.state.has(id) && !ctx.state.is_trivial(id)) return false;
  Leaves out;
  for (const uint32_t raw : ctx.module.users[id.index()]) {
    const InstId user{raw};
    if (!ctx.state.has(user) || ctx.module.inst(user).target == CallTarget::full_to_shard) continue;
    bool manual = ctx.state.is_array(id) && ctx.state.is_manual(user);
    if (manual) {
      out = {ctx.pool.manual()};
    } else {
      manual = ctx.any_manual && sharding_from_user(ctx, id, user, ctx.state.level(), out) &&
               std::all_of(out.begin(), out.end(), [&](Shard s) { return ctx.pool.is_manual(s); });
    }
    if (!manual) continue;
    from_user(ctx, id, user);
    ctx.state.set_all(id, out);
    return true;
  }
  return false;
}

bool offer_from_user(Context& ctx, InstId id, InstId user, Leaves& scratch) {
  if (ctx.module.inst(user).kind == OpKind::get_tuple_element && ctx.state.has(id)) {
    if (!ctx.state.partitioned(user)) return false;
    const uint32_t first = tuple_element_leaf(ctx.state.graph, ctx.module, id, ctx.module.inst(user).number);
    from_user(ctx, id, user);
    return ctx.state.offer_part(id, first, Leaves(ctx.state.shards(user)));
  }
  if (!sharding_from_user(ctx, id, user, ctx.state.level(), scratch)) return false;
  if (ctx.module.inst(id).target == CallTarget::barrier_to) scratch.assign(scratch.size(), ctx.pool.replicated());
  from_user(ctx, id, user);
  return ctx.state.offer_all(id, scratch);
}

}  // namespace

bool infer_from_operands(Context& ctx, InstId id, bool allow_outputs) {
  const Inst& inst = ctx.module.inst(id);
  if (ctx.state.level() < first_level(ctx.module, id)) return false;
  if (ctx.state.has(id) && ctx.state.is_manual(id)) return false;
  if (const Outcome manual = manual_from_operands(ctx, id); manual != Outcome::go_on) return manual == Outcome::changed;
  if (!can_be_tiled(ctx, id, allow_outputs, /*allow_parameters=*/false)) return replicated_from_operands(ctx, id);
  return rule_of(inst.kind).forward(ctx, id);
}

bool sharding_from_user(Context& ctx, InstId operand, InstId user, int level, Leaves& out) {
  if (level < first_level(ctx.module, user) || !ctx.state.partitioned(user)) return false;
  const int present = ctx.state.level();
  ctx.state.set_level(level);
  const bool found = rule_of(ctx.module.inst(user).kind).backward(ctx, operand, user, out);
  ctx.state.set_level(present);
  return found && out.size() == ctx.module.inst(operand).leaf_count &&
         std::find(out.begin(), out.end(), kNoShard) == out.end();
}

bool infer_from_users(Context& ctx, InstId id, bool allow_parameters) {
  const Inst& inst = ctx.module.inst(id);
  if (ctx.state.level() < 2 && inst.kind == OpKind::broadcast_in_dim) return false;
  if (ctx.state.has(id) && ctx.state.is_manual(id)) return false;
  if (manual_from_users(ctx, id)) return true;
  if (!can_be_tiled(ctx, id, /*allow_outputs=*/false, allow_parameters)) return false;
  bool changed = false;
  Leaves scratch;
  for (const uint32_t raw : ctx.module.users[id.index()]) {
    const InstId user{raw};
    if (ctx.module.inst(user).kind == OpKind::rng_bit_generator) {
      from_user(ctx, id, user);
      ctx.state.set_all(id, Leaves(inst.leaf_count, ctx.pool.replicated()));
      return true;
    }
    changed |= offer_from_user(ctx, id, user, scratch);
  }
  return changed;
}

}  // namespace sw::gspmd
