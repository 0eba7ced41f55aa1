// Sharding custom calls. Follows ProcessShardingInstruction (sharding_propagation.cc): an annotation becomes a copy
// that has the sharding, and its operand gets the same sharding at once when it has none; a tag that puts a value into
// a shard group moves to the value.
#include <unordered_set>

#include "propagate/gspmd/driver.h"

namespace sw::gspmd {
namespace {

struct Given {
  std::vector<Shard> leaves;
  int32_t group = -1;
  bool as = false;
};

// The leaves of a sharding as written, without its group tag.
Given as_leaves(ShardingPool& pool, TileShardingTable& table, TileShardingId id, size_t leaf_count) {
  Given given;
  const auto leaf = [&](TileSharding s, bool first) {
    if (first || s.shard_group_id != given.group) {
      given.group = first ? s.shard_group_id : -1;
      given.as = s.shard_group_is_as;
    }
    s.shard_group_id = -1;
    s.shard_group_is_as = false;
    given.leaves.push_back(pool.intern(canonical(s)));
  };
  const TileSharding whole = table.get(id);
  if (whole.kind != TileKind::tuple) {
    leaf(whole, true);
    given.leaves.resize(leaf_count, given.leaves[0]);
  } else {
    for (size_t i = 0; i < whole.elements.size(); ++i) leaf(table.get(whole.elements[i]), i == 0);
    given.leaves.resize(leaf_count, pool.replicated());
  }
  return given;
}

}  // namespace

void Propagation::apply_given() {
  for (const auto& [id, sharding] : module_.given) {
    const Given given = as_leaves(pool_, pool_.table(), sharding, module_.inst(id).leaf_count);
    state_.set_origin({CauseKind::seed, module_.inst(id).op, {}, {}, {}, 0});
    state_.set_all(id, given.leaves);
    if (given.group >= 0) tags_[id.raw] = {given.group, given.as};
  }
  for (const auto& [id, dims] : module_.unspecified) open_.emplace(id.raw, dims);
}

// True when the annotation only put its operand into a group, and is to be taken out.
bool Propagation::fold_group_tag(InstId id, bool replaced) {
  const auto tag = tags_.find(id.raw);
  if (tag == tags_.end()) return false;
  const GroupTag group = tag->second;
  tags_.erase(tag);
  if (module_.inst(id).target == CallTarget::sharding && !replaced) {
    const InstId operand = module_.operand(id, 0);
    tags_[operand.raw] = group;
    if (!state_.has(operand)) {
      TileSharding unknown;
      unknown.kind = TileKind::unknown;
      state_.set_all(operand, Leaves(module_.inst(operand).leaf_count, pool_.intern(unknown)));
    }
    return true;
  }
  ShardGroup& members = groups_[group.id];
  members.as = group.as;
  members.members.push_back(id);
  group_id_[id.raw] = group.id;
  return false;
}

void Propagation::fold_annotation(InstId id) {
  Inst& inst = module_.inst(id);
  if (!state_.has(id) || inst.operand_count == 0) return;
  const InstId operand = module_.operand(id, 0);
  const bool replaced = !state_.is_unknown(id) || module_.inst(operand).kind == OpKind::parameter;
  if (replaced) {
    // A copy made in the annotation's place; in the list of instructions it stands last.
    inst.kind = OpKind::copy;
    inst.target = CallTarget::none;
    inst.elementwise = true;
    inst.has_side_effect = false;
    moved_.push_back(id);
  }
  const bool remove = fold_group_tag(id, replaced);
  if (open_.count(id.raw) == 0 && !state_.has(operand)) {
    state_.set_origin({CauseKind::constraint, inst.op, id, OpSlot::result(0), OpSlot::operand(0), 0});
    state_.copy(operand, id);
  }
  if (remove) module_.replace(id, operand);
}

void Propagation::fold_annotations() {
  for (size_t c = 0; c < module_.comps.size(); ++c) {
    const std::vector<InstId> post = module_.comps[c].post;
    for (size_t i = post.size(); i-- > 0;) {
      if (module_.inst(post[i]).target == CallTarget::sharding) {
        fold_annotation(post[i]);
      } else if (!tags_.empty()) {
        fold_group_tag(post[i], false);
      }
    }
    if (moved_.empty()) continue;
    const std::unordered_set<InstId> moved(moved_.begin(), moved_.end());
    std::vector<InstId>& order = module_.comps[c].order;
    std::erase_if(order, [&](InstId id) { return moved.contains(id); });
    order.insert(order.end(), moved_.begin(), moved_.end());
    moved_.clear();
  }
  module_.compute_post_orders();
}

void Propagation::save_boundary() {
  const InstId root = module_.entry_root();
  if (allow_outputs_ && state_.is_tuple(root) && state_.has(root)) {
    saved_root_.assign(state_.shards(root).begin(), state_.shards(root).end());
  }
  if (!allow_parameters_) return;
  for (const InstId param : module_.comps[module_.entry.index()].params) {
    saved_parameters_.emplace_back();
    if (state_.has(param)) saved_parameters_.back().assign(state_.shards(param).begin(), state_.shards(param).end());
  }
}

}  // namespace sw::gspmd
