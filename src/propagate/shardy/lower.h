// The propagated program as HLO for the partitioner.
#pragma once

#include "base/result.h"
#include "propagate/hlo_writer.h"
#include "propagate/shardy/engine.h"

namespace sw::shardy {

// Follows the export to XLA: constraints become copies, manual computations custom calls around a call, loops and
// branches computations of tuples. After propagation.
Result<LoweredProgram> lower(Module& module, const Engine& engine);

}  // namespace sw::shardy
