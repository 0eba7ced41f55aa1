// GSPMD: XLA's sharding propagation pass, rule for rule, as jaxlib 0.10.2 has it.
//
// For HLO input (before the pass) the plan gives every instruction the sharding that the pass gives it; for StableHLO
// input it is the sharding that the value has after XLA's import. Values whose plan entry is invalid have none: the
// partitioner replicates them. Plan::tiled and the ids in the trace are TileShardingIds of Program::tile_shardings,
// which only grows.
#pragma once

#include "base/result.h"
#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "propagate/visit_order.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

struct GspmdOptions {
  bool record_refusals = false;
  bool lower = false;     // Plan::lowered, of StableHLO input
  bool propagate = true;  // false: shardings stay as they are written, and StableHLO is not simplified
  // Other than these: not what XLA would do.
  VisitOrder order;
  bool levels = true;  // false: all rules from the start, instead of the certain ones first
};

Result<Plan> propagate_gspmd(Program& program, const Seeds& seeds, const GspmdOptions& options,
                             Diagnostics& diagnostics);

}  // namespace sw
