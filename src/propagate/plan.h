// What propagation returns: the sharding of every value, in every place it is used, and the full history of how it
// came.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "ops/factor_rule.h"
#include "propagate/hlo_writer.h"
#include "propagate/trace.h"
#include "sharding/program.h"

namespace sw {

enum class Partitioner : uint8_t { shardy, gspmd, none };

// One activation of a function: `main` is instance 0; every call that is not shared with an equal one has its own.
// Shardings of a private function's values are kept per instance, since each call site may get its own.
struct FunctionInstance {
  FunctionId function;
  uint32_t caller = 0;  // index of the calling instance; 0 for main
  OpId call;            // the call op in the caller; invalid for main
};

// A value in one activation of its function; of a tuple, one leaf.
struct ValueAt {
  ValueId value;
  uint32_t instance = 0;
  uint32_t leaf = 0;
};

struct Plan {
  Partitioner by = Partitioner::shardy;
  MeshId mesh;  // the mesh that most values use; invalid when the program has none
  // Final sharding of each value of the program, indexed by ValueId; invalid = replicated, nothing said. For values of
  // functions with several instances: that of the first instance in program order.
  std::vector<NamedShardingId> named;  // shardy
  std::vector<TileShardingId> tiled;   // gspmd, none
  // By ValueId, 1 for values that the partitioner does not see, so that they have no sharding at all: simplified away,
  // or arguments of a function whose calls are written out. Empty: it sees all.
  std::vector<char> absent;
  std::vector<NamedShardingId> outputs_named;  // results of main
  std::vector<TileShardingId> outputs_tiled;
  std::vector<FactorRule> rules;            // distinct rules
  std::vector<FactorRuleId> rule_of_op;     // by OpId; invalid: no rule
  std::vector<FunctionInstance> instances;  // what Step::instance counts; empty when no function is called
  std::vector<uint32_t> instance_shown;     // by FunctionId: the instance that `named` and `tiled` speak of
  // By ValueId: the value whose steps are also those of this one, as the operand of a call is for the argument of the
  // function called when calls are written out. Invalid: its own. Empty: all have their own.
  std::vector<ValueAt> same_as;
  Trace trace;
  std::shared_ptr<const LoweredProgram> lowered;  // of StableHLO, when asked for: what partition() takes
  std::vector<OpId> unsupported;                  // ops that stopped propagation because nothing is known of them
};

}  // namespace sw
