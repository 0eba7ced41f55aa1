// Copies that aliasing forces, where two values must share storage and live at the same time:
//
//   a loop        a changed element of the state whose initial value is a parameter, a constant, read later, or given
//   to
//                 two elements is copied before the loop; an element whose old value is read after the new one is made
//                 is copied at the end of the body
//   in place      what is updated and read again later is copied before the update
//   the result    a parameter, a constant, a value that is returned twice, or one that takes over a parameter that is
//                 still read then
//
// Follows CopyInsertion of XLA.
#pragma once

#include "schedule/machine.h"

namespace sw {

// A result of the program that takes over the storage of a parameter.
struct StorageHandover {
  uint32_t place = 0;      // of the entry computation's root
  uint32_t parameter = 0;  // its number
  uint32_t parameter_place = 0;
};

// What is known of when an old value is read, as the compiler decides on copies.
enum class ReadOrder : uint8_t {
  scheduled,   // the program is in the order in which it runs
  dependence,  // a CPU's compiler copies first: only what one op needs of another orders them
};

// The program must be in the order in which it runs.
void insert_copies(MachineProgram& program, TypeTrees& trees, std::span<const StorageHandover> handovers,
                   ReadOrder order = ReadOrder::scheduled);

}  // namespace sw
