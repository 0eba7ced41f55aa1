// XLA's compiler for CPU, as far as collectives go: those of constants are folded, all of bf16 are done in f32, and
// all-reduces are merged without a limit of bytes. It has no reduce-scatter creation, no reassociation and no merging
// of all-gathers.
//
// Follows RunHloPassesThroughLayoutAssn and RunHloPassesAfterLayoutAssn of CpuCompiler, and CpuAllReduceCombiner.
// Differs: merging looks at the ops one by one, XLA after it has fused them, which can change the order in which it
// comes to them. Where an all-reduce needs another, the sets may then begin and end elsewhere.
#include <limits>

#include "partition/backend/combine.h"
#include "partition/backend/constants.h"
#include "partition/backend/passes.h"
#include "partition/backend/promote.h"
#include "partition/backend/tidy.h"

namespace sw {

void compile_for_cpu(Rewrite& rewrite) {
  constexpr std::pair<ElementType, ElementType> kPromoted[] = {{ElementType::bf16, ElementType::f32}};
  constexpr CombineLimits kNoBytes{std::numeric_limits<int64_t>::max(), 256};
  // bf16 is converted before anything else is simplified, and one value converted twice is two values.
  tidy(rewrite, ElementType::bf16);
  promote_reductions(rewrite, kPromoted);
  widen_collectives(rewrite, ElementType::bf16, ElementType::f32);
  fold_constant_collectives(rewrite);
  combine_all_reduces(rewrite, kNoBytes);
}

}  // namespace sw
