#include "propagate/gspmd/state.h"

#include <algorithm>

namespace sw::gspmd {

State::State(const Graph& graph_in, Module& module_in, ShardingPool& pool_in, Trace& trace, bool record_refusals)
    : graph(graph_in), module(module_in), pool(pool_in), trace_(trace), record_refusals_(record_refusals) {
  grow();
}

void State::grow() {
  const size_t leaves = module.type_of_leaf.size();
  leaves_.resize(leaves, kNoShard);
  label_.resize(leaves);
  has_.resize(module.insts.size(), 0);
  shapes_.reserve(leaves);
  for (size_t i = shapes_.size(); i < leaves; ++i) shapes_.push_back(graph.types.get(module.type_of_leaf[i]).dims);
  array_.reserve(module.insts.size());
  for (size_t i = array_.size(); i < module.insts.size(); ++i) {
    array_.push_back(graph.types.get(module.insts[i].type).kind != TypeKind::tuple);
  }
}

bool State::all_of_kind(InstId id, TileKind kind) const {
  for (const Shard s : shards(id)) {
    if (pool.facts(s).kind != kind) return false;
  }
  return true;
}

bool State::same(InstId a, InstId b) {
  const std::span<const Shard> x = shards(a), y = shards(b);
  if (x.size() != y.size()) return false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!pool.same(x[i], y[i])) return false;
  }
  return true;
}

Shard State::improved(InstId id, Shard from, bool aggressive) {
  const Inst& inst = module.inst(id);
  return pool.improved(from, has(id) ? shard(id) : kNoShard, inst.type, shape(id), combine_, aggressive);
}

bool State::offer(InstId id, Shard from, bool aggressive) {
  if (from == kNoShard) return false;
  const Shard next = improved(id, from, aggressive);
  if (next == kNoShard) {
    if (record_refusals_) refuse(id, 0, from);
    return false;
  }
  set(id, next, from);
  return true;
}

bool State::offer_leaf(InstId id, size_t leaf, Shard from, bool aggressive) {
  if (is_array(id)) return offer(id, from, aggressive);
  const Inst& inst = module.inst(id);
  const size_t at = inst.leaf_begin + leaf;
  const Shard next =
      pool.improved(from, has(id) ? leaves_[at] : kNoShard, module.type_of_leaf[at], shapes_[at], combine_, aggressive);
  if (next == kNoShard) {
    if (record_refusals_) refuse(id, leaf, from);
    return false;
  }
  Leaves all;
  if (has(id)) {
    all.append(shards(id).begin(), shards(id).end());
  } else {
    all.assign(size_t{inst.leaf_count}, pool.replicated());
  }
  all[leaf] = next;
  take(id, all, std::span<const Shard>(&from, 1), leaf);
  return true;
}

bool State::offer_everywhere(InstId id, Shard from, bool aggressive) {
  if (is_array(id)) return offer(id, from, aggressive);
  return offer_all(id, Leaves(module.inst(id).leaf_count, from), aggressive);
}

namespace {

// 1: some leaf of `from` is manual where the current one is trivial; 2: the other way round; both: 3.
int manual_mask(const ShardingPool& pool, std::span<const Shard> from, std::span<const Shard> current) {
  int mask = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (pool.is_manual(from[i]) && pool.is_trivial(current[i])) mask |= 1;
    if (pool.is_manual(current[i]) && pool.is_trivial(from[i])) mask |= 2;
  }
  return mask;
}

bool all_kind(const ShardingPool& pool, std::span<const Shard> shards, TileKind kind) {
  return std::all_of(shards.begin(), shards.end(), [&](Shard s) { return pool.facts(s).kind == kind; });
}

}  // namespace

// Whether shardings have the rank of the leaves from `first` on; they have, unless the shapes of a program contradict
// one another.
bool State::fits(InstId id, size_t first, std::span<const Shard> shards_in) const {
  for (size_t i = 0; i < shards_in.size(); ++i) {
    const ShardFacts& f = pool.facts(shards_in[i]);
    if (f.kind == TileKind::tiled && f.rank != leaf_shape(id, first + i).size()) return false;
  }
  return true;
}

bool State::offer_all(InstId id, std::span<const Shard> from, bool aggressive) {
  if (is_array(id)) return offer(id, from.front(), aggressive);
  if (!fits(id, 0, from)) return false;
  const bool had = has(id);
  if (had && manual_mask(pool, from, shards(id)) == 1) {
    set_all(id, from);
    return true;
  }
  if (all_kind(pool, from, TileKind::maximal)) return false;
  if (had) {
    if (all_kind(pool, from, TileKind::manual)) return false;
    // One better leaf carries the whole tuple, leaves that are worse included.
    Leaves next(from);
    bool better = false;
    for (size_t i = 0; i < next.size(); ++i) {
      const Shard joined = pool.merged(shards(id)[i], next[i], combine_);
      if (joined == kNoShard) continue;
      next[i] = joined;
      better = true;
    }
    if (!better) {
      for (size_t i = 0; i < from.size() && record_refusals_; ++i) refuse(id, i, from[i]);
      return false;
    }
    take(id, next, from);
    return true;
  }
  take(id, from, from);
  return true;
}

bool State::offer_part(InstId id, size_t first, std::span<const Shard> part) {
  const std::span<const Shard> current = shards(id);
  if (first + part.size() > current.size() || !fits(id, first, part)) return false;
  Leaves next(part);
  const int mask = manual_mask(pool, part, current.subspan(first, part.size()));
  bool better = mask == 1;
  if (!better) {
    const std::span<const Shard> before = current.first(first), after = current.subspan(first + part.size());
    for (const TileKind kind : {TileKind::maximal, TileKind::manual}) {
      if (all_kind(pool, part, kind) && all_kind(pool, before, kind) && all_kind(pool, after, kind)) return false;
    }
    for (size_t i = 0; i < part.size(); ++i) {
      const Shard joined = pool.merged(current[first + i], part[i], combine_);
      if (joined == kNoShard) continue;
      next[i] = joined;
      better = true;
    }
  }
  if (!better) {
    for (size_t i = 0; i < part.size() && record_refusals_; ++i) refuse(id, first + i, part[i]);
    return false;
  }
  Leaves all(current);
  std::copy(next.begin(), next.end(), all.begin() + first);
  take(id, all, part, first);
  return true;
}

void State::set(InstId id, Shard shard, Shard offered) {
  take(id, std::span<const Shard>(&shard, 1), std::span<const Shard>(&offered, 1));
}

void State::take(InstId id, std::span<const Shard> next, std::span<const Shard> offered, size_t first) {
  offered_ = offered;
  offered_first_ = first;
  set_all(id, next);
  offered_ = {};
}

void State::set_all(InstId id, std::span<const Shard> shards_in) {
  const Inst& inst = module.inst(id);
  SW_CHECK(shards_in.size() == inst.leaf_count, "one sharding per leaf");
  const bool had = has(id);
  const Leaves before(shards(id));
  std::copy(shards_in.begin(), shards_in.end(), leaves_.begin() + inst.leaf_begin);
  for (size_t leaf = 0; leaf < shards_in.size(); ++leaf) {
    if (!fits(id, leaf, shards_in.subspan(leaf, 1))) leaves_[inst.leaf_begin + leaf] = pool.replicated();
  }
  has_[id.index()] = 1;
  record(id, had, before);
}

void State::clear(InstId id) {
  const bool had = has(id);
  if (!had) return;
  const Leaves before(shards(id));
  has_[id.index()] = 0;
  std::fill_n(leaves_.begin() + module.inst(id).leaf_begin, module.inst(id).leaf_count, kNoShard);
  record(id, had, before);
}

void State::copy(InstId to, InstId from) {
  const std::span<const Shard> source = shards(from);
  if (source.size() == module.inst(to).leaf_count) {
    set_all(to, Leaves(source));
  } else {
    // A conditional's operand may be a bare value where the branch takes a tuple of it, and the other way round.
    set_all(to, Leaves(module.inst(to).leaf_count, source.front()));
  }
}

void State::poke(InstId id, std::span<const Shard> shards_in) {
  std::copy(shards_in.begin(), shards_in.end(), leaves_.begin() + module.inst(id).leaf_begin);
  has_[id.index()] = 1;
}

// A tuple that is one value as read.
bool State::is_whole(const Inst& inst) const {
  return inst.value.valid() && !module.value_of_leaf[inst.leaf_begin].valid();
}

ValueId State::source_value() const {
  if (!origin_.from.valid()) return {};
  const Inst& from = module.inst(origin_.from);
  const size_t leaf = from.leaf_begin + std::min(origin_.from_leaf, from.leaf_count - 1);
  if (from.value.valid()) {
    const ValueId at_leaf = module.value_of_leaf[leaf];
    return at_leaf.valid() ? at_leaf : from.value;
  }
  return label_[leaf];
}

Cause State::cause() const {
  Cause cause{origin_.kind, origin_.from_slot, origin_.to_slot, origin_.op, source_value(), kSameInstance, 0};
  if (!origin_.from.valid()) return cause;
  const Inst& from = module.inst(origin_.from);
  cause.from_instance = from.instance;
  if (is_whole(from)) cause.from_leaf = std::min(origin_.from_leaf, from.leaf_count - 1);
  return cause;
}

void State::record(InstId id, bool had, std::span<const Shard> before) {
  const Inst& inst = module.inst(id);
  const bool whole = is_whole(inst);
  TuplePlace place;
  for (uint32_t leaf = 0; leaf < inst.leaf_count; ++leaf) {
    const size_t at = inst.leaf_begin + leaf;
    const Shard now = has(id) ? leaves_[at] : kNoShard, was = had ? before[leaf] : kNoShard;
    if (now == was) continue;
    if (inst.leaf_count > 1) aim_at_leaf(inst, leaf, place);
    const ValueId value = whole ? inst.value : module.value_of_leaf[at];
    if (!value.valid()) {
      label_[at] = source_value();
    } else {
      const bool known = leaf >= offered_first_ && leaf - offered_first_ < offered_.size();
      trace_.steps.push_back({value, was, now, cause(), inst.instance, round_, static_cast<uint16_t>(level_),
                              known ? offered_[leaf - offered_first_] : kNoShard, whole ? leaf : 0});
    }
  }
}

// Leaf by leaf, a change of a tuple comes from the same leaf of what gave it, from the operand that makes the leaf, or
// from the one value that holds the element.
void State::aim_at_leaf(const Inst& inst, uint32_t leaf, TuplePlace& place) {
  if (inst.kind != OpKind::tuple || origin_.kind != CauseKind::rule || origin_.to_slot != OpSlot::result(0)) {
    origin_.from_leaf = leaf;
    return;
  }
  for (; place.operand < inst.operand_count; ++place.operand) {
    const InstId operand{module.operand_pool[inst.operand_begin + place.operand]};
    const uint32_t count = module.inst(operand).leaf_count;
    if (leaf < place.first_leaf + count) {
      origin_.from = operand;
      origin_.from_slot = OpSlot::operand(place.operand);
      origin_.from_leaf = leaf - place.first_leaf;
      return;
    }
    place.first_leaf += count;
  }
}

// Only what would have added tiles somewhere is worth telling.
void State::refuse(InstId id, size_t leaf, Shard from) {
  const Inst& inst = module.inst(id);
  if (!has(id) || from == kNoShard) return;
  const bool whole = is_whole(inst);
  const ValueId value = whole ? inst.value : module.value_of_leaf[inst.leaf_begin + leaf];
  const TileSharding &theirs = pool.get(from), &mine = pool.get(shards(id)[leaf]);
  if (!value.valid() || !sw::is_tiled(theirs)) return;
  for (size_t d = 0; d < theirs.data_rank(); ++d) {
    const int64_t have = sw::is_tiled(mine) && d < mine.data_rank() ? mine.tile[d] : 1;
    if (theirs.tile[d] == 1 || theirs.tile[d] == have) continue;
    Refusal refusal;
    refusal.value = value;
    refusal.op = origin_.op;
    refusal.blocker = source_value();
    refusal.offered = from;
    refusal.instance = inst.instance;
    if (whole) refusal.leaf = static_cast<uint32_t>(leaf);
    trace_.refusals.push_back(refusal);
    return;
  }
}

}  // namespace sw::gspmd
