// Follows ShardingPropagation::RunImpl and RunToFixPoint (sharding_propagation.cc).
//
// An instruction is asked again only when something next to it changed since it was last asked. Every change makes a
// sharding more specific, so the sweeps of a level come to an end; the levels let more and more ops pass shardings on.
#include "propagate/gspmd/driver.h"

#include <algorithm>

namespace sw::gspmd {

Propagation::Propagation(State& state, const GspmdOptions& options)
    : state_(state),
      module_(state.module),
      pool_(state.pool),
      ctx_(state),
      options_(options),
      random_(options.order.seed) {
  const auto any = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), true) != flags.end();
  };
  allow_outputs_ = any(module_.allow_outputs);
  allow_parameters_ = any(module_.allow_parameters);
}

void Propagation::run() {
  if (!module_.entry.valid() || !module_.entry_root().valid()) return;
  module_.compute_post_orders();
  apply_given();
  fold_annotations();
  save_boundary();
  share_given();
  marks_.assign(module_.insts.size(), 0);
  collect_provided();
  replace_unknown();
  constexpr int kLevels = 4;
  for (int level = options_.levels ? 0 : kLevels - 1; level < kLevels; ++level) run_level(level);
  align_groups();
  relay_barriers();
  run_level(kLevels - 1);
  relay_barriers();
  remove_barriers();
  restore_boundary();
  replicate_uneven_boundary();
}

void Propagation::collect_provided() {
  const InstId root = module_.entry_root();
  for (const Computation& comp : module_.comps) {
    for (const InstId id : comp.order) {
      if (!state_.has(id)) continue;
      for (const Shard s : state_.shards(id)) ctx_.any_manual = ctx_.any_manual || pool_.is_manual(s);
      if (id != root && module_.inst(id).kind != OpKind::parameter && !state_.is_unknown(id)) mark(id, kProvided);
    }
  }
  if (!allow_outputs_ && (!state_.has(root) || !state_.is_unknown(root))) {
    InstId frozen = root;
    if (module_.inst(root).kind == OpKind::while_) {
      // The loop itself stays free: a copy of its result is what must keep the sharding.
      Inst copy;
      copy.kind = OpKind::copy;
      copy.elementwise = true;
      copy.type = module_.inst(root).type;
      const InstId operand[] = {root};
      frozen = module_.add(state_.graph, module_.inst(root).comp, copy, operand);
      state_.grow();
      marks_.resize(module_.insts.size(), 0);
      if (state_.has(root)) state_.copy(frozen, root);
      module_.comps[module_.entry.index()].root = frozen;
      module_.compute_post_orders();
    }
    mark(frozen, kProvided);
  }
  if (allow_parameters_) return;
  for (const InstId param : module_.comps[module_.entry.index()].params) {
    if (state_.has(param) && !state_.is_unknown(param)) mark(param, kProvided);
  }
}

void Propagation::replace_unknown() {
  for (const Computation& comp : module_.comps) {
    for (const InstId id : comp.order) {
      if (!state_.has(id) || !state_.is_unknown(id)) continue;
      state_.set_origin({CauseKind::fallback, module_.inst(id).op, {}, {}, {}, 0});
      state_.set_all(id, Leaves(module_.inst(id).leaf_count, pool_.replicated()));
    }
  }
}

const ShardGroup* Propagation::group_of(InstId id) const {
  const auto at = group_id_.find(id.raw);
  return at == group_id_.end() ? nullptr : &groups_.at(at->second);
}

void Propagation::untry_around(InstId id, InstId user_side) {
  for (const uint32_t operand : module_.operands(id)) unmark(InstId{operand}, kTriedUsers);
  const InstId with_users = user_side.valid() ? user_side : id;
  for (const uint32_t user : module_.users[with_users.index()]) {
    unmark(InstId{user}, kTriedOperands);
    for (const uint32_t callee : module_.called(InstId{user})) {
      for (const InstId param : module_.comps[callee].params) unmark(param, kTriedOperands);
    }
  }
  if (groups_.empty()) return;
  if (const ShardGroup* group = group_of(id)) {
    for (const InstId member : group->members) {
      if (member != id) unmark(member, kTriedGroup);
    }
  }
}

// After a rule has changed `id`: whatever shares its sharding follows, and the neighbours are to be asked again.
void Propagation::changed(InstId id) {
  std::vector<InstId> followers;
  share(id, followers);
  untry_around(id, {});
  for (const InstId follower : followers) untry_around(follower, {});
}

bool Propagation::run_level(int level) {
  for (uint8_t& m : marks_) m &= kProvided;
  bool changed_any = false;
  // Far more sweeps than any program needs: each takes shardings all the way forward and back.
  constexpr int kMaxSweeps = 10000;
  int sweeps = 0;
  for (bool changed_last = true; changed_last && sweeps < kMaxSweeps; ++sweeps) {
    state_.set_round(level, ++sweeps_of_[level]);
    changed_last = sweep_all();
    changed_any |= changed_last;
  }
  return changed_any;
}

bool Propagation::sweep_all() {
  bool any = false;
  const size_t count = module_.comps.size();
  const bool reversed = options_.order.kind == VisitOrder::Kind::reversed;
  for (size_t i = 0; i < count; ++i) any |= sweep(module_.comps[reversed ? count - 1 - i : i]);
  return any;
}

bool Propagation::sweep(const Computation& comp) {
  bool any = false;
  if (!groups_.empty()) any |= sweep_groups(comp);
  arrange(comp);
  const bool users_first = options_.order.kind == VisitOrder::Kind::backward_first ||
                           (options_.order.kind == VisitOrder::Kind::seeded && random_.below(2) == 1);
  if (users_first) any |= sweep_users();
  any |= sweep_operands();
  if (!users_first) any |= sweep_users();
  return any;
}

// The order of looking at instructions; XLA's is that of the post order. Other orders are made of runs of it, one
// instruction long in small computations: a sharding then crosses a long one in a few dozen sweeps, whatever the order.
void Propagation::arrange(const Computation& comp) {
  const VisitOrder::Kind kind = options_.order.kind;
  if (kind == VisitOrder::Kind::own || kind == VisitOrder::Kind::backward_first) {
    arranged_ = comp.post;
    return;
  }
  constexpr size_t kRuns = 64;
  const size_t size = std::max<size_t>((comp.post.size() + kRuns - 1) / kRuns, 1);
  const size_t offset = kind == VisitOrder::Kind::seeded ? random_.below(size) : 0;
  std::vector<size_t> ends;
  for (size_t end = offset; end < comp.post.size() + size; end += size) ends.push_back(end);
  if (kind == VisitOrder::Kind::reversed) std::reverse(ends.begin(), ends.end());
  if (kind == VisitOrder::Kind::seeded) random_.shuffle(ends);
  arranged_.clear();
  for (const size_t end : ends) {
    const size_t from = end < size ? 0 : end - size, to = std::min(end, comp.post.size());
    for (size_t i = from; i < to; ++i) arranged_.push_back(comp.post[i]);
  }
}

bool Propagation::sweep_groups(const Computation& comp) {
  bool any = false;
  for (const InstId id : comp.post) {
    if (marked(id, kTriedGroup)) continue;
    const ShardGroup* group = group_of(id);
    if (group == nullptr) continue;
    if (marked(id, kProvided)) {
      const DimList* open = open_dims_of(id);
      if (!state_.combine() || open == nullptr || !refine_from_group(id, *open, *group)) continue;
      untry_around(id, {});
    } else {
      mark(id, kTriedGroup);
      if (!infer_from_group(id, *group)) continue;
      changed(id);
    }
    mark(id, kTriedGroup);
    any = true;
  }
  return any;
}

bool Propagation::sweep_operands() {
  bool any = false;
  for (const InstId id : arranged_) any |= try_operands(id);
  return any;
}

bool Propagation::sweep_users() {
  bool any = false;
  for (size_t i = arranged_.size(); i-- > 0;) any |= try_users(arranged_[i]);
  return any;
}

bool Propagation::try_operands(InstId id) {
  if (marked(id, kTriedOperands)) return false;
  if (marked(id, kProvided)) {
    const DimList* open = open_dims_of(id);
    InstId conversion;
    if (!state_.combine() || open == nullptr || !refine_from_operand(id, *open, conversion)) return false;
    untry_around(id, conversion);
    mark(id, kTriedOperands);
    return true;
  }
  mark(id, kTriedOperands);
  if (!infer_from_operands(ctx_, id, allow_outputs_)) return false;
  changed(id);
  return true;
}

bool Propagation::try_users(InstId id) {
  const CallTarget target = module_.inst(id).target;
  if ((target == CallTarget::full_to_shard || target == CallTarget::shard_to_full) && !marked(id, kTriedUsers)) {
    // The annotation before a conversion is worked on together with it.
    unmark(module_.operand(id, 0), kTriedUsers);
  }
  if (marked(id, kTriedUsers)) return false;
  if (marked(id, kProvided)) {
    const DimList* open = open_dims_of(id);
    InstId conversion;
    if (!state_.combine() || open == nullptr || !refine_from_users(id, *open, conversion)) return false;
    untry_around(id, conversion);
    mark(id, kTriedUsers);
    if (conversion.valid()) mark(conversion, kTriedUsers);
    return true;
  }
  mark(id, kTriedUsers);
  if (!infer_from_users(ctx_, id, allow_parameters_)) return false;
  changed(id);
  return true;
}

}  // namespace sw::gspmd
