// A seed on an argument replaces what is written there and fixes it; a pin is a sharding annotation put behind the
// value, so that every use goes through it, as jax.lax.with_sharding_constraint does.
#include "propagate/gspmd/seeding.h"

#include <algorithm>

#include "propagate/gspmd/import.h"

namespace sw::gspmd {
namespace {

void fix_parameter(Module& module, InstId id, TileShardingId sharding) {
  std::erase_if(module.given, [&](const auto& given) { return given.first == id; });
  module.given.emplace_back(id, sharding);
  const Inst& inst = module.inst(id);
  if (inst.comp != module.entry) return;
  const size_t params = module.comps[inst.comp.index()].params.size();
  if (module.allow_parameters.size() != params) {
    const bool all = !module.allow_parameters.empty() && module.allow_parameters[0];
    module.allow_parameters.assign(params, all);
  }
  module.allow_parameters[inst.number] = false;
}

void pin(const Graph& graph, Module& module, Place& place, TileShardingId sharding, const DimList& open) {
  const InstId value = place.inst;
  if (module.inst(value).leaf_count != 1) return;
  Inst inst;
  inst.kind = OpKind::custom_call;
  inst.target = CallTarget::sharding;
  inst.type = module.inst(value).type;
  inst.scope = module.inst(value).scope;
  inst.instance = module.inst(value).instance;
  const SmallVector<uint32_t, 4> users = module.users[value.index()];
  const CompId comp = module.inst(value).comp;
  const InstId operand[] = {value};
  const InstId id = module.add(graph, comp, inst, operand);
  module.redirect(value, id, users);
  module.given.emplace_back(id, sharding);
  if (!open.empty()) module.unspecified.emplace_back(id, open);
  place.inst = id;
}

}  // namespace

void apply_seeds(Program& program, const Seeds& seeds, Module& module) {
  for (const Seed& seed : seeds) {
    if (!seed.value.valid() || seed.value.index() >= module.place_of_value.size()) continue;
    Place& place = module.place_of_value[seed.value.index()];
    if (!place.inst.valid()) continue;
    const TileShardingId sharding =
        tile_inside(program, seed.sharding, module.manual_axes[module.inst(place.inst).scope]);
    if (!seed.is_pin && module.inst(place.inst).kind == OpKind::parameter) {
      fix_parameter(module, place.inst, sharding);
    } else {
      pin(program.graph, module, place, sharding, open_dims(program.shardings, seed.sharding));
    }
  }
}

}  // namespace sw::gspmd
