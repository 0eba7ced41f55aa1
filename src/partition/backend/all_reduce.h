// All-reduces that can be done with fewer all-reduces.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// Collectives that move nothing: all-reduces in groups of one device, all-gathers and reduce-scatters whose result has
// the operand's shape. Follows AllReduceSimplifier of XLA.
void drop_trivial_collectives(Rewrite& rewrite);

// An all-reduce of an all-reduce that nobody else uses, over other groups, becomes one over the union of the groups:
//   {0,1},{2,3} and then {0,2},{1,3}  ->  {0,1,2,3}
// as long as every device contributes once. Follows AllReduceFolder.
// Devices of a group are listed by number, or as the two rounds bring them together: then other rounds give other
// groups.
enum class FoldedOrder : uint8_t { by_number, by_rounds };
void fold_all_reduces(Rewrite& rewrite, FoldedOrder order = FoldedOrder::by_number);

// all-reduce(x) + all-reduce(y) -> all-reduce(x + y), for the operation that the all-reduces do, when nobody else uses
// them. Follows AllReduceReassociate, with what it looks through: reshape, slice, pad with zero (one user each), a
// conversion to a wider type, and a dynamic-slice that cuts both in the same way.
void reassociate_all_reduces(Rewrite& rewrite);

}  // namespace sw
