// The programs of the small worlds (tests/property/exec_worlds_test.cc): one op each, on small arrays.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/op_kind.h"

namespace sw::test {

enum class WorldInputs : uint8_t {
  tame,            // what random_inputs makes: floats 0.1 to 1, integers that are valid as positions
  wild,            // floats -1 to 1, integers -3 to 7 wherever they are used
  whole,           // floats 0, 1 and 2, whose sums even small types hold
  large_diagonal,  // as tame, and what is factored has a large diagonal
};

struct WorldProgram {
  std::string lines;  // of the entry computation
  WorldInputs inputs = WorldInputs::tame;
  std::string computations;  // that it calls, beside the common ones
  int64_t often = 1;         // how many times as many combinations are drawn as of others: some go wrong seldom
};

std::string world_module(const WorldProgram& program);
// Of all meshes.
const std::vector<WorldProgram>& world_programs();
// What stands in manual regions depends on the mesh.
std::vector<WorldProgram> manual_programs(std::span<const int64_t> axes);

// Why an op has no world.
enum class NoWorld : uint8_t {
  not_in_hlo,  // HLO has no such op: it is lowered to others, or refused, before a program is partitioned
  no_kernel,   // nothing executes it
  no_array,    // it gives a token, of which nothing can be cut
  unknown_op,
};
const std::vector<std::pair<OpKind, NoWorld>>& ops_without_world();

}  // namespace sw::test
