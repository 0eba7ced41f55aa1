// See the header.
#include "propagate/cuts.h"

namespace sw {

namespace {
constexpr uint32_t kNoDevice = 0xffffffffU;
}

std::vector<uint32_t> CutTable::adopt(const CutTable& other) {
  std::vector<uint32_t> axes(other.axes_.size()), numbers(other.numbers_.size());
  for (const auto& [name, there] : other.axes_) axes[there] = axis(name);
  for (const auto& [cut, there] : other.numbers_) {
    Cut here = cut;
    for (CutPiece& piece : here)
      if (piece.dim != kNoDevice && piece.axis != kWholeDimension) piece.axis = axes[piece.axis];
    numbers[there] = number(here);
  }
  return numbers;
}

Cuts::Cuts(const Program& program, const Plan& plan, const ShardingAxes& axes, CutTable& table)
    : program_(program), plan_(plan), axes_(axes), table_(table) {
  whole_ = table.number({});
  numbers_.resize(plan.by == Partitioner::shardy ? program.shardings.count() : program.tile_shardings.count());
  for (uint32_t i = 0; i < numbers_.size(); ++i) numbers_[i] = table_.number(cut_of(i));
}

uint32_t Cuts::of_value(ValueId value) const {
  const bool named = plan_.by == Partitioner::shardy;
  const size_t count = named ? plan_.named.size() : plan_.tiled.size();
  if (value.index() >= count) return whole_;
  return of_sharding(named ? plan_.named[value.index()].raw : plan_.tiled[value.index()].raw);
}

uint32_t Cuts::of_output(size_t i) const {
  const bool named = plan_.by == Partitioner::shardy;
  const size_t count = named ? plan_.outputs_named.size() : plan_.outputs_tiled.size();
  if (i >= count) return whole_;
  return of_sharding(named ? plan_.outputs_named[i].raw : plan_.outputs_tiled[i].raw);
}

Cut Cuts::cut_of(uint32_t id) const {
  const Mesh* mesh = mesh_of(id);
  Cut cut;
  for (const DimAxis& piece : axes_.of_sharding(id)) {
    if (piece.axis.size == 1) continue;
    if (piece.axis.axis == kWholeDimension || mesh == nullptr || piece.axis.axis >= mesh->axes.size()) {
      cut.push_back({piece.dim, kWholeDimension, 1, piece.axis.size});
      continue;
    }
    const MeshAxis& axis = mesh->axes[piece.axis.axis];
    const bool full = piece.axis.size == axis.size;
    cut.push_back({piece.dim, table_.axis(axis.name), full ? 1 : piece.axis.pre, full ? 0 : piece.axis.size});
  }
  if (const uint32_t device = single_device(id); device != kNoDevice) cut.push_back({kNoDevice, device, 1, 1});
  return cut;
}

const Mesh* Cuts::mesh_of(uint32_t id) const {
  const MeshId mesh = plan_.by == Partitioner::shardy ? program_.shardings.get(NamedShardingId{id}).mesh : plan_.mesh;
  return mesh.valid() ? &program_.shardings.mesh(mesh).mesh : nullptr;
}

// The device of a maximal sharding.
uint32_t Cuts::single_device(uint32_t id) const {
  if (plan_.by == Partitioner::shardy) {
    const Mesh* mesh = mesh_of(id);
    return mesh != nullptr && mesh->maximal() ? static_cast<uint32_t>(mesh->device_ids.front()) : kNoDevice;
  }
  const TileSharding& tile = program_.tile_shardings.get(TileShardingId{id});
  return tile.kind == TileKind::maximal ? static_cast<uint32_t>(tile.device) : kNoDevice;
}

}  // namespace sw
