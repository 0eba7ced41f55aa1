// All-reduces of which every device keeps a piece only.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// dynamic-slice(all-reduce(x)), where member j of every group cuts the j-th piece and nobody else uses the all-reduce:
// a reduce-scatter. A reshape may stand between when it leaves the cut dimension alone.
//
//   %r = f32[64] all-reduce(%x), groups {0,1},{2,3}         %r = f32[32] reduce-scatter(%x), the same groups
//   %p = f32[32] dynamic-slice(%r, 32 * (device % 2))
//
// Follows ReduceScatterCreator and MatchReduceScatter of XLA. Differs: the offset may also be arithmetic with division
// and remainder, in which our partitioner writes what XLA's looks up in tables.
void create_reduce_scatters(Rewrite& rewrite);

// When an all-reduce is over more devices than the pieces that are cut: the part that a reduce-scatter can do, and an
// all-reduce of the pieces. Only if the computation has all-reduces over one of the two new sets of groups already.
// Follows AllReduceSplitter.
void split_all_reduces(Rewrite& rewrite);

}  // namespace sw
