// Custom calls, by target: annotations, which change nothing, and what JAX has libraries do on CPUs.
#include "exec/kernel.h"

namespace sw {

namespace {

std::string_view target_of(const KernelRequest& request) {
  const AttrId attr = request.graph.attr(request.op(), "call_target_name");
  return attr.valid() ? request.graph.attr_table.get(attr).text : std::string_view();
}

}  // namespace

Kernel interp_custom_call(const KernelRequest& request) {
  const std::string_view target = target_of(request);
  for (const std::string_view same :
       {"Sharding", "xla.sdy.FuncResultSharding", "annotate_device_placement", "MoveToDevice", "MoveToHost",
        "PinToDevice", "PinToDeviceSram", "LayoutConstraint"})
    if (target == same) return interp_pass(request);
  if (target == "TopK") return interp_top_k(request);
  if (target.starts_with("lapack_")) return interp_lapack(request, target);
  if (target.find("python") != std::string_view::npos && target.find("callback") != std::string_view::npos)
    return request.refused("it calls a Python function of the process that has lowered the program (`" +
                           std::string(target) + "`), which is not in the file");
  return request.refused("nothing is known about what `" + std::string(target) + "` computes");
}

}  // namespace sw
