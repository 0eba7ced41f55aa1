// TPU: 32-bit arrays that only matrix products read are kept as bf16, since products at their usual precision round
// them to that anyway.
//
//   d = f32 add(a, b), read by a product only        stored as bf16
//   loop over f32 weights w[22,512,512] that products read      bf16 copy of all of w before the loop
//
// From what the compiler does to recorded programs.
#pragma once

#include "schedule/fusion_graph.h"

namespace sw {

// Whether the result of a group is stored as bf16.
bool is_narrowed(const FusionGraph& graph, uint32_t unit);

// Copies stacks of weights that loops hand to products alone, in the fused program.
void narrow_weights_before_loops(MachineProgram& program);

}  // namespace sw
