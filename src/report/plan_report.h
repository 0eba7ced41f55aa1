// What the reports about a plan are made from, and the facts that several of them show.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/partition.h"
#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "source/source_manager.h"

namespace sw {

struct DeviceMemory;

struct PlanReport {
  const SourceManager& sources;
  const Program& program;
  const Plan& plan;
  std::string_view file;                 // as reports show it
  const LocalProgram* local = nullptr;   // what each device runs; null: not partitioned
  std::span<const Seed> seeds = {};      // --shard and --pin, where the report says something about them
  const DeviceMemory* memory = nullptr;  // of a device; null: none was named
};

// "shardy", "gspmd", "none"; and as a proper name.
std::string_view partitioner_name(Partitioner partitioner);
std::string_view partitioner_title(Partitioner partitioner);

// Whether the plan is Shardy's of a file whose shardings are GSPMD's, which Shardy does not read: it says nothing of
// the partitioners.
bool reads_no_shardings(const PlanReport& report);

// "stablehlo" or "hlo".
std::string_view input_format(const Graph& graph);

// One sharding in every spelling; empty where that form cannot say it.
struct ShardingText {
  std::string sdy, hlo, spec;
};

// The spellings of every sharding of a plan, each made once.
class ShardingTexts {
 public:
  explicit ShardingTexts(const PlanReport& report);

  const ShardingText& of_named(NamedShardingId id);
  const ShardingText& of_tiled(TileShardingId id, size_t rank);
  const ShardingText& of_value(ValueId value);
  const ShardingText& of_output(size_t index);

 private:
  const Program& program_;
  const Plan& plan_;
  ShardingTable meshes_;  // those of the program, and conversions of tile shardings to them
  std::vector<ShardingText> named_, tiled_;
  ShardingText nothing_;
};

// The sharding that the plan gives to a value or output, whichever form it has; invalid ids where it says nothing.
struct PlannedSharding {
  NamedShardingId named;
  TileShardingId tiled;
};
PlannedSharding sharding_of(const Plan& plan, ValueId value);
PlannedSharding sharding_of_output(const Plan& plan, size_t index);

// Tiles of each dimension of a value of `rank` dimensions; all 1 when nothing is said.
std::vector<int64_t> tiles_of(const Program& program, PlannedSharding sharding, size_t rank);

// The shape on one device; uneven dimensions rounded up, dynamic ones kept. Empty for rank 0 and what is no array.
std::vector<int64_t> device_shape(const Type& type, const std::vector<int64_t>& tiles);

// Bytes of an array of this element type and these extents, rounded up to whole bytes; 0 for tokens and tuples,
// saturated.
int64_t array_bytes(const Type& type, const std::vector<int64_t>& dims);

// Types of the results of main; an HLO tuple stands for its leaves.
std::vector<TypeId> output_types(const Graph& graph);
// Arguments of main.
std::vector<ValueId> main_arguments(const Graph& graph);

}  // namespace sw
