// Collectives that a backend does not have, written with an all-reduce.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// A reduce-scatter is an all-reduce of which every device keeps its piece.
void decompose_reduce_scatters(Rewrite& rewrite);

// An all-gather of one dimension (others have extent 1) is an all-reduce of the pieces, each at its place in zeros.
void decompose_flat_all_gathers(Rewrite& rewrite);

}  // namespace sw
