#include "partition/backend/backend.h"

#include "partition/backend/passes.h"

namespace sw {

std::string_view backend_name(Backend backend) {
  switch (backend) {
    case Backend::xla_cpu: return "xla-cpu";
    case Backend::xla_gpu: return "xla-gpu";
    case Backend::tpu: return "tpu";
    case Backend::none: break;
  }
  return "none";
}

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
