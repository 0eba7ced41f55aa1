// `--partitioner none` on StableHLO: the program as HLO with the shardings that stand in it, for the partitioner.
#pragma once

#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

// Sets Plan::lowered. Named shardings are exported as Shardy would, those in HLO's spelling as GSPMD takes them; in
// both cases nothing is propagated, simplified or moved, and values without a sharding are whole everywhere. A program
// without any sharding is left alone; what cannot be lowered is a warning.
void lower_as_written(Program& program, const Seeds& seeds, Plan& plan, Diagnostics& diagnostics);

}  // namespace sw
