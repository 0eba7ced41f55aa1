// StableHLO functions on their way to HLO: a copy of the graph that may be simplified, one per function, before calls
// are inlined. Values are numbers; a value that was replaced points at the one that stands for it.
//
// XLA simplifies StableHLO before it becomes HLO (stablehlo-target-independent-optimization), function by function.
// That changes which instructions there are, so shardings: a broadcast that only adds a dimension of size 1 is a
// reshape, equal constants are one, a loop carries nothing that it leaves alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "propagate/gspmd/module.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw::gspmd {

constexpr uint32_t kNone = 0xffffffffU;
// Begins the `splat` of a constant whose element is not known.
constexpr std::string_view kComputed = "computed ";

// What is read as one function: a function, or the body of a manual computation, which JAX calls like one when it
// lowers for GSPMD. A function called from manual computations is read once for every set of axes that are manual
// there.
struct StableSource {
  FunctionId function;
  OpId manual_computation;  // where `function` is invalid
  ManualScope scope = 0;
  friend auto operator<=>(const StableSource&, const StableSource&) = default;
  bool valid() const { return function.valid() || manual_computation.valid(); }
};

struct StableRegion {
  std::vector<uint32_t> args;     // values
  std::vector<uint32_t> nodes;    // in order
  std::vector<uint32_t> results;  // values returned
};

struct StableNode {
  OpKind kind = OpKind::unknown;
  OpId op;  // carries the attributes; invalid for what was made up
  std::vector<uint32_t> operands;
  uint32_t first_result = 0, result_count = 0;
  DimList dims;
  std::vector<StableRegion> regions;  // while_: condition, body; case_: branches
  StableSource callee;                // call
  std::optional<ManualScope> scope;   // of the results, where it is not that of the function
  TileShardingId sharding;            // an annotation's or conversion's, when it did not come as an attribute
  CallTarget target = CallTarget::none;
  DimList open;             // an annotation's open dimensions
  bool has_effect = false;  // of an annotation that is made: it stays though nobody uses it
  // Constants: `splat` is the text of the one element; `literal` the attribute of any other.
  StringId splat;
  AttrId literal;
  std::optional<int64_t> number;  // of an integer splat
  std::optional<double> real;     // of a floating-point one, rounded to its type
  // Attributes that `op` does not have, in canonical form: the window of a slice that was made.
  std::vector<NamedAttr> made;
  bool dead = false;
};

struct StableValue {
  TypeId type;
  uint32_t node = kNone;  // kNone: an argument
  ValueId origin;         // as read
  uint32_t replaced = kNone;
};

struct StableFunction {
  std::vector<StableNode> nodes;
  std::vector<StableValue> values;
  StableRegion body;
  ManualScope scope = 0;

  uint32_t resolve(uint32_t value) const {
    while (values[value].replaced != kNone) value = values[value].replaced;
    return value;
  }
  // The node that defines a value, or null for an argument.
  const StableNode* def(uint32_t value) const {
    const uint32_t node = values[value].node;
    return node == kNone ? nullptr : &nodes[node];
  }
  bool is_constant(uint32_t value) const {
    const StableNode* node = def(value);
    return node != nullptr && node->kind == OpKind::constant;
  }
};

// stablehlo_read.cc. `scratch` is reused from function to function; `scopes` (Module::manual_axes) grows.
Result<StableFunction> read_stable_function(Program& program, StableSource source, std::vector<AxisList>& scopes,
                                            std::vector<uint32_t>& scratch, Diagnostics& diagnostics);
// stablehlo_simplify.cc
void simplify(Graph& graph, StableFunction& function);

}  // namespace sw::gspmd
