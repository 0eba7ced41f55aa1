// Which of some values belong together: those between which a sharding can pass in one step.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sw {

// By the place of their definition in the text.
void sort_as_text(const Graph& graph, std::vector<ValueId>& values);

// Splits `values`, which are those with a flag by ValueId, into connected groups; each, and the groups among
// themselves, in the order of `values`. Neighbours are the operands and results of an op; of ops with regions that
// carry values (loops, branches, calls, manual computations) only what is carried in one place.
std::vector<std::vector<ValueId>> neighbour_groups(const Graph& graph, const std::vector<ValueId>& values,
                                                   const std::vector<char>& flags);

}  // namespace sw
