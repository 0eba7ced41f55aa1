// From HLO of one device to what memory and time are worked out on.
#pragma once

#include "base/result.h"
#include "schedule/machine.h"
#include "source/diagnostic.h"

namespace sw {

// Whether a compiler has fused and ordered the module already.
bool is_scheduled(const Graph& graph);

// The module op by op, in the order of the text: what a compiler has scheduled, with its fusions as kernels.
Result<MachineProgram> machine_program_as_it_stands(const Graph& graph, Diagnostics& diagnostics);

// The module op by op, with calls replaced by what they call, as compilers do first.
Result<MachineProgram> machine_program_inlined(const Graph& graph, Diagnostics& diagnostics);

}  // namespace sw
