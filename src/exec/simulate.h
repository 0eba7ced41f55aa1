// Runs a program as it was written and as it was partitioned, on the same inputs, and compares every result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/inputs.h"
#include "exec/shards.h"
#include "partition/partition.h"

namespace sw {

// The two programs. `shardings` holds the sharding of every value of `whole`, which is HLO.
struct ProgramPair {
  const Graph& whole;
  std::span<const TileShardingId> shardings;
  TileShardingTable& table;
  const LocalProgram& local;
};

struct SimulateOptions {
  uint64_t seed = 0;
  std::vector<Datum> inputs;        // one per argument of main; empty: random
  std::optional<double> tolerance;  // relative to the largest magnitude of a result
  int64_t memory = INT64_MAX;       // bytes that may be used
  bool keep_arrays = false;         // Simulation::inputs and ::results
};

struct Simulation {
  std::vector<ArrayDifference> outputs;  // by leaf of the result
  // The same when both programs compute in f64; empty when `outputs` agree as they are. A comparison, a rounding or a
  // sort makes a large difference out of a small one, and nothing but noise is left of what cancels out: both shrink
  // when there is less rounding, a wrong rule does not.
  std::vector<ArrayDifference> wide;
  double tolerance = 0;
  bool random_inputs = true;
  FloatRange range = FloatRange::symmetric;
  std::vector<Traffic> traffic;  // of LocalProgram::collectives
  int64_t high_water = 0;        // bytes, on the device that held most
  int64_t high_water_device = 0;
  int64_t predicted = 0;               // peak_bytes of the local program
  std::vector<Array> inputs, results;  // leaves of what the program as written was given, and of what it gave
  bool agrees(size_t output) const;
  bool agrees() const;
};

enum class SimulateError : uint8_t {
  unsupported,  // an op or a sharding cannot be executed; reported
  too_large,    // reported, with the bytes
  failed,       // the program cannot go on; reported
};

tl::expected<Simulation, SimulateError> simulate(const ProgramPair& programs, const SimulateOptions& options,
                                                 Diagnostics& diagnostics);

// What results may be off by, relative to their largest magnitude: by the smallest float that the program computes in.
double default_tolerance(const Graph& graph);

}  // namespace sw
