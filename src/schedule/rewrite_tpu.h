// What a TPU's compiler changes before it fuses, as far as it changes which arrays exist.
//
//   picks     a gather of single elements is a kernel of its own, and reads all of its operand from memory
//   spreads   a scatter into a fill that sets one element for each place of all dimensions but one, as the gradient of
//             picking one element a row: every element is compared with its row's index, which fuses
//
//   scatter(fill(0), i[8,128], u[8,128]) into [8,128,50304]  is  select(iota == i, u, 0)
//
// From what the compiler makes of such programs.
#pragma once

#include "schedule/machine.h"

namespace sw {

// `graph` is what the program was made from.
void rewrite_for_tpu(MachineProgram& program, const Graph& graph);

}  // namespace sw
