// The bytes that a program needs on one device: the contract between the memory model and what reports it.
//
// Figures carry the names under which XLA reports them (CompiledMemoryStats) and mean the same:
//   argument  entry parameters                      alias  parameters whose storage a result takes over
//   output    results, with their pointer table     temp   everything else, packed into one allocation
//   peak      argument + output - alias + the most temporaries that live at one time
// A program needs total() = argument + output - alias + temp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"
#include "source/diagnostic.h"

namespace sw {

// Whose compiler lays the memory out.
enum class MemoryTarget : uint8_t { h100, tpu_v5e, tpu_v5p, cpu };

// What a buffer is there for.
enum class MemoryCategory : uint8_t {
  parameter,        // weights: arguments whose storage a result of the same shape takes over
  optimizer_state,  // the further arguments of that kind that have the shape of a weight
  batch,            // arguments that are only read
  output,           // results in storage of their own
  activation,       // kept from the forward pass until the backward pass reads it
  gradient,
  collective,  // what a collective reads or writes
  loop_carry,  // state of a loop
  scratch,     // everything else, tables of pointers too
};
constexpr size_t kMemoryCategoryCount = 9;
std::string_view category_name(MemoryCategory category);

// One buffer; several values may share it, one after the other.
struct MemoryBuffer {
  OpId op;               // of the local program, makes the first value in it; invalid: an argument, a table
  ValueId value;         // that value, where the local program has it
  int64_t bytes = 0;     // as the compiler stores it, padding included
  int64_t unpadded = 0;  // of the elements alone
  MemoryCategory category = MemoryCategory::scratch;
  int64_t begin = 0, end = 0;  // positions in the schedule between which it is held, both included
  bool at_peak = false;
};

// How much lives after `position` steps of the schedule; `op` is what runs there.
struct MemoryPoint {
  int64_t position = 0;
  int64_t bytes = 0;
  OpId op;
};

struct MemoryProfile {
  MemoryTarget target = MemoryTarget::h100;
  int64_t argument = 0, output = 0, alias = 0, temp = 0, peak = 0;
  std::vector<MemoryBuffer> buffers;  // largest first
  std::vector<MemoryPoint> curve;     // one for each step, the steps of a loop's body once
  int64_t peak_position = 0;          // the step of the worst moment

  int64_t total() const { return argument + output - alias + temp; }
  // What runs at the worst moment; invalid where that is not known.
  OpId worst_op() const {
    const auto at = static_cast<size_t>(peak_position);
    return at < curve.size() ? curve[at].op : OpId{};
  }
  // What lives then, by category.
  std::array<int64_t, kMemoryCategoryCount> worst_by_category() const {
    std::array<int64_t, kMemoryCategoryCount> sums{};
    for (const MemoryBuffer& buffer : buffers)
      if (buffer.at_peak) sums[static_cast<size_t>(buffer.category)] += buffer.bytes;
    return sums;
  }
};

struct MemoryOptions {
  MemoryTarget target = MemoryTarget::h100;
};

// `graph` is HLO of one device: freshly partitioned (LocalProgram::graph), or what a compiler has fused and scheduled
// (`is_scheduled=true`), which is then taken as it stands.
Result<MemoryProfile> profile_memory(const Graph& graph, const MemoryOptions& options, Diagnostics& diagnostics);

}  // namespace sw
