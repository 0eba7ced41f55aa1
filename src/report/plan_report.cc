// See the header.
#include "report/plan_report.h"

#include <algorithm>
#include <limits>

#include "base/checked_math.h"
#include "propagate/as_written.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

std::string_view partitioner_name(Partitioner partitioner) {
  switch (partitioner) {
    case Partitioner::shardy: return "shardy";
    case Partitioner::gspmd: return "gspmd";
    case Partitioner::none: break;
  }
  return "none";
}

std::string_view partitioner_title(Partitioner partitioner) {
  switch (partitioner) {
    case Partitioner::shardy: return "Shardy";
    case Partitioner::gspmd: return "GSPMD";
    case Partitioner::none: break;
  }
  return "as written";
}

bool reads_no_shardings(const PlanReport& report) {
  return report.plan.by == Partitioner::shardy && is_for_gspmd(report.program);
}

std::string_view input_format(const Graph& graph) { return graph.is_hlo ? "hlo" : "stablehlo"; }

PlannedSharding sharding_of(const Plan& plan, ValueId value) {
  PlannedSharding sharding;
  if (value.index() < plan.named.size()) sharding.named = plan.named[value.index()];
  if (value.index() < plan.tiled.size()) sharding.tiled = plan.tiled[value.index()];
  return sharding;
}

PlannedSharding sharding_of_output(const Plan& plan, size_t index) {
  PlannedSharding sharding;
  if (index < plan.outputs_named.size()) sharding.named = plan.outputs_named[index];
  if (index < plan.outputs_tiled.size()) sharding.tiled = plan.outputs_tiled[index];
  return sharding;
}

ShardingTexts::ShardingTexts(const PlanReport& report) : program_(report.program), plan_(report.plan) {
  for (size_t i = 0; i < program_.shardings.mesh_count(); ++i) meshes_.add_mesh(program_.shardings.mesh(MeshId{i}));
  named_.resize(program_.shardings.count());
  tiled_.resize(program_.tile_shardings.count());
}

const ShardingText& ShardingTexts::of_named(NamedShardingId id) {
  ShardingText& text = named_[id.index()];
  if (!text.sdy.empty()) return text;
  text.sdy = sdy_text(program_.shardings, id);
  text.spec = partition_spec_text(program_.shardings, id).value_or("");
  text.hlo = hlo_text(program_.tile_shardings, tile_from_named(program_.shardings, id));
  return text;
}

const ShardingText& ShardingTexts::of_tiled(TileShardingId id, size_t rank) {
  ShardingText& text = tiled_[id.index()];
  if (text.hlo.empty()) text.hlo = hlo_text(program_.tile_shardings, id);
  // A sharding without tiles says nothing of the rank; the same id may stand on values of several.
  const TileSharding& tile = program_.tile_shardings.get(id);
  if (!plan_.mesh.valid() || (tile.kind == TileKind::tiled && !text.sdy.empty())) return text;
  text.sdy.clear();
  text.spec.clear();
  AxisList manual;
  if (const auto named = named_from_tile(tile, meshes_, plan_.mesh, rank, &manual)) {
    const NamedShardingId same = meshes_.intern(*named);
    text.sdy = sdy_text(meshes_, same);
    text.spec = partition_spec_text(meshes_, same).value_or("");
  }
  return text;
}

const ShardingText& ShardingTexts::of_value(ValueId value) {
  const PlannedSharding s = sharding_of(plan_, value);
  if (s.named.valid()) return of_named(s.named);
  return s.tiled.valid() ? of_tiled(s.tiled, program_.graph.type_of(value).rank()) : nothing_;
}

const ShardingText& ShardingTexts::of_output(size_t index) {
  const PlannedSharding s = sharding_of_output(plan_, index);
  if (s.named.valid()) return of_named(s.named);
  if (!s.tiled.valid()) return nothing_;
  return of_tiled(s.tiled, program_.graph.types.get(output_types(program_.graph)[index]).rank());
}

std::vector<int64_t> tiles_of(const Program& program, PlannedSharding sharding, size_t rank) {
  std::vector<int64_t> tiles(rank, 1);
  if (sharding.named.valid()) {
    const NamedSharding named = program.shardings.get(sharding.named);
    for (size_t d = 0; d < std::min(rank, named.rank()); ++d) tiles[d] = product(named.axes(d));
  } else if (sharding.tiled.valid()) {
    const TileSharding& tiled = program.tile_shardings.get(sharding.tiled);
    for (size_t d = 0; tiled.kind == TileKind::tiled && d < std::min(rank, tiled.data_rank()); ++d)
      tiles[d] = tiled.tile[d];
  }
  return tiles;
}

std::vector<int64_t> device_shape(const Type& type, const std::vector<int64_t>& tiles) {
  std::vector<int64_t> shape(type.dims.begin(), type.dims.end());
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != kDynamic) shape[d] = ceil_div(shape[d], tiles[d]);
  return shape;
}

int64_t array_bytes(const Type& type, const std::vector<int64_t>& dims) {
  if (!type.is_array()) return 0;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t total_bits = bits(type.element);
  for (int64_t extent : dims) total_bits = checked_mul(total_bits, std::max<int64_t>(extent, 0)).value_or(kMost);
  return ceil_div(total_bits, 8);
}

std::vector<TypeId> output_types(const Graph& graph) {
  if (!graph.main.valid()) return {};
  const Type type = graph.types.get(graph.function(graph.main).type);
  if (type.kind != TypeKind::function) return {};
  const auto results = type.elements.subspan(type.input_count);
  std::vector<TypeId> outputs;
  std::vector<TypeId> open(results.rbegin(), results.rend());
  while (!open.empty()) {
    const TypeId id = open.back();
    open.pop_back();
    const Type result = graph.types.get(id);
    if (graph.is_hlo && result.kind == TypeKind::tuple)
      open.insert(open.end(), result.elements.rbegin(), result.elements.rend());
    else
      outputs.push_back(id);
  }
  return outputs;
}

std::vector<ValueId> main_arguments(const Graph& graph) {
  std::vector<ValueId> arguments;
  if (!graph.main.valid() || !graph.function(graph.main).body.valid()) return arguments;
  const BlockId entry = graph.entry_block(graph.function(graph.main).body);
  for (uint32_t i = 0; i < graph.block(entry).arg_count; ++i) arguments.push_back(graph.arg(entry, i));
  return arguments;
}

}  // namespace sw
