// Which products, convolutions and reductions XLA's CPU compiler gives to its library (YNNPACK).
#pragma once

#include "ops/dims_conv.h"
#include "schedule/machine.h"

namespace sw {

// A product whose dims are the contracted dimension of either operand.
bool is_library_product(const MachineProgram& program, MachineOpId product);
// With batch first and features last, of all operands; `conv` is what the text says of it.
bool is_library_convolution(const MachineProgram& program, MachineOpId convolution, const ConvDims& conv);
// A reduction of one array, whole or in windows. `graph` is what the program was made from.
bool is_library_reduction(const MachineProgram& program, const Graph& graph, MachineOpId reduction);

}  // namespace sw
