// Which ops of a computation end up in one kernel, as the compiler of a target decides; what is inside of a kernel
// never gets a buffer. The steps, in order:
//
//   products    a matrix product takes in cheap ops before and after it           fuse_products.cc
//   rows        GPU: reductions along rows join the kernel that normalises them   fuse_rows.cc
//   producers   ops move into all their users where that saves time               fuse_producers.cc
//   siblings    kernels over the same elements become one with several results    fuse_siblings.cc
#pragma once

#include "schedule/fusion_graph.h"

namespace sw {

// Operands and results of a kernel together.
constexpr size_t kMostKernelArrays = 96;

void fuse_products(FusionGraph& graph);
void fuse_producers(FusionGraph& graph);
void fuse_rows(FusionGraph& graph);

// On a CPU, what the library runs around reductions and products; by unit: whether its group is the library's.
std::vector<bool> fuse_for_library(FusionGraph& graph);  //                 fuse_library.cc
// Then all the rest.                                                       fuse_cpu.cc
void fuse_for_cpu(FusionGraph& graph, const std::vector<bool>& of_library);

// By unit: the group in whose kernel it is; groups of one kernel name the same.
std::vector<uint32_t> fuse_siblings(const FusionGraph& graph);

// The program again with kernels in the place of ops; loops, branches and the parameters of computations stay.
MachineProgram fuse(const MachineProgram& program, Compiler compiler);

}  // namespace sw
