// The whole pass: what is given, what may not change, rounds of sweeps to a fixed point, and what is put back at the
// end.
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "propagate/gspmd/propagate.h"
#include "propagate/gspmd/rules.h"

namespace sw::gspmd {

struct ShardGroup {
  bool as = false;  // shard_as: all end up the same; shard_like: they only influence one another
  std::vector<InstId> members;
};

class Propagation {
 public:
  Propagation(State& state, const GspmdOptions& options);

  void run();
  // Only what is written: no value learns anything.
  void take_given();

 private:
  enum Mark : uint8_t { kProvided = 1, kTriedGroup = 2, kTriedOperands = 4, kTriedUsers = 8 };

  // annotations.cc: sharding custom calls and shard groups are folded away; what the boundary had is remembered.
  void apply_given();
  // carry_given.cc
  void carry_given(InstId id);
  void carry_into_loop(InstId loop);
  void carry_into_branches(InstId id);
  Leaves leaves_of_operands(InstId tuple) const;

  void fold_annotations();
  void fold_annotation(InstId id);
  bool fold_group_tag(InstId id, bool replaced);
  void save_boundary();
  // shared.cc: loops, conditionals and calls share shardings with what they call.
  std::vector<InstId> related(InstId id) const;
  void share_given();
  void share(InstId id, std::vector<InstId>& changed);
  void share_from(InstId search, InstId id, std::vector<InstId>& changed);
  // open_dims.cc: dimensions that an annotation leaves open.
  bool refine_from_group(InstId id, const DimList& open, const ShardGroup& group);
  bool refine_from_operand(InstId id, const DimList& open, InstId& conversion);
  bool refine_from_users(InstId id, const DimList& open, InstId& conversion);
  bool refine_from_user(InstId id, InstId user, const DimList& open, InstId conversion);
  bool refine(InstId id, Shard from, const DimList& open);
  bool conversion_of(InstId id, const DimList& open, InstId& conversion) const;
  // Of an annotation that leaves dimensions open: those; else null. A conversion is only worked on with its annotation.
  const DimList* open_dims_of(InstId id) const;
  bool refine_pair(InstId id, InstId conversion, Shard from, const DimList& open, bool from_auto);
  // driver.cc
  void collect_provided();
  void replace_unknown();
  bool run_level(int level);
  bool sweep_all();
  bool sweep(const Computation& comp);
  void arrange(const Computation& comp);
  bool sweep_groups(const Computation& comp);
  bool sweep_operands();
  bool sweep_users();
  bool try_operands(InstId id);
  bool try_users(InstId id);
  bool infer_from_group(InstId id, const ShardGroup& group);
  void changed(InstId id);
  void untry_around(InstId id, InstId user_side);
  void align_groups();
  void relay_barriers();
  void remove_barriers();
  void restore_boundary();
  void replicate_uneven_boundary();
  bool even(InstId id, size_t leaf) const;

  bool marked(InstId id, Mark mark) const { return (marks_[id.index()] & mark) != 0; }
  void mark(InstId id, Mark m) { marks_[id.index()] |= m; }
  void unmark(InstId id, Mark m) { marks_[id.index()] &= static_cast<uint8_t>(~m); }
  const ShardGroup* group_of(InstId id) const;

  State& state_;
  Module& module_;
  ShardingPool& pool_;
  Context ctx_;
  bool allow_outputs_ = false, allow_parameters_ = false;
  std::vector<uint8_t> marks_;
  std::vector<InstId> moved_;  // annotations that became copies: they go to the end of their computation
  std::unordered_map<uint32_t, DimList> open_;
  struct GroupTag {
    int32_t id;
    bool as;
  };
  std::unordered_map<uint32_t, GroupTag> tags_;
  std::map<int32_t, ShardGroup> groups_;
  std::unordered_map<uint32_t, int32_t> group_id_;
  std::vector<Shard> saved_root_;
  std::vector<std::vector<Shard>> saved_parameters_;
  std::array<uint16_t, 4> sweeps_of_{};  // by level; the last level runs twice
  GspmdOptions options_;
  OrderRandom random_;
  std::vector<InstId> arranged_;  // the instructions of the computation being swept, operands first in XLA's order
};

}  // namespace sw::gspmd
