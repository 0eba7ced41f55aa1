// Shardy from end to end, as a list of its passes. What each does stands in its file.
#include "propagate/shardy/propagate.h"

#include "propagate/shardy/engine.h"
#include "propagate/shardy/export.h"
#include "propagate/shardy/lower.h"
#include "propagate/shardy/module.h"

namespace sw {

Result<Plan> propagate_shardy(Program& program, const Seeds& seeds, const ShardyOptions& options,
                              Diagnostics& diagnostics) {
  shardy::Module module(program, diagnostics);
  if (!shardy::build_module(module, seeds)) return reported();
  if (!shardy::functions_post_order(module)) return reported();  // recursion of calls
  if (!shardy::clean_manual_axes(module)) return reported();
  if (options.through_xla && shardy::is_jax_text(module) && !shardy::import_jax(module)) return reported();
  shardy::split_constants(module);
  shardy::add_data_flow_edges(module);
  if (!shardy::import_calls(module)) return reported();
  shardy::apply_constraints(module);
  if (!shardy::import_groups(module)) return reported();
  shardy::number_instances(module);

  if (!shardy::check_shapes(module)) return reported();
  shardy::GroupMembers groups = shardy::synchronise_groups(module);
  shardy::Engine engine(module, std::move(groups), options);
  if (options.propagate)
    engine.run();
  else
    engine.find_rules();
  if (options.record_refusals) engine.record_refusals();
  Plan plan = shardy::export_plan(module, engine);
  if (options.lower) {
    Result<LoweredProgram> lowered = shardy::lower(module, engine);
    if (!lowered) return reported();
    plan.lowered = std::make_shared<LoweredProgram>(std::move(*lowered));
  }
  return plan;
}

}  // namespace sw
