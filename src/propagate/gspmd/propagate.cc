// See the header. One stage: import, propagate, and the shardings brought back to the values as read.
#include "propagate/gspmd/propagate.h"

#include "propagate/gspmd/driver.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/lower.h"
#include "propagate/gspmd/seeding.h"

namespace sw {
namespace {

using namespace gspmd;

TileShardingId sharding_at(State& state, const Place& place) {
  if (!place.inst.valid() || !state.has(place.inst)) return {};
  if (place.whole && state.is_tuple(place.inst)) return TileShardingId{state.pool.tuple(state.shards(place.inst))};
  return TileShardingId{state.shards(place.inst)[place.leaf]};
}

void fill_plan(const Program& program, State& state, Plan& plan) {
  const Module& module = state.module;
  plan.tiled.resize(program.graph.value_count());
  plan.absent.assign(program.graph.value_count(), 1);
  plan.same_as.resize(program.graph.value_count());
  for (size_t v = 0; v < module.place_of_value.size() && v < plan.tiled.size(); ++v) {
    plan.tiled[v] = sharding_at(state, module.place_of_value[v]);
    const Place& place = module.place_of_value[v];
    if (!place.inst.valid()) continue;
    plan.absent[v] = 0;
    const ValueId stands = module.value_of_leaf[module.inst(place.inst).leaf_begin + place.leaf];
    if (stands.valid() && !place.whole) plan.same_as[v] = {stands, module.inst(place.inst).instance};
  }
  plan.instances = module.instances;
  plan.instance_shown.resize(program.graph.function_count());
  for (size_t i = module.instances.size(); i-- > 0;)
    plan.instance_shown[module.instances[i].function.index()] = static_cast<uint32_t>(i);
  const InstId root = module.entry_root();
  if (!root.valid()) return;
  for (size_t leaf = 0; leaf < module.inst(root).leaf_count; ++leaf) {
    plan.outputs_tiled.push_back(state.has(root) ? TileShardingId{state.shards(root)[leaf]} : TileShardingId{});
  }
}

}  // namespace

Result<Plan> propagate_gspmd(Program& program, const Seeds& seeds, const GspmdOptions& options,
                             Diagnostics& diagnostics) {
  Result<Module> module = program.graph.is_hlo ? import_hlo(program, diagnostics)
                                               : import_stablehlo(program, options.propagate, diagnostics);
  if (!module) return reported();
  apply_seeds(program, seeds, *module);
  Plan plan;
  plan.by = Partitioner::gspmd;
  if (program.shardings.mesh_count() > 0) plan.mesh = MeshId{0};
  ShardingPool pool(program.tile_shardings);
  State state(program.graph, *module, pool, plan.trace, options.record_refusals);
  Propagation propagation(state, options);
  if (options.propagate)
    propagation.run();
  else
    propagation.take_given();
  fill_plan(program, state, plan);
  if (options.lower && !program.graph.is_hlo) {
    Result<LoweredProgram> lowered = lower(state, diagnostics);
    if (!lowered) return reported();
    plan.lowered = std::make_shared<LoweredProgram>(std::move(*lowered));
  }
  return plan;
}

}  // namespace sw
