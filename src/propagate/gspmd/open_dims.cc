// Annotations that leave dimensions open (unspecified_dims): only those may still be tiled, from the operand, from
// users and from the shard group. An annotation that stands before a conversion to or from manual sharding is worked on
// together with it: what one side learns, the other must be able to say too. Follows InferUnspecifiedDimsFrom* and
// RefineManualAutoShardingFrom* (sharding_propagation.cc).
#include <algorithm>
#include <numeric>

#include "propagate/gspmd/driver.h"

namespace sw::gspmd {

namespace {

bool is_conversion(CallTarget target) {
  return target == CallTarget::full_to_shard || target == CallTarget::shard_to_full;
}

// Two subgroups, manual and replicated: the only layout of a manual sharding that can be refined.
bool refinable_manual(const TileSharding& s) {
  return sw::is_tiled(s) && has_manual_subgroup(s) && has_partial_replication(s) && s.subgroups.size() == 2;
}

// Tiles of an automatic sharding put into both; in the manual one the manual subgroup is carried as one more dimension.
bool join_from_auto(const TileSharding& from, std::span<const int64_t> open, TileSharding& automatic,
                    TileSharding& manual) {
  if (!refinable_manual(manual) || has_manual_subgroup(automatic)) return false;
  const TileSharding part = replicate_all_dims_except(from, open);
  if (!sw::is_tiled(part) || !merge_if_compatible(part, automatic)) return false;
  TileDims tiles(std::span<const int64_t>(part.tile));
  tiles.insert(tiles.begin() + part.data_rank(), 1);
  const TileSharding wide = partial_tiles(reshaped(grid_of(part), tiles));
  TileGrid grid = grid_of(manual);
  if (manual.subgroups.back() != Subgroup::replicated) {
    DimList perm(grid.rank(), 0);
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[grid.rank() - 1], perm[part.data_rank()]);
    grid = transposed(grid, perm);
  }
  TileSharding joined = partial_tiles(grid);
  if (!merge_if_compatible(wide, joined)) return false;
  SmallVector<Subgroup, 2> kinds{Subgroup::manual};
  if (has_partial_replication(joined)) kinds.push_back(Subgroup::replicated);
  manual = grouped_tiles(grid_of(joined), kinds);
  return true;
}

// Tiles of a manual sharding put into both; for the automatic one the manual subgroup is replication.
bool join_from_manual(const TileSharding& from, std::span<const int64_t> open, TileSharding& automatic,
                      TileSharding& manual) {
  if (!has_manual_subgroup(from) || !refinable_manual(manual) || has_manual_subgroup(automatic)) return false;
  const TileSharding part = replicate_all_dims_except(from, open);
  if (!sw::is_tiled(part) || !merge_if_compatible(part, manual)) return false;
  const SmallVector<Subgroup, 4> kinds(part.subgroups.size(), Subgroup::replicated);
  return merge_if_compatible(grouped_tiles(grid_of(part), kinds), automatic);
}

}  // namespace

const DimList* Propagation::open_dims_of(InstId id) const {
  const auto open = open_.find(id.raw);
  return open == open_.end() || is_conversion(module_.inst(id).target) ? nullptr : &open->second;
}

// The conversion that alone uses the annotation, if there is one; false when it leaves other dimensions open.
bool Propagation::conversion_of(InstId id, const DimList& open, InstId& conversion) const {
  conversion = InstId{};
  const auto& users = module_.users[id.index()];
  if (users.size() != 1 || !is_conversion(module_.insts[users[0]].target)) return true;
  const auto theirs = open_.find(users[0]);
  if (theirs == open_.end() || !(theirs->second == open)) return false;
  conversion = InstId{users[0]};
  return true;
}

bool Propagation::refine(InstId id, Shard from, const DimList& open) {
  const Shard part = pool_.replicate_except(from, open);
  const Shard joined = pool_.merged_if_compatible(part, state_.shard(id));
  if (joined == kNoShard) return false;
  state_.set(id, joined, part);
  return true;
}

bool Propagation::refine_pair(InstId id, InstId conversion, Shard from, const DimList& open, bool from_auto) {
  const bool into_manual = module_.inst(conversion).target == CallTarget::full_to_shard;
  TileSharding automatic = pool_.get(state_.shard(into_manual ? id : conversion));
  TileSharding manual = pool_.get(state_.shard(into_manual ? conversion : id));
  const TileSharding source = pool_.get(from);
  const bool joined =
      from_auto ? join_from_auto(source, open, automatic, manual) : join_from_manual(source, open, automatic, manual);
  if (!joined) return false;
  state_.set(into_manual ? id : conversion, pool_.intern(automatic));
  state_.set(into_manual ? conversion : id, pool_.intern(manual));
  return true;
}

bool Propagation::refine_from_group(InstId id, const DimList& open, const ShardGroup& group) {
  bool any = false;
  for (const InstId member : group.members) {
    if (member == id || module_.inst(member).target == CallTarget::barrier_from || !state_.partitioned(member))
      continue;
    if (!pool_.is_tiled(state_.shard(member))) continue;
    state_.set_origin({CauseKind::group, module_.inst(member).op, member, {}, {}, 0});
    any |= refine(id, state_.shard(member), open);
  }
  return any;
}

bool Propagation::refine_from_operand(InstId id, const DimList& open, InstId& conversion) {
  const InstId operand = module_.operand(id, 0);
  if (!state_.partitioned(operand) || !pool_.is_tiled(state_.shard(operand)) || !conversion_of(id, open, conversion))
    return false;
  ctx_.from_operand(id, 0);
  const Shard from = state_.shard(operand);
  if (!conversion.valid()) return refine(id, from, open);
  if (!state_.has(conversion)) return false;
  return refine_pair(id, conversion, from, open, module_.inst(conversion).target == CallTarget::full_to_shard);
}

bool Propagation::refine_from_user(InstId id, InstId user, const DimList& open, InstId conversion) {
  if (!state_.has(user) || !pool_.is_tiled(state_.shard(user))) return false;
  Leaves out;
  if (!sharding_from_user(ctx_, conversion.valid() ? conversion : id, user, state_.level(), out) ||
      pool_.is_trivial(out[0])) {
    return false;
  }
  const size_t slot = module_.operand_index(user, conversion.valid() ? conversion : id);
  state_.set_origin({CauseKind::rule, module_.inst(user).op, user, OpSlot::result(0), OpSlot::operand(slot), 0});
  if (!conversion.valid()) return refine(id, out[0], open);
  return refine_pair(id, conversion, out[0], open, module_.inst(conversion).target == CallTarget::shard_to_full);
}

bool Propagation::refine_from_users(InstId id, const DimList& open, InstId& conversion) {
  if (!conversion_of(id, open, conversion)) return false;
  if (conversion.valid() && !state_.has(conversion)) return false;
  const InstId with_users = conversion.valid() ? conversion : id;
  bool any = false;
  for (const uint32_t user : SmallVector<uint32_t, 4>(module_.users[with_users.index()])) {
    any |= refine_from_user(id, InstId{user}, open, conversion);
  }
  return any;
}

}  // namespace sw::gspmd
