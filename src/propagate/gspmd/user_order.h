// The order in which XLA lists the users of an instruction once calls are written out. It decides what an instruction
// with several users learns from them: the first one that has a sharding gives it, others only refine it.
//
// A module that is read has users in the post-order of each computation, calls among them. A call that is written out
// then appends what its callee does with an argument to the argument's users, hands the users of its result to the
// callee's root, and is taken off the lists of its operands, where the last user takes its place:
//   %x: [call f, add], f = exp(%x) ... mul(%x)   ->   [call f, add, exp, mul]   ->   [mul, add, exp]
//
// Follows CallInliner and HloInstruction::RemoveUser.
#pragma once

#include <span>
#include <vector>

#include "propagate/gspmd/module.h"

namespace sw::gspmd {

// A call that stands in a computation itself, not in what another call brought with it: instructions [first, last) of
// the computation came of it.
struct WrittenOutCall {
  CompId comp;
  uint32_t first = 0, last = 0;
  std::vector<InstId> operands;
  InstId root;  // what the result is now; invalid: it has none
};

// `calls` in the order in which they were written out, so by `first`.
void list_users_as_inlined(Module& module, std::span<const WrittenOutCall> calls);

}  // namespace sw::gspmd
