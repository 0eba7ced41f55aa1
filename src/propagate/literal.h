// The numbers in the text of a constant.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/graph.h"

namespace sw {

// Of a constant of integers or predicates, all elements in row-major order; nothing when the text has anything else.
std::optional<std::vector<int64_t>> constant_integers(const Graph& graph, OpId op);

}  // namespace sw
