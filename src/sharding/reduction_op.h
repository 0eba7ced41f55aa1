// How the parts of an unreduced value are to be combined. `sum` is the default, and what Shardy never prints.
#pragma once

#include <cstdint>
#include <string_view>

namespace sw {

enum class ReductionOp : uint8_t { sum, max, min };

constexpr std::string_view reduction_name(ReductionOp op) {
  return op == ReductionOp::max ? "max" : op == ReductionOp::min ? "min" : "sum";
}

}  // namespace sw
