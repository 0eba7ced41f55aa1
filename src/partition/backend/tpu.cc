// The TPU compiler. Its source is closed; this is what its answers for about 120 programs (v5e, v5p) show:
//
//  - all-reduces of all-reduces are folded, and the devices of the new groups keep the order in which the two rounds
//    bring them together: all-reduces folded from other rounds are not merged;
//  - there is no reduce-scatter. An all-reduce of which every device keeps a piece is fused with the cut and stays an
//    all-reduce in the text; such are merged with one another, and not with others;
//  - all-gathers are not merged, and of flat arrays they are all-reduces of the pieces;
//  - all-reduces are merged without a limit of bytes, and sums leave loops, except those that a scatter adds to.
//
// Not followed: it gathers what goes into matrix products in bf16 (the bytes shown are those before), and it partitions
// in its own way what the TPU does otherwise than XLA for CPU and GPU: fft, sort and top-k, decompositions of matrices,
// branches whose both sides gather the same, products of a gathered weight in a loop. There the kinds differ.
#include <limits>

#include "partition/backend/all_gather.h"
#include "partition/backend/all_reduce.h"
#include "partition/backend/combine.h"
#include "partition/backend/constants.h"
#include "partition/backend/decompose.h"
#include "partition/backend/loop_motion.h"
#include "partition/backend/passes.h"
#include "partition/backend/tidy.h"

namespace sw {

void compile_for_tpu(Rewrite& rewrite) {
  constexpr CombineLimits kNoBytes{std::numeric_limits<int64_t>::max(), 2048};
  tidy(rewrite);
  fold_constant_collectives(rewrite);
  drop_trivial_collectives(rewrite);
  decompose_reduce_scatters(rewrite);
  fold_all_reduces(rewrite, FoldedOrder::by_rounds);
  cancel_all_gathers(rewrite);
  decompose_flat_all_gathers(rewrite);
  reassociate_all_reduces(rewrite);
  move_all_reduces_out_of_loops(rewrite, {.stacked_bytes = 0, .scattered_sums = false});
  combine_all_reduces_by_use(rewrite, kNoBytes);
}

}  // namespace sw
