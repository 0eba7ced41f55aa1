// Propagation itself: visits ops until nothing changes, in exactly Shardy's order.
//
// A *slot* is a work value (edges stand for the targets of data-flow ops) or, after all values, a result of main.
// Before the first visit everything that does not change is laid out flat: which slots an op reads, which edge a use
// feeds.
//
// Order. A sweep keeps a stack of distinct ops, filled so that ops are first visited from top to bottom, an op before
// the ops in its regions. When a value changes, these are pushed: users of the loop variables that share its edge; the
// op that defines it; its users in use order (a use that feeds an edge pushes the edge, a use by a terminator the op
// around it). Each push is followed by pushes of the ops around. An op that is on the stack already stays where it is.
// The op being visited is never pushed by its own changes. An op without users and effects is erased when its turn
// comes, and the definitions of its operands are pushed if they have at most two users.
//
// Worked example: %s = abs %x {sharding [{"a"}, {?}]}; the users of %x are, in the text, %t = transpose %x,
// %u = add %x, %t and %s. When %s is visited, %x changes; the uses of %x are walked from the newest to the oldest, so
// the transpose is pushed last and visited first: %t gets "a" for dimension 1 before the add could give it "a" for
// dimension 0.
//
// Follows BasicPropagationPassImpl, the two passes above it, and the greedy driver of MLIR. Terminates: every change
// adds axes to a sharding, and there are finitely many.
#pragma once

#include <cstdint>
#include <vector>

#include "propagate/shardy/module.h"
#include "propagate/shardy/visit.h"
#include "propagate/state.h"

namespace sw::shardy {

class Engine {
 public:
  Engine(Module& module, GroupMembers groups, const ShardyOptions& options);

  // All rounds: user priorities, and op priorities within each. Follows UserPriorityPropagation.
  void run();
  // Without propagating: only the rules of all ops.
  void find_rules();

  NamedShardingId sharding(WorkValueId value) const;  // through edges; invalid: none
  NamedShardingId main_result(size_t i) const;
  const RuleBook& rules() const { return rules_; }
  RuleId rule_of(WorkOpId op) const { return visits_[op.index()].rule; }
  const std::vector<OpId>& unknown_ops() const { return unknown_; }
  State& state() { return state_; }
  State::Place place_of(WorkValueId value) const;  // what it is in the text; nothing when it was inserted
  size_t distinct_visits() const { return visitor_.distinct_visits(); }

  // Appends to the trace the axes that values were offered in the end and did not take (refusals.cc).
  void record_refusals();

 private:
  static constexpr uint32_t kNoSlot = 0xffffffffU;

  enum class Kind : uint8_t { fresh, nothing, rule, edge, manual_edge, barrier };
  // How an op passes axes through before its rule counts (op priorities 0 and 1).
  enum class PassThrough : uint8_t { no, both, forward };

  struct OpVisit {
    Kind kind = Kind::fresh;
    PassThrough pass = PassThrough::no;
    bool broadcast = false;
    bool pure = false;  // with everything in its regions
    RuleId rule;
    uint32_t first_tensor = 0;  // in tensors_
    uint32_t tensor_count = 0;
    uint32_t operand_count = 0;
  };
  // What is held back for user priorities.
  struct HeldBack {
    int32_t priority;
    uint32_t slot;
    NamedShardingId original;
  };

  // engine.cc: preparation
  void lay_out();
  void lay_out_op(WorkOpId id);
  void lay_out_edge(WorkOpId id);
  void find_purity();
  void find_edges_of_uses();
  void start_state();
  void begin_visit(WorkOpId id);

  // priorities.cc
  std::vector<HeldBack> hold_back();
  void propagate_by_op_priority(uint16_t user_round);
  void propagate_step(int step);
  Directions directions(WorkOpId id, int step) const;

  // refusals.cc
  void refuse_factor(WorkOpId id, const OpVisit& op, const Visit& visit, size_t factor);

  // driver.cc
  void propagate(Visitor::Factors factors, int step);
  void propagate_main_results(Visitor::Factors factors);
  void sweep();
  void fill_stack();
  WorkOpId take_next();
  void visit(WorkOpId id);
  void visit_edge(WorkOpId id, Visitor::Job job);
  void write(WorkOpId id, const OpVisit& op, const Update& update, NamedShardingId stored, CauseKind kind);
  void set_sharding(uint32_t slot, NamedShardingId next, const Cause& cause);
  void update_group(uint32_t slot, NamedShardingId next, bool notify);
  void notify(uint32_t slot);
  void notify_users(WorkValueId value);
  void push(WorkOpId id);
  void push_one(WorkOpId id);
  void erase_dead(WorkOpId id);
  void push_operands(WorkOpId id);
  Cause cause_of(WorkOpId id, const OpVisit& op, const Update& update, CauseKind kind) const;
  WorkValueId tensor_value(WorkOpId id, const OpVisit& op, uint32_t tensor) const;

  Module& module_;
  WorkIr& ir_;
  ShardingTable& shardings_;
  ShardyOptions options_;
  RuleBook rules_;
  Visitor visitor_;
  State state_;
  GroupMembers groups_;
  std::vector<uint32_t> group_of_;     // by value; kNoSlot: none. Empty when there are no groups
  std::vector<uint32_t> slot_of_;      // by value: where its sharding stands; kNoSlot: nowhere
  std::vector<OpVisit> visits_;        // by op
  std::vector<uint32_t> tensors_;      // slots, or kNoSlot
  std::vector<WorkOpId> edge_of_use_;  // by use: the edge it is a source of
  std::vector<WorkValueId> returned_;  // operands of main's return
  uint32_t first_result_slot_ = 0;
  std::vector<OpId> unknown_;

  OrderRandom random_;
  Direction limit_ = Direction::both;  // backward while only that is let through (VisitOrder::backward_first)
  int step_ = 0;
  Visitor::Factors factors_ = Visitor::Factors::aggressive;
  WorkOpId current_;
  std::vector<WorkOpId> stack_;
  std::vector<uint8_t> on_stack_;
  std::vector<NamedShardingId> gathered_;
  std::vector<Update> pending_;
};

}  // namespace sw::shardy
