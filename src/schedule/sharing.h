// Who may write over what it reads.
#pragma once

#include "schedule/machine.h"

namespace sw {

// Operands that an op updates in place: operand and result are one buffer, always.
std::vector<OperandToResult> in_place_pairs(const MachineProgram& program, TypeTrees& trees, MachineOpId op);

// Whether `user` may make the array at `place` of its result in the storage of its operand `operand`, when that is not
// read any more afterwards. `only_user`: nobody else uses the operand.
//
// Follows HloDataflowAnalysis::CanShareOperandBufferWithUser of XLA. Plain elementwise ops may, with equal shapes; a
// copy never; sorts with one array, or key by key.
bool may_overwrite(const MachineProgram& program, TypeTrees& trees, MachineOpId operand, bool only_user,
                   MachineOpId user, uint32_t place);

}  // namespace sw
