// References to mesh axes and their algebra. `"x"` is a full axis; `"x":(m)k` is the part of size k after m more-major
// parts. Of an axis of size 8: "x":(1)2 is its major half, "x":(2)4 the rest, and together, in this order, they are "x".
//
// Invariant: a full axis has pre 1 and size = the size of the axis in its mesh; a sub-axis never spells a full axis (the
// verifier refuses it), so equality of the three numbers is equality of the references *within one mesh*.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "base/small_vector.h"

namespace sw {

struct AxisRef {
  uint32_t axis = 0;  // position in Mesh::axes
  uint32_t pre = 1;   // product of the more-major parts
  uint32_t size = 1;
  uint64_t next() const { return uint64_t{pre} * size; }
  friend bool operator==(const AxisRef&, const AxisRef&) = default;
};

using AxisList = SmallVector<AxisRef, 4>;

}  // namespace sw
