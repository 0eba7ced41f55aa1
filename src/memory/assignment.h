// Gives every buffer an allocation, as XLA's BufferAssigner does: parameters and results their own, other buffers the
// storage of a result that is not written yet or of a parameter that is not read any more, the rest is packed.
#pragma once

#include <vector>

#include "memory/array_bytes.h"
#include "memory/buffers.h"
#include "memory/heap.h"

namespace sw {

enum class BufferPlace : uint8_t { parameter, result, reused, constant, table, on_chip, heap };

struct AssignedBuffer {
  uint32_t buffer = 0;  // number in Buffers::all()
  int64_t bytes = 0;
  BufferPlace place = BufferPlace::heap;
};

struct AssignmentRules {
  ArrayForm form = ArrayForm::packed;
  int64_t alignment = 256;
  PackingOrder order = PackingOrder::best_of_size_and_length;
  bool reuses_results = true;    // temporaries may lie in results and parameters
  bool tables_in_slots = false;  // a table takes a slot of the alignment, and without other temporaries nothing
};

struct Assignment {
  int64_t temp = 0;
  HeapPlan heap;
  std::vector<AssignedBuffer> buffers;  // largest first
};

struct AssignmentInput {
  const MachineProgram& program;
  const Sequence& sequence;
  const ValueFlow& flow;
  const Buffers& buffers;
  TypeTrees& trees;
  std::span<const int64_t> more_tables = {};   // of what the program does not show
  const std::vector<bool>* on_chip = nullptr;  // by buffer: not in main memory
};

Assignment assign_buffers(const AssignmentInput& input, const AssignmentRules& rules);

// Bytes of the largest value of a buffer.
int64_t buffer_bytes(const AssignmentInput& input, ArrayForm form, uint32_t buffer);

}  // namespace sw
