// The programs of the small worlds (tests/property/exec_worlds_test.cc): one op each, on small arrays.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "exec/array.h"
#include "ir/graph.h"

namespace sw::test {

// The lines of an entry computation, with the computations that they may call before it.
std::string world_module(const std::string& lines);
const std::vector<std::string>& world_programs();
// Cholesky factors are of matrices with a large diagonal.
void make_definite(const Graph& graph, std::span<Datum> inputs);

}  // namespace sw::test
