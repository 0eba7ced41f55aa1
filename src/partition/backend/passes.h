// The passes of each compiler, in its order.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

void compile_for_cpu(Rewrite& rewrite);
void compile_for_gpu(Rewrite& rewrite);
void compile_for_tpu(Rewrite& rewrite);

}  // namespace sw
