// Convolutions as a GPU's library runs them.
//
//   which      forward; for the gradient of the input (its filter comes reversed, or its input is dilated); for the
//              gradient of the filter (its window is the whole image)
//   filters    output channels first; the gradient of the input reads the filter of the forward one, not the reversed
//   padding    the library pads both sides alike; where they differ, a padded copy of the input is made first
//   sums       a forward convolution adds an array of its result's size, or a number for each channel, and cuts off
//              below zero itself, if nothing else reads what it has computed before
//
//   y = max(conv(x, w) + r, 0)      one convolution that reads x, w and r
//
// So what is added must be in memory. Follows ConvKindAssignment, ConvPaddingLegalization and CudnnFusedConvRewriter of
// XLA. The library's workspace is not known before it runs; ahead of time the compiler counts none.
#pragma once

#include "schedule/machine.h"

namespace sw {

// `graph` is what the program was made from. New ops stand at the end of the computation.
void rewrite_convolutions(MachineProgram& program, const Graph& graph, ComputationId computation);

}  // namespace sw
