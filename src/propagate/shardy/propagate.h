// Shardy's sharding propagation: what the Shardy in jaxlib answers for a program, value by value.
#pragma once

#include "base/result.h"
#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "propagate/visit_order.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

struct ShardyOptions {
  enum class Strategy : uint8_t { aggressive, basic, basic_then_aggressive };
  Strategy strategy = Strategy::aggressive;
  bool op_priorities = true;  // false: one round without op priorities
  bool conservative = false;  // no sub-axes, no sharding of dimensions that would need data to move
  // A program as JAX lowers it is first brought into the form in which XLA hands it to Shardy when it compiles it:
  // calls inlined, ops in HLO's order, loop invariants outside. No effect on text that has been through XLA already.
  bool through_xla = false;
  bool lower = false;            // Plan::lowered
  bool propagate = true;         // false: shardings stay as they are written
  bool record_refusals = false;  // Trace::refusals: axes that were offered and not taken
  VisitOrder order;              // other than `own`: not what Shardy would do
};

// Propagates the shardings of `program`, with `seeds` put in, and returns the closed shardings that Shardy exports. The
// program's tables grow; nothing else of it changes. Errors: no main function, recursion of calls, dynamic shapes or
// tuples, invalid sharding groups, manual axes without shardings.
Result<Plan> propagate_shardy(Program& program, const Seeds& seeds, const ShardyOptions& options,
                              Diagnostics& diagnostics);

}  // namespace sw
