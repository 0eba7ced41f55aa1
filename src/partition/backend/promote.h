// Collectives of narrow numbers are done in wider ones: converted before, converted back after.
#pragma once

#include <span>
#include <utility>

#include "partition/backend/rewrite.h"

namespace sw {

// All-reduces and reduce-scatters whose element type is the first of a pair are done in the second. Follows
// AllReducePromotion of XLA.
void promote_reductions(Rewrite& rewrite, std::span<const std::pair<ElementType, ElementType>> promoted);

// Every other collective too, where the backend cannot hold the narrow type at all. Follows FloatNormalization.
void widen_collectives(Rewrite& rewrite, ElementType narrow, ElementType wide);

}  // namespace sw
