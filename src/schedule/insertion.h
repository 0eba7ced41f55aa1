// Kernels that copy one operand of an op, and the places before those ops where they stand.
#pragma once

#include <map>

#include "schedule/machine.h"

namespace sw {

class Insertions {
 public:
  explicit Insertions(MachineProgram& program) : program_(program) {}

  // `user` reads a copy instead, with the type and source of what it has read so far.
  MachineOpId copy_operand(MachineOpId user, size_t operand, OpKind does);
  // Puts the copies into the order of the computation, in which the ops that read them are.
  void apply(ComputationId computation);

 private:
  MachineProgram& program_;
  std::map<MachineOpId, std::vector<MachineOpId>> before_;  // by the op before which they stand
};

// The part of the body's parameter that a loop gives back unchanged as element `i` of its state; invalid when there is
// no such element, or when it changes. The body ends in a tuple.
MachineOpId passed_through(const MachineProgram& program, const Computation& body, uint32_t i);

}  // namespace sw
