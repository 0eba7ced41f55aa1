// Windows: convolution, reduce_window and select_and_scatter move a window over padded, dilated input.
#pragma once

#include <optional>

#include "ops/attr_reader.h"

namespace sw {

// One dimension of a window.
struct WindowDim {
  int64_t size = 1, stride = 1;
  int64_t pad_low = 0, pad_high = 0;  // may be negative
  int64_t base_dilation = 1, window_dilation = 1;
  bool reversal = false;
  // Each output element sees the input element at its own index, and only that one.
  bool trivial() const { return size == 1 && stride == 1 && pad_low == 0 && pad_high == 0 && base_dilation == 1; }
  friend bool operator==(const WindowDim&, const WindowDim&) = default;
};
using WindowDims = SmallVector<WindowDim, 4>;

// How often the window fits: dilate the input, pad it, slide. Nothing on overflow.
std::optional<int64_t> window_output_size(int64_t input, const WindowDim& window);

// reduce_window and select_and_scatter: one entry per dimension of operand 0. Sizes, strides and dilations are
// positive.
bool read_window_dims(const Graph& graph, OpId op, WindowDims& out, std::string* why = nullptr);

// The window attributes under given names (empty: the op has no such attribute); absent ones leave the defaults.
struct WindowAttrNames {
  std::string_view sizes, strides, padding, base_dilations, window_dilations, reversal;
};
bool read_window_attrs(AttrReader& attrs, const WindowAttrNames& names, size_t rank, WindowDims& out, std::string* why);

}  // namespace sw
