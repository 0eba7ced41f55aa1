#include "partition/backend/backend.h"

#include "partition/backend/passes.h"

namespace sw {

void apply_backend(LocalProgram& program, Backend backend) {
  if (backend == Backend::none) return;
  Rewrite rewrite(program);
  switch (backend) {
    case Backend::xla_cpu: compile_for_cpu(rewrite); break;
    case Backend::xla_gpu: compile_for_gpu(rewrite); break;
    case Backend::tpu: compile_for_tpu(rewrite); break;
    case Backend::none: break;
  }
  rewrite.finish();
}

}  // namespace sw
