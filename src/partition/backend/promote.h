// Reductions of narrow numbers are done in wider ones: converted before, converted back after.
#pragma once

#include <span>
#include <utility>

#include "partition/backend/rewrite.h"

namespace sw {

// Follows AllReducePromotion of XLA: all-reduces and reduce-scatters whose element type is the first of a pair are done
// in the second.
void promote_reductions(Rewrite& rewrite, std::span<const std::pair<ElementType, ElementType>> promoted);

}  // namespace sw
