// XLA's compiler for CPU, as far as collectives go: those of constants are folded, bf16 is reduced in f32, and
// all-reduces are merged without a limit of bytes. It has no reduce-scatter creation, no reassociation and no merging
// of all-gathers.
//
// Follows RunHloPassesThroughLayoutAssn and RunHloPassesAfterLayoutAssn of CpuCompiler, and CpuAllReduceCombiner.
#include <limits>

#include "partition/backend/combine.h"
#include "partition/backend/constants.h"
#include "partition/backend/passes.h"
#include "partition/backend/promote.h"

namespace sw {

void compile_for_cpu(Rewrite& rewrite) {
  constexpr std::pair<ElementType, ElementType> kPromoted[] = {{ElementType::bf16, ElementType::f32}};
  constexpr CombineLimits kNoBytes{std::numeric_limits<int64_t>::max(), 256};
  promote_reductions(rewrite, kPromoted);
  fold_constant_collectives(rewrite);
  combine_all_reduces(rewrite, kNoBytes);
}

}  // namespace sw
