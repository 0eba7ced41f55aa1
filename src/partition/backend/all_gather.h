// All-gathers that can be done with fewer bytes, or not at all.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// op(all-gather(x), all-gather(y)) -> all-gather(op(x, y)) for a commutative op, when nobody else uses them. Follows
// AllGatherOptimizer of XLA.
void join_all_gathers(Rewrite& rewrite);

// A dynamic-slice of an all-gather in which every device takes back its own piece is the all-gather's operand. Follows
// AllGatherDynamicSliceSimplifier.
void cancel_all_gathers(Rewrite& rewrite);

// all-gather(broadcast(x)) -> broadcast(all-gather(x)): what is the same along a dimension is sent once. Follows
// AllGatherBroadcastReorder.
void gather_before_broadcast(Rewrite& rewrite);

}  // namespace sw
