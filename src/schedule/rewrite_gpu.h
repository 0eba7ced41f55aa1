// What a GPU's compiler changes before it fuses, as far as it changes which arrays exist.
//
//   products    batch dimensions go first: an operand that has them elsewhere is transposed; products of one left
//               operand with several weights become one product with the weights side by side
//   gathers     along any dimension but the outermost: the operand is transposed, and the result transposed back
//   reductions  over devices, of one type and the same groups: up to 30 MiB become one, of a copy of all side by side,
//               from which each is copied again
//
// Follows LayoutAssignment, DotMerger and AllReduceCombiner of XLA's GPU compiler by their effect.
#pragma once

#include <set>

#include "schedule/machine.h"

namespace sw {

// Stacks that a loop only reads in slices, and of which a product wants another order of dimensions: the whole stack is
// laid out anew before the loop. As the computation of the body and the element of the loop's state.
using RelaidStacks = std::set<std::pair<ComputationId, uint32_t>>;

// `graph` is what the program was made from.
RelaidStacks rewrite_for_gpu(MachineProgram& program, const Graph& graph);

// The copies of those stacks, in the fused program.
void copy_stacks_before_loops(MachineProgram& program, const RelaidStacks& stacks);

}  // namespace sw
