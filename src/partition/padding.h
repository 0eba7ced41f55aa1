// What stands in the padding of a piece, found by looking at how the piece was made.
#pragma once

#include "ir/graph.h"

namespace sw {

// Whether `piece` is known to hold `number` wherever dimension `dim`, of `full` elements on all devices together, is
// padded; of negative numbers, any that is negative. False: it may hold anything.
bool padding_holds(const Graph& graph, ValueId piece, size_t dim, int64_t full, int64_t number);

}  // namespace sw
