// After the sweeps: shard_as groups are made the same, barriers go, and parameters and results get back what they were
// given. Follows the end of ShardingPropagation::RunImpl and ReplicateBoundaryShardingsIfIndivisible
// (hlo_sharding_util.cc).
#include <algorithm>

#include "propagate/gspmd/driver.h"

namespace sw::gspmd {

bool Propagation::infer_from_group(InstId id, const ShardGroup& group) {
  const Inst& inst = module_.inst(id);
  if (state_.level() < (inst.elementwise ? 0 : rule_of(inst.kind).level)) return false;
  if ((state_.has(id) && state_.is_manual(id)) || inst.target == CallTarget::barrier_to) return false;
  const auto take_from = [&](InstId member) {
    state_.set_origin({CauseKind::group, module_.inst(member).op, member, {}, {}, 0});
  };
  if (!state_.has(id) || state_.is_trivial(id)) {
    for (const InstId member : group.members) {
      if (member == id || !state_.has(member) || !state_.is_manual(member)) continue;
      take_from(member);
      state_.copy(id, member);
      return true;
    }
  }
  bool any = false;
  for (const InstId member : group.members) {
    if (member == id || !state_.has(member) || module_.inst(member).target == CallTarget::barrier_from) continue;
    take_from(member);
    any |= state_.offer_all(id, Leaves(state_.shards(member)));
  }
  return any;
}

void Propagation::align_groups() {
  for (const auto& [group_id, group] : groups_) {
    if (!group.as) continue;
    std::vector<Shard> all;
    Shard otherwise = pool_.replicated();
    for (const InstId member : group.members) {
      if (!state_.has(member) || !state_.is_array(member)) continue;
      all.push_back(state_.shard(member));
      const bool from = module_.inst(member).target == CallTarget::barrier_from;
      if (!from && pool_.is_replicated(otherwise)) otherwise = state_.shard(member);
    }
    const Shard common = all.empty() ? otherwise : pool_.common(all, otherwise);
    for (const InstId member : group.members) {
      if (module_.inst(member).target == CallTarget::barrier_to || !state_.is_array(member)) continue;
      state_.set_origin({CauseKind::group, module_.inst(member).op, group.members.front(), {}, {}, 0});
      if (!state_.has(member) || !pool_.same(state_.shard(member), common)) state_.set(member, common);
    }
  }
}

void Propagation::relay_barriers() {
  for (const Computation& comp : module_.comps) {
    for (const InstId id : comp.order) {
      if (module_.inst(id).target != CallTarget::barrier_from || !state_.has(id)) continue;
      const ShardGroup* group = group_of(id);
      if (group == nullptr || !group->as) continue;
      const InstId operand = module_.operand(id, 0);
      Shard sharding = state_.shard(id);
      if (state_.has(operand)) {
        const Shard joined = pool_.merged_if_compatible(state_.shard(operand), pool_.facts(sharding).tiles, sharding);
        if (joined != kNoShard) sharding = joined;
      }
      state_.set_origin({CauseKind::group, module_.inst(id).op, id, OpSlot::result(0), OpSlot::operand(0), 0});
      state_.set(operand, sharding);
    }
  }
}

void Propagation::remove_barriers() {
  for (Computation& comp : module_.comps) {
    for (const InstId id : std::vector<InstId>(comp.order)) {
      const CallTarget target = module_.inst(id).target;
      if (target == CallTarget::barrier_from || target == CallTarget::barrier_to)
        module_.replace(id, module_.operand(id, 0));
    }
  }
}

void Propagation::restore_boundary() {
  state_.set_origin({CauseKind::result, {}, {}, {}, {}, 0});
  const InstId root = module_.entry_root();
  if (saved_root_.size() == module_.allow_outputs.size() && state_.has(root) && state_.is_tuple(root) &&
      saved_root_.size() == state_.shards(root).size()) {
    Leaves next(state_.shards(root));
    for (size_t i = 0; i < saved_root_.size(); ++i) {
      if (!module_.allow_outputs[i] && pool_.facts(saved_root_[i]).kind != TileKind::unknown) next[i] = saved_root_[i];
    }
    state_.set_all(root, next);
  }
  if (!allow_parameters_) return;
  const std::vector<InstId>& params = module_.comps[module_.entry.index()].params;
  if (module_.allow_parameters.size() == params.size()) {
    for (size_t i = 0; i < params.size(); ++i) {
      if (module_.allow_parameters[i]) continue;
      const std::vector<Shard>& saved = saved_parameters_[i];
      const bool known = !saved.empty() && std::any_of(saved.begin(), saved.end(), [&](Shard s) {
        return pool_.facts(s).kind != TileKind::unknown;
      });
      if (known) {
        state_.set_all(params[i], saved);
      } else {
        state_.clear(params[i]);
      }
    }
  } else if (params.size() == 1 && !saved_parameters_[0].empty() &&
             saved_parameters_[0].size() == module_.allow_parameters.size()) {
    Leaves next(state_.shards(params[0]));
    for (size_t i = 0; i < next.size(); ++i) {
      const Shard saved = saved_parameters_[0][i];
      if (!module_.allow_parameters[i] && pool_.facts(saved).kind != TileKind::unknown) next[i] = saved;
    }
    state_.set_all(params[0], next);
  }
}

bool Propagation::even(InstId id, size_t leaf) const {
  const TileSharding& s = pool_.get(state_.shards(id)[leaf]);
  if (!sw::is_tiled(s)) return true;
  const std::span<const int64_t> shape = state_.leaf_shape(id, leaf);
  for (size_t d = 0; d < shape.size() && d < s.data_rank(); ++d) {
    if (shape[d] % s.tile[d] != 0) return false;
  }
  return true;
}

// The caller outside can only hold equal tiles.
void Propagation::replicate_uneven_boundary() {
  state_.set_origin({CauseKind::fallback, {}, {}, {}, {}, 0});
  const auto replicate_leaves = [&](InstId id, const std::vector<bool>& flags) {
    if (!state_.has(id) || flags.size() != state_.shards(id).size()) return;
    Leaves next(state_.shards(id));
    for (size_t i = 0; i < next.size(); ++i) {
      if (flags[i] && !even(id, i)) next[i] = pool_.replicated();
    }
    state_.set_all(id, next);
  };
  const std::vector<InstId>& params = module_.comps[module_.entry.index()].params;
  if (module_.allow_parameters.size() == params.size()) {
    for (size_t i = 0; i < params.size(); ++i) {
      if (module_.allow_parameters[i]) {
        replicate_leaves(params[i], std::vector<bool>(module_.inst(params[i]).leaf_count, true));
      }
    }
  } else if (params.size() == 1 && state_.is_tuple(params[0])) {
    replicate_leaves(params[0], module_.allow_parameters);
  }
  const InstId root = module_.entry_root();
  if (state_.is_tuple(root) || module_.allow_outputs.size() == 1) replicate_leaves(root, module_.allow_outputs);
}

}  // namespace sw::gspmd
