// What compilers take away before anything else: ops that give what they are given, and ops that compute again what has
// been computed.
//
//   maximum(x, -inf) -> x    select(p, true, false) -> p    add(x, 0), multiply(x, 1) -> x    f32 -> f64 -> f32:
//   nothing
//
// Follows AlgebraicSimplifier, HloCSE and HloDCE of XLA, as far as these change which arrays exist.
#pragma once

#include <optional>

#include "schedule/machine.h"

namespace sw {

// `graph` is what the program was made from.
void simplify(MachineProgram& program, const Graph& graph);

// The one number of all elements of a constant.
std::optional<double> constant_number(const Graph& graph, OpId constant);

}  // namespace sw
