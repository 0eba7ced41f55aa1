// Which buffers a TPU's compiler keeps in the memory beside the cores, so that they take none of the device's: small
// ones that live for a short time first, as long as what lives at one time fits. Input-free values that a loop carries
// (masks, fills) are made again inside of it and have no buffer either.
//
// The compiler is not public; the capacities are those that fit what it compiled best.
#pragma once

#include <vector>

#include "memory/assignment.h"
#include "memory/profile.h"

namespace sw {

// Of a v5e, which brings every argument on chip and every result back through copies that have a slot of memory each:
// bytes of temporaries with those slots. `ops` is the program before ops became kernels. Fitted on small programs.
int64_t with_copy_slots(const AssignmentInput& input, const MachineProgram& ops, int64_t temp, int64_t slot);

// By number in Buffers::all().
std::vector<bool> on_chip_buffers(const AssignmentInput& input, MemoryTarget target);

}  // namespace sw
