// The two levels above the engine.
//
// User priorities. `{"x"}p1` means: not before everything of priority 0 has propagated. Until then the dimension is
// closed and empty and its axes count as replicated, which keeps the place free. Then, priority by priority, they come
// back and everything propagates again. Worked example: %0 {"x"}p1 in dimension 0 and %1 {"x"} in dimension 1, both
// added: in round 0 the sum gets [{?}, {"x"}] since "x" is replicated for %0 only; in round 1 the sum cannot take "x"
// for dimension 0.
//
// Op priorities: five rounds that let more and more through. 0: ops that only pass data through, if all their operands
// have a single user; 1: the same without the condition; 2: all ops, but only pass-through factors, and broadcasts only
// from result to operand; 3: all factors; 4: everything.
//
// Follows UserPriorityPropagation and OpPriorityPropagation.
#include <algorithm>
#include <map>

#include "propagate/shardy/engine.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {
constexpr int kOpPrioritySteps = 5;
}

void Engine::run() {
  const std::vector<HeldBack> held = hold_back();
  propagate_by_op_priority(0);
  std::map<int32_t, std::vector<const HeldBack*>> by_priority;
  for (const HeldBack& one : held) by_priority[one.priority].push_back(&one);
  for (const auto& [priority, list] : by_priority) {
    const auto round = static_cast<uint16_t>(std::min<int32_t>(priority, 0xffff));
    state_.set_round(round, 0);
    for (const HeldBack* one : list) {
      const NamedShardingId current{state_.sharding(one->slot)};
      Cause cause;
      cause.kind = CauseKind::priority;
      set_sharding(one->slot, release_priority(shardings_, current, one->original, priority), cause);
    }
    propagate_by_op_priority(round);
  }
}

// Every sharding of the program is looked at except those that stand at the owners of edges (the edge has its own).
std::vector<Engine::HeldBack> Engine::hold_back() {
  std::vector<HeldBack> held;
  std::vector<int32_t> priorities;
  for (uint32_t slot = 0; slot < state_.slot_count(); ++slot) {
    const NamedShardingId original{state_.sharding(slot)};
    if (!original.valid()) continue;
    priorities.clear();
    bool any = false;
    const NamedSharding sharding = shardings_.get(original);
    for (const DimSharding& dim : sharding.dims) {
      any = any || dim.priority != kNoPriority;
      if (dim.priority > 0 && std::find(priorities.begin(), priorities.end(), dim.priority) == priorities.end())
        priorities.push_back(dim.priority);
    }
    if (!any) continue;
    for (const int32_t priority : priorities) held.push_back({priority, slot, original});
    Cause cause;
    cause.kind = CauseKind::priority;
    state_.refine(slot, hold_back_priorities(shardings_, original).raw, cause);
  }
  return held;
}

void Engine::propagate_by_op_priority(uint16_t user_round) {
  for (int step = options_.op_priorities ? 0 : kOpPrioritySteps - 1; step < kOpPrioritySteps; ++step) {
    state_.set_round(user_round, static_cast<uint16_t>(step));
    if (options_.order.kind == VisitOrder::Kind::backward_first) {
      limit_ = Direction::backward;
      propagate_step(step);
      limit_ = Direction::both;
    }
    propagate_step(step);
  }
}

void Engine::propagate_step(int step) {
  if (options_.strategy != ShardyOptions::Strategy::aggressive) propagate(Visitor::Factors::basic, step);
  if (options_.strategy != ShardyOptions::Strategy::basic) propagate(Visitor::Factors::aggressive, step);
}

// What an op may do in a step: the union of what it may do in this and all earlier steps.
Directions Engine::directions(WorkOpId id, int step) const {
  const OpVisit& op = visits_[id.index()];
  if (op.kind == Kind::barrier) {
    const AttrId attr = module_.graph.attr(module_.graph.op(ir_.op(id).origin), "allowed_direction");
    const std::string_view text = attr.valid() ? module_.graph.attr_table.get(attr).text : std::string_view();
    const Direction only = text == "FORWARD"    ? Direction::forward
                           : text == "BACKWARD" ? Direction::backward
                           : text == "BOTH"     ? Direction::both
                                                : Direction::none;
    return {only, only};
  }
  if (step + 1 >= kOpPrioritySteps) return {Direction::both, Direction::both};
  Direction through = Direction::none;
  if (op.pass != PassThrough::no) {
    bool allowed = step > 0;
    if (!allowed) {
      allowed = true;
      for (uint32_t i = 0; i < ir_.op(id).operand_count && allowed; ++i) {
        const WorkValue& operand = ir_.value(ir_.operand(id, i));
        allowed = operand.use_count == 1 || (operand.flags & kScalar) != 0;
      }
    }
    if (allowed) through = op.pass == PassThrough::both ? Direction::both : Direction::forward;
  }
  Directions out{through, through};
  const Direction any = op.broadcast ? Direction::backward : Direction::both;
  if (step >= 2) out.pass_through = join(out.pass_through, any);
  if (step >= 3) out.other = join(out.other, any);
  return out;
}

}  // namespace sw::shardy
