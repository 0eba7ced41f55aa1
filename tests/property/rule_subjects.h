// Single operations for the property of factor rules (tests/property/factor_rules_test.cc), as programs whose arguments
// are the operands.
#pragma once

#include <vector>

#include "property/random_graph.h"

namespace sw::test {

// Every operation of a random program that is no loop, branch or call, each by itself; constants stay constants.
std::vector<RandomGraph> single_operations(const RandomGraph& graph);
// Those that random programs do not have.
const std::vector<RandomGraph>& other_operations();

}  // namespace sw::test
