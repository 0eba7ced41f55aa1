// How the programs of the small worlds are put together; private to small_worlds*.cc.
#pragma once

#include <string>
#include <vector>

#include "property/small_worlds.h"

namespace sw::test {

using Worlds = std::vector<WorldProgram>;

// Parameter lines p0, p1, ... of the given shapes, then the lines `before`, then the op.
WorldProgram op(const std::vector<std::string>& shapes, const std::string& result, const std::string& call,
                const std::string& before = "", WorldInputs inputs = WorldInputs::tame);
// A computation of two scalars.
std::string reducer(const std::string& name, const std::string& element, const std::string& op);

void add_pointwise(Worlds& out);
void add_types(Worlds& out);
void add_control(Worlds& out);
void add_more_arrays(Worlds& out);
void add_more_sums(Worlds& out);
void add_more_indexed(Worlds& out);
void add_more_windows(Worlds& out);
void add_calls(Worlds& out);

}  // namespace sw::test
