#include "propagate/lower_as_written.h"

#include <algorithm>

#include "propagate/gspmd/propagate.h"
#include "propagate/shardy/propagate.h"

namespace sw {

namespace {

template <class Id>
bool any_valid(const std::vector<Id>& ids) {
  return std::any_of(ids.begin(), ids.end(), [](Id id) { return id.valid(); });
}

// Constraints and the borders of manual computations say something too.
bool has_named_ops(const Graph& graph) {
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const OpKind kind = graph.op(OpId{i}).kind;
    if (kind == OpKind::sharding_constraint || kind == OpKind::reshard || kind == OpKind::manual_computation)
      return true;
  }
  return false;
}

}  // namespace

void lower_as_written(Program& program, const Seeds& seeds, Plan& plan, Diagnostics& diagnostics) {
  const bool named = any_valid(plan.named) || any_valid(plan.outputs_named) || has_named_ops(program.graph);
  if (!named && !any_valid(plan.tiled) && !any_valid(plan.outputs_tiled)) return;
  Diagnostics aside;
  Result<Plan> lowered = reported();
  if (named) {
    ShardyOptions options;
    options.propagate = false;
    options.lower = true;
    lowered = propagate_shardy(program, seeds, options, aside);
  } else {
    GspmdOptions options;
    options.propagate = false;
    options.lower = true;
    lowered = propagate_gspmd(program, seeds, options, aside);
  }
  if (lowered.has_value()) {
    plan.lowered = std::move(lowered->lowered);
    return;
  }
  for (const Diagnostic& d : aside.in_order_reported())
    diagnostics.warning(d.kind, d.where, "not partitioned, so without collectives: " + d.message);
}

}  // namespace sw
