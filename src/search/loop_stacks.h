// What loops of one device's program collect, run by run. JAX saves what a backward loop needs of a forward loop (the
// residuals of a scan) in arrays with one more dimension, of which every run writes its part:
//
//   body(i, x, s):  s' = dynamic-update-slice(s, reshape(y), i, 0, ...)         s: bf16[22,2,1024,2048] from zeros
//
// and the backward loop takes that array as state and reads it part by part. A stack of what the body was given to
// begin with (x, perhaps reshaped) is what jax.checkpoint leaves of them: all else can be computed again from it.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sw {

struct LoopStack {
  OpId loop;
  uint32_t index = 0;  // of the loop's state
  ValueId init;        // what it begins as
  ValueId update;      // in the body: what a run writes
  int64_t runs = 1;
  bool of_carry = false;  // the update is state that the body was given
  OpId reader;            // the later loop that is the only one to read it; invalid: there is none, or something else
                          // reads it too
  uint32_t reader_index = 0;  // of that loop's state
};

// Of main, in the order of the program.
std::vector<LoopStack> find_loop_stacks(const Graph& graph);

// The body of a loop, the values of its state in the body's beginning (invalid: not read) and end.
struct LoopState {
  FunctionId body;
  std::vector<ValueId> begin, end;
};
LoopState loop_state(const Graph& graph, OpId loop);

// The value behind reshapes, copies, transposes and conversions.
ValueId unwrapped(const Graph& graph, ValueId value);

}  // namespace sw
