// Checks a program after reading: arity, types, attributes and regions of every op, signatures of functions and calls,
// and the rank, axes and meshes of every sharding. Reports each fault with the position of its op, what was seen and
// what was expected. Stages after this one rely on verified programs and check nothing again.
#pragma once

#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

void verify(const Program& program, Diagnostics& diagnostics);

// Axes that the manual computations around a block have taken, also those around the first call of its function: no
// sharding in there may use them.
AxisList manual_axes_around(const Program& program, BlockId block);

}  // namespace sw
