// Ops on constants: the elements of the result, in the precision of its type. XLA computes such ops before it
// propagates; equal results are equal constants, and a constant that is not known cannot be written down.
//
// Worked example: reshape of [5, 7] to 2x1 is [[5], [7]]; minimum of [5, 7] and the splat 6 is [5, 6].
//
// Follows StablehloAggressiveFolder; how large a constant may be is asked by the callers.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ops/dims_slice.h"
#include "ops/literal.h"

namespace sw {

struct FoldedOp {
  OpKind kind = OpKind::unknown;
  ElementType element = ElementType::f32;  // of the result
  std::span<const int64_t> shape;          // of the result
  std::span<const int64_t> dims;           // transpose, reverse, concatenate
  std::string_view direction;              // compare
  SliceDims window;                        // slice
};

// Nothing where the value cannot be told. Operands of a pointwise op have the shape of the result, or none.
std::optional<Literal> fold(const FoldedOp& op, std::span<const Literal> operands);

}  // namespace sw
