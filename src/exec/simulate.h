// Runs a program as it was written and as it was partitioned, on the same inputs, and compares every result; when asked
// for, step after step, and the values on the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/feeds.h"
#include "exec/inputs.h"
#include "exec/value_check.h"
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
  int64_t steps = 1;
  std::vector<Feed> feeds;   // from step to step
  bool every_value = false;  // Simulation::values
};

// How far something is off, and how far when both programs compute in f64 (nothing: they did not). A comparison, a
// rounding or a sort makes a large difference out of a small one, and nothing but noise is left of what cancels out:
// both shrink when there is less rounding, a wrong rule does not.
bool agree(const ArrayDifference& as_written, const ArrayDifference* wide);

// A value on the way.
struct ValueOutcome {
  ValueDifference as_written;
  std::optional<ArrayDifference> wide;
  bool agrees() const { return agree(as_written.worst, wide.has_value() ? &*wide : nullptr); }
};

// A scalar result over the steps: a loss.
struct Curve {
  size_t result = 0;  // leaf
  std::vector<double> expected, found;
  ArrayDifference as_written;  // as of an array with one element a step
  std::optional<ArrayDifference> wide;
  bool agrees() const { return agree(as_written, wide.has_value() ? &*wide : nullptr); }
};

struct Simulation {
  std::vector<ArrayDifference> outputs;  // by leaf of the result; after the last step
  std::vector<ArrayDifference> wide;     // the same in f64; empty when everything agrees as it is
  double tolerance = 0;
  bool random_inputs = true;
  FloatRange range = FloatRange::symmetric;
  std::vector<Traffic> traffic;  // of LocalProgram::collectives
  int64_t high_water = 0;        // bytes, on the device that held most
  int64_t high_water_device = 0;
  std::vector<int64_t> high_water_of;  // by device
  int64_t predicted = 0;               // peak_bytes of the local program
  std::vector<Array> inputs, results;  // leaves of what the program as written was given, and of what it gave
  int64_t steps = 1;
  std::vector<Curve> curves;  // of more than one step
  bool every_value = false;
  std::vector<ValueOutcome> values;                          // in the order in which the partitioned program makes them
  int64_t values_not_lined_up = 0, values_without_room = 0;  // ValueDifferences

  bool agrees(size_t output) const { return agree(outputs[output], wide.empty() ? nullptr : &wide[output]); }
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
