// Completes manual computations: manual axes in mesh order, and every in/out sharding mentions each manual axis, those
// that shard no dimension as replicated. Example, manual {"y", "x"}, in_shardings [<@mesh, [{"x"}]>]:
//   manual {"x", "y"}, in_shardings [<@mesh, [{"x"}], replicated={"y"}>]
// Follows ManualAxesCleanupPass.
#include <algorithm>

#include "propagate/shardy/module.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

// The names in `{"x", "y"}`.
std::vector<std::string_view> quoted_names(std::string_view text) {
  std::vector<std::string_view> names;
  for (;;) {
    const size_t begin = text.find('"');
    if (begin == std::string_view::npos) return names;
    const size_t end = text.find('"', begin + 1);
    if (end == std::string_view::npos) return names;
    names.push_back(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

// The mesh that all shardings share: the first one, a non-empty one if there is any.
MeshId common_mesh(const Module& module, const ManualComputation& manual) {
  MeshId mesh;
  for (const auto* list : {&manual.in, &manual.out})
    for (const NamedShardingId id : *list) {
      const MeshId candidate = module.shardings.get(id).mesh;
      if (!mesh.valid() || module.shardings.mesh(mesh).mesh.empty()) mesh = candidate;
    }
  return mesh;
}

Result<void> clean(Module& module, WorkOpId id) {
  WorkIr& ir = module.ir;
  ManualComputation& manual = module.manual[ir.op(id).extra];
  const Op& op = module.graph.op(ir.op(id).origin);
  const AttrId attr = module.graph.attr(op, "manual_axes");
  const std::vector<std::string_view> names =
      attr.valid() ? quoted_names(module.graph.attr_table.get(attr).text) : std::vector<std::string_view>();
  if (manual.in.empty() && manual.out.empty()) {
    const WorkBlockId body = ir.entry_block(id, 0);
    if (names.empty() || ir.op(ir.block(body).first).kind == OpKind::sdy_return) return {};
    module.diagnostics.error(DiagnosticKind::unsupported, op.where,
                             "`sdy.manual_computation` has manual axes and a body, but no in or out shardings");
    return reported();
  }
  const MeshId mesh = common_mesh(module, manual);
  for (const std::string_view name : names) {
    const std::optional<uint32_t> axis = module.shardings.mesh(mesh).mesh.axis_named(name);
    if (axis) manual.axes.push_back(*axis);
  }
  std::sort(manual.axes.begin(), manual.axes.end());
  const auto complete = [&](std::vector<NamedShardingId>& list, auto&& value_of) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Type type = module.graph.types.get(ir.value(value_of(static_cast<uint32_t>(i))).type);
      if (type.is_tensor() && !type.is_token())
        list[i] = complete_manual_axes(module.shardings, list[i], manual.axes, mesh);
    }
  };
  complete(manual.in, [&](uint32_t i) { return ir.operand(id, i); });
  complete(manual.out, [&](uint32_t i) { return ir.result(id, i); });
  // What stands at the values: the inside view of arguments, the outside view of results.
  const WorkBlockId body = ir.entry_block(id, 0);
  for (uint32_t i = 0; i < manual.in.size() && i < ir.block(body).arg_count; ++i)
    ir.shardings[ir.arg(body, i).index()] = erase_manual_axes(module.shardings, manual.in[i], manual.axes);
  for (uint32_t i = 0; i < manual.out.size() && i < ir.op(id).result_count; ++i)
    ir.shardings[ir.result(id, i).index()] = manual.out[i];
  return {};
}

}  // namespace

Result<void> clean_manual_axes(Module& module) {
  bool good = true;
  module.for_each_body([&](WorkBlockId body) {
    walk_postorder(module.ir, body, [&](WorkOpId id) {
      if (module.ir.op(id).kind == OpKind::manual_computation && !clean(module, id)) good = false;
    });
  });
  if (good) return {};
  return reported();
}

}  // namespace sw::shardy
