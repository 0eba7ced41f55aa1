// Collectives of a constant: every device has the same number everywhere, so nothing needs to be sent.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// Follows HandleAllGather, HandleAllToAll and HandleAllReduceOrReduceScatter of XLA's AlgebraicSimplifier: the operand
// is a scalar constant, broadcast (of integers also what is computed from such, as constant folding makes it). A sum
// becomes the constant times the size of a group.
void fold_constant_collectives(Rewrite& rewrite);

}  // namespace sw
