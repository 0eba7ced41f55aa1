// Convolutions: which dimension of input (lhs), kernel (rhs) and output plays which part, the window over the spatial
// dimensions, and the two kinds of groups.
#pragma once

#include "ops/dims_window.h"

namespace sw {

struct ConvDims {
  int64_t input_batch = 0, input_feature = 0;
  int64_t kernel_input_feature = 0, kernel_output_feature = 0;
  int64_t output_batch = 0, output_feature = 0;
  DimList input_spatial, kernel_spatial, output_spatial;  // of equal length
  WindowDims window;                                      // by spatial dimension; size is the kernel's extent
  int64_t feature_group_count = 1, batch_group_count = 1;
};

// Checks that the three lists cover the dimensions of input, kernel and output, and that groups are positive, at most
// one of them above 1. Not sizes.
bool read_conv_dims(const Graph& graph, OpId op, ConvDims& out, std::string* why = nullptr);

}  // namespace sw
