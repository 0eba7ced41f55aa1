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

Assignment assign_buffers(const AssignmentInput& input, const AssignmentRules& rules);

// By PlaceId: whether the program returns the value.
std::vector<bool> returned_values(const AssignmentInput& input);

// Of an array as it is stored; of a tuple, of the table of pointers to its parts.
int64_t value_bytes(const Type& type, ArrayForm form);

// Bytes of the largest value of a buffer.
int64_t buffer_bytes(const AssignmentInput& input, ArrayForm form, uint32_t buffer);

}  // namespace sw
