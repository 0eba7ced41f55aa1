// Collectives of one computation that do not depend on one another are merged: one op with many operands, whose result
// is a tuple.
//
// Follows CombineInstructionsByKey of XLA. In post-order the first collective opens a set, and those that agree with
// it in key join, until the bytes or the number would pass the limit or one depends on a member of the set; there the
// set ends, though later ones might still have fitted. What is left starts over.
//
//   a = all-reduce(x)   b = all-reduce(y)   c = all-reduce(f(a))   d = all-reduce(z)
//
// gives {a, b}, because c depends on a, and then {c, d}.
#pragma once

#include <functional>

#include "partition/backend/collective_key.h"

namespace sw {

struct CombineLimits {
  int64_t bytes = 0;  // of the results; a larger collective stays alone
  int64_t count = 0;
};

// A collective without a key is left alone.
using CombineKeyOf = std::function<std::optional<CollectiveKey>(OpId)>;
void combine_collectives(Rewrite& rewrite, const CombineKeyOf& key_of, CombineLimits limits);

void combine_all_reduces(Rewrite& rewrite, CombineLimits limits);
// Those of which every device keeps its piece only (slice_match.h) are merged with one another, the others among
// themselves.
void combine_all_reduces_by_use(Rewrite& rewrite, CombineLimits limits);
// All-gathers and reduce-scatters of different dimensions go together, all-gathers of different element types too.
void combine_all_gathers(Rewrite& rewrite, CombineLimits limits);
void combine_reduce_scatters(Rewrite& rewrite, CombineLimits limits);
// Permutes with the same pairs.
void combine_permutes(Rewrite& rewrite, CombineLimits limits);

}  // namespace sw
