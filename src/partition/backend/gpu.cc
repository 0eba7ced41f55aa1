// XLA's compiler for GPU, as far as collectives go.
//
// Follows AddSPMDPasses (from the partitioner on), RunCollectiveOptimizationPasses and AddCollectiveCombinerPasses of
// GpuCompiler, with the options at their defaults: no pipelining of loops, merging up to 30 MiB. Differs: products that
// share an operand are not merged into one, after which XLA comes to what they multiply with in another order; rewrites
// that no program recorded needs (quantization, all-gathers of padded values, permuted offsets) are left out.
#include "partition/backend/all_gather.h"
#include "partition/backend/all_reduce.h"
#include "partition/backend/combine.h"
#include "partition/backend/constants.h"
#include "partition/backend/loop_motion.h"
#include "partition/backend/passes.h"
#include "partition/backend/promote.h"
#include "partition/backend/reduce_scatter.h"
#include "partition/backend/tidy.h"

namespace sw {

void compile_for_gpu(Rewrite& rewrite) {
  constexpr CombineLimits kLimits{30 * 1024 * 1024 + 7, 2048};
  constexpr std::pair<ElementType, ElementType> kPromoted[] = {{ElementType::u16, ElementType::u32},
                                                               {ElementType::s16, ElementType::s32}};
  tidy(rewrite);
  fold_constant_collectives(rewrite);
  drop_trivial_collectives(rewrite);
  fold_all_reduces(rewrite);
  split_all_reduces(rewrite);
  join_all_gathers(rewrite);
  cancel_all_gathers(rewrite);
  reassociate_all_reduces(rewrite);
  move_all_reduces_out_of_loops(rewrite, {.stacked_bytes = 10240, .scattered_sums = true});
  create_reduce_scatters(rewrite);
  gather_before_broadcast(rewrite);
  promote_reductions(rewrite, kPromoted);
  combine_all_gathers(rewrite, kLimits);
  combine_all_reduces(rewrite, kLimits);
  combine_reduce_scatters(rewrite, kLimits);
  combine_permutes(rewrite, kLimits);
}

}  // namespace sw
