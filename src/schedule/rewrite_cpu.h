// What XLA's CPU compiler does to the ops of a program before it gathers them into kernels.
//
//   products        their operands become [batch, rows, contracted] and [batch, contracted, columns]: a transposition
//                   where the text has another order, a reshape of operands and result where there are more dimensions
//   bf16            ops compute in f32 between conversions of what they read and of what they make
//   convolutions    of the entry become [batch, space, features] by transpositions before and after
//   gathers         and scattered reductions run along the outermost dimension, transpositions around them
//   exchanges       send pieces that are cut out before and put together after
//
// A reshape stays an op, other names for it (a broadcast to as many elements, a transposition of dimensions of size 1)
// become one: it costs nothing, but a kernel that has one in it may not overwrite what it reads.
#pragma once

#include "schedule/machine.h"

namespace sw {

void rewrite_for_cpu(MachineProgram& program, const Graph& graph);

}  // namespace sw
