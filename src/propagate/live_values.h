// Which values matter: those that a result of main, or an op with an effect, is computed from.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sw {

// By ValueId. What a region returns counts as used when its op is, and so do the operands of a call: more may be said
// to live than does, never less.
std::vector<char> live_values(const Graph& graph);

}  // namespace sw
