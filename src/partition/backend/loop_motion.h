// All-reduces that are done once after a loop instead of once in every iteration.
//
//   while: s += all-reduce(x)              while: s' += x, from zero;  s = s0 + all-reduce(s')
//   while: out[i] = all-reduce(x)          while: out[i] = x;          out = all-reduce(out)
//
// Follows WhileLoopAllReduceCodeMotion of XLA. Differs: a transposition before the stack is looked through, since XLA
// has turned it into one of a product's operands before partitioning; a sum that goes through a selection or into a
// slice of what is carried stays in the loop, and so does a stack that the loop does not fill as a whole. Stacks also
// stay where the body holds an optimization barrier (jax.checkpoint): so the compiler does, for a reason that its
// source does not show.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

struct LoopMotion {
  int64_t stacked_bytes = 0;    // of what is stacked, the most that is moved
  bool scattered_sums = false;  // sums that a scatter adds to are moved too
};

// An all-reduce that has left a loop is not moved out of the next one.
void move_all_reduces_out_of_loops(Rewrite& rewrite, LoopMotion options);

}  // namespace sw
