// One offset in a window after the other: for each, which outputs see an element of the input there. Along a dimension
// those are every out_step-th output, and the elements are every in_step-th one, so whole boxes are worked on at once.
//
//   window of 2, stride 2, over 5 elements, no padding: outputs 0, 1; offset 1 sees elements 1, 3: step 2 from 1
#pragma once

#include "exec/strided.h"
#include "ops/dims_window.h"

namespace sw {

struct WindowRange {
  int64_t count = 0;
  int64_t out_first = 0, out_step = 1;
  int64_t in_first = 0, in_step = 1;
};
WindowRange window_range(const WindowDim& window, int64_t offset, int64_t input, int64_t output);

class WindowWalk {
 public:
  WindowWalk(const WindowDims& windows, std::span<const int64_t> input, std::span<const int64_t> output)
      : windows_(windows), input_(input), output_(output), at_(windows.size(), 0) {}

  // Goes to the first, then to the next offset; false after the last.
  bool next();
  bool empty() const { return empty_; }  // no output sees an element here
  const DimList& at() const { return at_; }
  const WindowRange& range(size_t dim) const { return ranges_[dim]; }

 private:
  const WindowDims& windows_;
  DimList input_, output_, at_;
  SmallVector<WindowRange, 4> ranges_;
  bool started_ = false, empty_ = false;
};

}  // namespace sw
