// See the header.
#include "propagate/sharding_axes.h"

#include "sharding/convert.h"

namespace sw {

ShardingAxes::ShardingAxes(const Program& program, const Plan& plan) : program_(program), plan_(plan) {
  const bool named = plan.by == Partitioner::shardy;
  by_id_.resize(named ? program.shardings.count() : program.tile_shardings.count());
  for (uint32_t i = 0; i < by_id_.size(); ++i) {
    const auto begin = static_cast<uint32_t>(pool_.size());
    if (named)
      fill_named(NamedShardingId{i});
    else
      fill_tiled(program.tile_shardings.get(TileShardingId{i}));
    by_id_[i] = {begin, static_cast<uint32_t>(pool_.size()) - begin};
  }
}

void ShardingAxes::fill_named(NamedShardingId id) {
  const NamedSharding s = program_.shardings.get(id);
  for (size_t d = 0; d < s.rank(); ++d)
    for (const AxisRef& axis : s.axes(d)) pool_.push_back({static_cast<uint16_t>(d), axis});
}

void ShardingAxes::fill_tiled(const TileSharding& tile) {
  if (tile.kind != TileKind::tiled) return;
  if (plan_.mesh.valid()) {
    AxisList manual;
    if (const auto named = named_from_tile(tile, program_.shardings, plan_.mesh, tile.data_rank(), &manual)) {
      for (size_t d = 0; d < named->dims.size(); ++d)
        for (const AxisRef& axis : named->dims[d].axes) pool_.push_back({static_cast<uint16_t>(d), axis});
      return;
    }
  }
  for (size_t d = 0; d < tile.data_rank(); ++d)
    if (tile.tile[d] > 1)
      pool_.push_back({static_cast<uint16_t>(d), {kWholeDimension, 1, static_cast<uint32_t>(tile.tile[d])}});
}

std::span<const DimAxis> ShardingAxes::of_sharding(uint32_t id) const {
  if (id >= by_id_.size()) return {};
  return std::span<const DimAxis>(pool_).subspan(by_id_[id].begin, by_id_[id].count);
}

std::span<const DimAxis> ShardingAxes::of_value(ValueId value) const {
  const bool named = plan_.by == Partitioner::shardy;
  const size_t count = named ? plan_.named.size() : plan_.tiled.size();
  if (value.index() >= count) return {};
  return of_sharding(named ? plan_.named[value.index()].raw : plan_.tiled[value.index()].raw);
}

std::span<const DimAxis> ShardingAxes::of_output(size_t output) const {
  const bool named = plan_.by == Partitioner::shardy;
  const size_t count = named ? plan_.outputs_named.size() : plan_.outputs_tiled.size();
  if (output >= count) return {};
  return of_sharding(named ? plan_.outputs_named[output].raw : plan_.outputs_tiled[output].raw);
}

}  // namespace sw
