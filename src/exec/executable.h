// A program made ready to run: attributes read, kernels found, and for every op which values are needed for the last
// time. Made once, run any number of times on any number of devices (machine.h).
//
// Takes HLO: every op has one result, parameters are arguments of the block, a computation ends with its root.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "exec/body.h"
#include "exec/kernel.h"
#include "partition/permutes.h"
#include "sharding/tile_sharding.h"
#include "source/diagnostic.h"

namespace sw {

using Slot = uint32_t;  // a value of one computation

// What a collective does, with its devices written out.
struct CollectiveStep {
  OpKind kind = OpKind::all_reduce;
  std::vector<std::vector<int64_t>> groups;  // empty: all devices in one group
  PairList pairs;                            // collective_permute: from, to
  bool alone = false;                        // every device is a group of its own
  int64_t dim = 0;
  LoopFn loop = nullptr;     // of a reduction with one of the common bodies, over computed_in elements
  std::optional<Body> body;  // of any other
};

// The border of a manual region: along dimension d, the piece of device x is number coordinates[x][d] of counts[d].
struct BorderStep {
  bool enters = true;
  DimList full, piece;
  std::vector<DimList> coordinates;  // empty: every device has all of it
};

struct RunStep {
  OpId op;
  OpKind kind = OpKind::unknown;
  std::vector<Slot> operands;
  std::vector<char> last;  // by operand: the value is not needed any more
  Slot result = 0;
  bool drop_result = false;    // nobody reads it
  Kernel kernel;               // empty: the machine runs the op
  std::vector<size_t> called;  // computations
  int64_t index = 0;           // get_tuple_element
  bool takes = false;          // get_tuple_element: the element may be taken out of the tuple
  std::shared_ptr<const CollectiveStep> collective;
  std::shared_ptr<const BorderStep> border;
};

struct RunComputation {
  size_t slot_count = 0, arg_count = 0;
  std::vector<RunStep> steps;
  Slot root = 0;
};

// What the ops of manual regions need to know of the program they are in.
struct ProgramShardings {
  const TileShardingTable* table = nullptr;
  std::span<const TileShardingId> of_value;
  int64_t device_count = 1;
};

class Executable {
 public:
  // Ops that cannot be executed are reported, each kind once, with the place of its first use.
  static Result<Executable> prepare(const Graph& graph, const ProgramShardings& shardings, Precision precision,
                                    Diagnostics& diagnostics);

  const Graph& graph() const { return *graph_; }
  Precision precision() const { return precision_; }
  const RunComputation& computation(size_t i) const { return computations_[i]; }
  size_t main() const { return main_; }

 private:
  friend class ExecutableBuilder;
  const Graph* graph_ = nullptr;
  std::vector<RunComputation> computations_;
  size_t main_ = 0;
  Precision precision_ = Precision::as_written;
};

// Coordinates in the tile grid of every device that the sharding names, by device.
std::vector<DimList> tile_coordinates(const TileSharding& sharding, int64_t device_count);

}  // namespace sw
