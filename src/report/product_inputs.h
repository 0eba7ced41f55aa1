// Which parameters of a program are read by products, convolutions and gathers, as weights are and the state of an
// optimizer is not.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sw {

// By number of the parameter. `graph` is HLO. What is between a parameter and the product may change its shape, its
// type or where it lies, but not what it says: conversions, slices, reshapes, gathering, state of a loop.
std::vector<char> product_inputs(const Graph& graph);

}  // namespace sw
