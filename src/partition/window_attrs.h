// The window of a local op, as attributes in the canonical form of the op.
#pragma once

#include <vector>

#include "ops/dims_window.h"
#include "partition/emitter.h"

namespace sw {

// Convolutions have no sizes (the kernel has them) and other names for the dilations.
std::vector<NamedAttr> window_attrs(Emitter& emit, OpKind kind, const WindowDims& window);

// Result extents of sliding `window` over `input`, by dimension; the window must fit.
Dims window_output(const Dims& input, const WindowDims& window);

}  // namespace sw
