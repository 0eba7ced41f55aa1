// Provenance. Every change of a sharding during propagation goes through one function (State::refine) and appends one
// Step. Steps are plain data of fixed size; text is made only when somebody asks (propagate/explain).
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "sharding/axis_ref.h"

namespace sw {

enum class CauseKind : uint8_t {
  seed,        // written in the program or given by --shard / --pin
  constraint,  // copied from a sharding_constraint onto its input
  rule,        // the factor rule (Shardy) or the inference rule (GSPMD) of `op`
  group,       // sharding group: set with another member
  edge,        // data-flow edge of a while, case, call, manual computation, barrier
  result,      // the function's result attribute, or the value returned
  priority,    // axes held back by a user priority and released now
  fallback,    // default: replicated
};

// A tensor of an op: its operand or its result of this number. Of a function's results too, which are slots of its
// return.
struct OpSlot {
  static constexpr uint32_t kResult = 0x80000000U, kUnknown = 0xffffffffU;
  uint32_t raw = kUnknown;

  static constexpr OpSlot operand(size_t number) { return {static_cast<uint32_t>(number)}; }
  static constexpr OpSlot result(size_t number) { return {kResult | static_cast<uint32_t>(number)}; }
  constexpr bool known() const { return raw != kUnknown; }
  constexpr bool is_result() const { return known() && (raw & kResult) != 0; }
  constexpr bool is_operand() const { return (raw & kResult) == 0; }
  constexpr uint32_t number() const { return raw & ~kResult; }
  friend bool operator==(OpSlot, OpSlot) = default;
};

struct Cause {
  CauseKind kind = CauseKind::seed;
  OpSlot from_slot;  // of `op`: what gave the sharding
  OpSlot to_slot;    // the same for the value that was changed
  OpId op;           // the op whose rule ran, or that carries the annotation; ids of the program as read
  ValueId from;      // the value that gave the axes (as read)
  // The activation of a function that `from` is of; kSameInstance: that of the step.
  uint32_t from_instance = 0xffffffffU;
  uint32_t from_leaf = 0;  // of a tuple
};
constexpr uint32_t kSameInstance = 0xffffffffU;

struct Step {
  ValueId value;                  // the value changed (as read)
  uint32_t before = 0xffffffffU;  // sharding ids of the partitioner's own table; none = 0xffffffff
  uint32_t after = 0xffffffffU;
  Cause cause;
  uint32_t instance = 0;    // which function instance
  uint16_t round = 0;       // Shardy: op-priority step; GSPMD: sweep within the level, from 1; 0: before the first
  uint16_t user_round = 0;  // Shardy: user priority; GSPMD: level, from 0
  // GSPMD, which weighs whole shardings: what was offered. Where `after` is neither that nor refined by `before`, the
  // two were merged.
  uint32_t offered = 0xffffffffU;
  uint32_t leaf = 0;  // of a tuple: `before` and `after` are the shardings of this leaf
};

// An axis that a value was offered and did not take. Recorded only on request (explain --why-not).
enum class RefusalReason : uint8_t {
  axis_in_use,
  dimension_closed,
  not_divisible,
  explicitly_replicated,
  rule_blocked,
  conflict,
  // Of GSPMD, worked out by explain from the sharding that was refused as a whole:
  dimension_taken,   // the dimension has another axis already
  came_with_others,  // this axis would fit, but one that came with it does not
  no_finer           // the offer neither refines what is there nor can be merged with it
};
struct Refusal {
  ValueId value;
  OpId op;
  uint32_t axis = 0;
  uint16_t dim = 0;
  RefusalReason reason = RefusalReason::conflict;
  ValueId blocker;  // the value that has the axis already, if any
  uint16_t blocker_dim = 0;
  AxisRef blocker_axis;             // dimension_taken, came_with_others
  AxisRef part;                     // GSPMD: the axis, or part of it, that was offered
  uint32_t offered = 0xffffffffU;   // GSPMD: the sharding that was refused; id of its table
  uint32_t instance = 0, leaf = 0;  // as in Step
};

struct Trace {
  std::vector<Step> steps;
  std::vector<Refusal> refusals;
};

}  // namespace sw
