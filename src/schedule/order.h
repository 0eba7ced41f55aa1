// The order in which kernels run. Three candidates for the whole program, of which the one with the smallest sum of
// values alive at one time wins: a greedy list, a depth-first walk that begins with what has most behind it, and a
// plain post-order. A loop counts with what its body needs on top.
//
//   a = big(p); b = small(a); c = big(q); d = small(c)     a b c d holds one big array at a time; a c b d two
//
// Follows DefaultMemoryScheduler of XLA (ListMemoryScheduler, DFSMemoryScheduler, PostOrderScheduler).
#pragma once

#include <functional>

#include "schedule/machine.h"

namespace sw {

// Bytes that a value of this type takes.
using SizeOf = std::function<int64_t(const Type&)>;

// Puts the ops of every computation into the order in which they run.
void order_program(MachineProgram& program, TypeTrees& trees, const SizeOf& size);

// A CPU's compiler takes ops as they become ready, first come first served, so that many can run at the same time.
void order_breadth_first(MachineProgram& program);

// What a GPU's compiler does to that order to hide transfers: a gather starts one product before it is needed, and
// kernels that only make results of the program from what has been reduced over devices come last.
void start_gathers_early(MachineProgram& program);
void make_reduced_results_last(MachineProgram& program);

}  // namespace sw
