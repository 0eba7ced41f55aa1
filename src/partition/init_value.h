// Initial values of reductions: whether it matters how often one is counted.
#pragma once

#include "ir/graph.h"

namespace sw {

// A constant that is `number`, also when it is converted or copied first.
bool is_constant(const Graph& graph, ValueId value, int64_t number);
// A sum (product) of a reduce or reduce-window that may start from something else than 0 (1).
bool init_changes_result(const Graph& graph, OpId op);

}  // namespace sw
