// The module with the shardings that propagation has given it, as HLO for the partitioner.
#pragma once

#include "base/result.h"
#include "propagate/gspmd/state.h"
#include "propagate/hlo_writer.h"
#include "source/diagnostic.h"

namespace sw::gspmd {

// After propagation; for modules imported from StableHLO.
Result<LoweredProgram> lower(State& state, Diagnostics& diagnostics);

}  // namespace sw::gspmd
