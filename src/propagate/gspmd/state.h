// The shardings of all instructions while propagation runs, and the one function through which they change.
//
// Every instruction has one sharding per leaf of its type (one for an array), or none at all. A rule never writes them:
// it offers a sharding (offer, offer_all, offer_leaf), the value takes it when it says more than the one it has, and
// the change is appended to the trace with its cause.
#pragma once

#include <span>
#include <vector>

#include "propagate/gspmd/module.h"
#include "propagate/gspmd/pool.h"
#include "propagate/trace.h"

namespace sw::gspmd {

// Several shardings, one per leaf.
using Leaves = SmallVector<Shard, 4>;

class State {
 public:
  State(const Graph& graph, Module& module, ShardingPool& pool, Trace& trace, bool record_refusals);

  const Graph& graph;
  Module& module;
  ShardingPool& pool;

  // After an instruction has been added to the module.
  void grow();
  bool has(InstId id) const { return has_[id.index()]; }
  // Of an array, or the first leaf.
  Shard shard(InstId id) const { return leaves_[module.inst(id).leaf_begin]; }
  std::span<const Shard> shards(InstId id) const {
    const Inst& i = module.inst(id);
    return std::span<const Shard>(leaves_).subspan(i.leaf_begin, i.leaf_count);
  }
  bool is_array(InstId id) const { return array_[id.index()]; }
  bool is_tuple(InstId id) const { return !array_[id.index()]; }
  std::span<const int64_t> shape(InstId id) const { return shapes_[module.inst(id).leaf_begin]; }
  std::span<const int64_t> leaf_shape(InstId id, size_t leaf) const {
    return shapes_[module.inst(id).leaf_begin + leaf];
  }
  size_t rank(InstId id) const { return shape(id).size(); }

  // Of all leaves; only for instructions that have a sharding.
  bool all_of_kind(InstId id, TileKind kind) const;
  bool is_replicated(InstId id) const { return all_of_kind(id, TileKind::replicated); }
  bool is_manual(InstId id) const { return all_of_kind(id, TileKind::manual); }
  bool is_unknown(InstId id) const { return all_of_kind(id, TileKind::unknown); }
  bool is_trivial(InstId id) const { return is_replicated(id) || all_of_kind(id, TileKind::maximal); }
  // Has a sharding that is not a single device's.
  bool partitioned(InstId id) const { return has(id) && !all_of_kind(id, TileKind::maximal); }
  bool same(InstId a, InstId b);

  // Propagation level 0 to 3; from 1 on, two partial tilings may be joined.
  void set_round(int level, uint16_t sweep) {
    set_level(level);
    round_ = sweep;
  }
  void set_level(int level) {
    level_ = level;
    combine_ = level > 0;
  }
  int level() const { return level_; }
  bool combine() const { return combine_; }

  // Who offers: the op whose rule runs, the instruction the sharding comes from, and its place.
  struct Origin {
    CauseKind kind = CauseKind::rule;
    OpId op;
    InstId from;
    OpSlot from_slot, to_slot;
    uint32_t from_leaf = 0;
  };
  void set_origin(const Origin& origin) { origin_ = origin; }
  Origin& origin() { return origin_; }

  // The forms of "take this if it is better". True when something changed.
  bool offer(InstId id, Shard from, bool aggressive = false);
  bool offer_all(InstId id, std::span<const Shard> from, bool aggressive = false);
  bool offer_leaf(InstId id, size_t leaf, Shard from, bool aggressive = false);
  // Like offer_all() of its present shardings with those from leaf `first` on replaced by `part`.
  bool offer_part(InstId id, size_t first, std::span<const Shard> part);
  // The same sharding on all leaves.
  bool offer_everywhere(InstId id, Shard from, bool aggressive = false);
  // What `id` would become under offer(); kNoShard: it stays.
  Shard improved(InstId id, Shard from, bool aggressive = false);

  // Sets without asking. `offered`: the sharding that `shard` was made of with the present one.
  void set(InstId id, Shard shard, Shard offered = kNoShard);
  void set_all(InstId id, std::span<const Shard> shards);
  void clear(InstId id);
  void copy(InstId to, InstId from);
  // For look-ahead: writes past the trace; the caller puts the old value back.
  void poke(InstId id, std::span<const Shard> shards);
  void unpoke(InstId id) { has_[id.index()] = false; }

  bool records_refusals() const { return record_refusals_; }

 private:
  bool fits(InstId id, size_t first, std::span<const Shard> shards_in) const;
  void record(InstId id, bool had, std::span<const Shard> before);
  bool is_whole(const Inst& inst) const;
  // How far the operands of a tuple have been counted, for leaves that come in ascending order.
  struct TuplePlace {
    uint32_t operand = 0, first_leaf = 0;
  };
  void aim_at_leaf(const Inst& inst, uint32_t leaf, TuplePlace& place);
  void refuse(InstId id, size_t leaf, Shard from);
  ValueId source_value() const;
  Cause cause() const;
  // set_all(), of shardings made of `offered` from leaf `first` on with the present ones.
  void take(InstId id, std::span<const Shard> next, std::span<const Shard> offered, size_t first = 0);

  Trace& trace_;
  bool record_refusals_;
  std::vector<Shard> leaves_;
  std::vector<uint8_t> has_, array_;
  std::vector<std::span<const int64_t>> shapes_;
  std::vector<ValueId> label_;  // by leaf: the value as read that a made-up instruction's sharding came from
  Origin origin_;
  int level_ = 0;
  bool combine_ = false;
  uint16_t round_ = 0;
  std::span<const Shard> offered_;  // while a change is being recorded
  size_t offered_first_ = 0;
};

}  // namespace sw::gspmd
