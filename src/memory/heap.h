// Packs what lives at different times into one allocation.
//
// Time runs in events, each an allocation or a release, as ops run: an op's results are allocated before what it reads
// last is released, unless a result takes the storage of an operand.
//
//   event 0 allocate a   1 allocate b   2 release a   3 allocate c   ...      c may lie where a lay
//
// Each buffer goes into the smallest gap that fits between those that live at the same time, or behind them. GPU: two
// orders are tried, largest first and longest first, and the better is kept; TPU: as they are allocated.
// Follows HeapSimulator and GlobalDecreasingSizeBestFitHeap of XLA.
#pragma once

#include <vector>

#include "memory/buffers.h"

namespace sw {

// A buffer that has no allocation of its own.
struct HeapBuffer {
  uint32_t buffer = 0;  // number in Buffers::all()
  int64_t bytes = 0;
};

struct HeapPlan {
  int64_t bytes = 0;                     // from the first to the end of the last
  int64_t most_live = 0;                 // the largest sum at one time
  uint32_t worst_time = 0;               // position in the schedule at which that is
  std::vector<int64_t> live;             // at each position in the schedule, the most while it runs
  std::vector<uint32_t> alive_at_worst;  // numbers in Buffers::all()
};

enum class PackingOrder : uint8_t { best_of_size_and_length, as_allocated };

HeapPlan plan_heap(const AssignmentInput& input, std::span<const HeapBuffer> contents, int64_t alignment,
                   PackingOrder order);

}  // namespace sw
