// See the header. One stage: import, propagate, and the shardings brought back to the values as read.
#include "propagate/gspmd/propagate.h"

#include <algorithm>

#include "propagate/gspmd/driver.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/seeding.h"
#include "sharding/convert.h"

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
  for (size_t v = 0; v < module.place_of_value.size() && v < plan.tiled.size(); ++v) {
    plan.tiled[v] = sharding_at(state, module.place_of_value[v]);
  }
  const InstId root = module.entry_root();
  if (!root.valid()) return;
  for (size_t leaf = 0; leaf < module.inst(root).leaf_count; ++leaf) {
    plan.outputs_tiled.push_back(state.has(root) ? TileShardingId{state.shards(root)[leaf]} : TileShardingId{});
  }
}

// The axes of a tile sharding per dimension, for this mesh.
std::vector<AxisList> axes_of(const Program& program, MeshId mesh, TileShardingId id, size_t rank) {
  std::vector<AxisList> axes;
  if (!id.valid()) return axes;
  const Converted<NamedShardingSpec> spec =
      named_from_tile(program.tile_shardings.get(id), program.shardings, mesh, rank);
  if (!spec) return axes;
  for (const NamedShardingSpec::Dim& dim : spec->dims) axes.push_back(dim.axes);
  return axes;
}

// Says each refusal with the mesh axis that was not taken: the first of the offered ones that the value does not have
// in this dimension. When another dimension of the value has it, that is the reason. Without a mesh there is no axis to
// name.
void name_refused_axes(const Program& program, Plan& plan) {
  std::vector<Refusal> named;
  for (Refusal refusal : plan.trace.refusals) {
    if (!plan.mesh.valid()) break;
    const size_t rank = program.graph.type_of(refusal.value).rank();
    const std::vector<AxisList> offered = axes_of(program, plan.mesh, TileShardingId{refusal.axis}, rank);
    const std::vector<AxisList> held = axes_of(program, plan.mesh, plan.tiled[refusal.value.index()], rank);
    if (refusal.dim >= offered.size()) continue;
    const auto holds = [&](size_t dim, const AxisRef& axis) {
      return dim < held.size() && std::find(held[dim].begin(), held[dim].end(), axis) != held[dim].end();
    };
    for (const AxisRef& axis : offered[refusal.dim]) {
      if (holds(refusal.dim, axis)) continue;
      refusal.axis = axis.axis;
      for (size_t d = 0; d < held.size(); ++d) {
        if (!holds(d, axis)) continue;
        refusal.reason = RefusalReason::axis_in_use;
        refusal.blocker_dim = static_cast<uint16_t>(d);
      }
      named.push_back(refusal);
      break;
    }
  }
  plan.trace.refusals = std::move(named);
}

}  // namespace

Result<Plan> propagate_gspmd(Program& program, const Seeds& seeds, const GspmdOptions& options,
                             Diagnostics& diagnostics) {
  Result<Module> module =
      program.graph.is_hlo ? import_hlo(program, diagnostics) : import_stablehlo(program, diagnostics);
  if (!module) return reported();
  apply_seeds(program, seeds, *module);
  Plan plan;
  plan.by = Partitioner::gspmd;
  if (program.shardings.mesh_count() > 0) plan.mesh = MeshId{0};
  ShardingPool pool(program.tile_shardings);
  State state(program.graph, *module, pool, plan.trace, options.record_refusals);
  Propagation(state, options.order, options.seed).run();
  fill_plan(program, state, plan);
  name_refused_axes(program, plan);
  return plan;
}

}  // namespace sw
