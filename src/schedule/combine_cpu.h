// A CPU's compiler makes one of the reductions over devices that do not wait for one another; the one that is left
// waits for the operands of all of them, and they are all alive by then.
//
//   a = all-reduce(p); b = all-reduce(q); c = all-reduce(f(b))      (a, b) = all-reduce(p, q); c = all-reduce(f(b))
#pragma once

#include "schedule/machine.h"

namespace sw {

// `kernels` is the fused program, `graph` what it was made from.
void combine_reductions_for_cpu(MachineProgram& kernels, const Graph& graph);

}  // namespace sw
