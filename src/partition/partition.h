// Partitioning: from a program and the sharding of every value to the program that each device runs, with every
// collective in it and why it is there. Does not ask who decided the shardings.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "partition/context.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

// One collective of the local program.
struct Collective {
  OpId op;  // in LocalProgram::graph
  OpKind kind = OpKind::all_reduce;
  FunctionId computation;
  DeviceGroups groups;                // dims [groups, devices]; empty for a permute
  PairList pairs;                     // of a permute
  int64_t bytes = 0;                  // of the result on one device
  int64_t trip_count = 1;             // how often it runs a step; 0: in a loop whose count is not known
  CollectiveCause cause;              // ops and shardings of the program that was partitioned
  std::vector<CollectiveCause> also;  // of the collectives that a backend has merged into this one
};

struct LocalProgram {
  Graph graph;  // HLO, what every device runs
  int64_t device_count = 1;
  std::vector<Collective> collectives;  // in the order of the text, called computations first
  std::vector<SourcePiece> pieces;      // what stands for values of the program; none after a backend's passes
  std::vector<Miscompile> miscompiles;  // what XLA computes wrongly, in the order of the text
};

// `graph` is HLO (text/hlo, or lowered) and `shardings` holds the sharding of every value, indexed by ValueId; an
// invalid one is replicated. The table grows. `device_count` 0: as many as the shardings name.
Result<LocalProgram> partition(const Graph& graph, TileShardingTable& table, std::vector<TileShardingId> shardings,
                               int64_t device_count, Diagnostics& diagnostics, Lowering lowering = Lowering::as_xla);

// A program that is one device's already (an XLA dump from after partitioning): its collectives as they stand, each of
// them its own cause.
LocalProgram already_partitioned(const Program& program, int64_t device_count);

}  // namespace sw
