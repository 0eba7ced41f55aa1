// Partitioner `none`: the shardings that the file holds are the plan, and nothing is propagated. For modules after
// propagation, and to see what a file says by itself.
#pragma once

#include "propagate/plan.h"
#include "propagate/seeds.h"

namespace sw {

// Every value with a sharding written on its op, on its argument, or given by a seed; sdy and HLO forms each as they
// are.
Plan plan_as_written(const Program& program, const Seeds& seeds);

// Whether the text is GSPMD's: HLO, or what JAX lowers with Shardy off, whose shardings are all `mhlo.sharding`.
bool is_for_gspmd(const Program& program);

}  // namespace sw
