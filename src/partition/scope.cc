#include "partition/scope.h"

#include "sharding/grid_digits.h"

namespace sw {

namespace {

ValueId times(Emitter& emit, ValueId v, int64_t factor) {
  return factor == 1 ? v : emit.binary(OpKind::multiply, v, emit.scalar(ElementType::u32, factor));
}
ValueId over(Emitter& emit, ValueId v, int64_t divisor) {
  return divisor == 1 ? v : emit.binary(OpKind::divide, v, emit.scalar(ElementType::u32, divisor));
}
// v mod size, where v < bound is known.
ValueId modulo(Emitter& emit, ValueId v, int64_t size, int64_t bound) {
  if (bound <= size) return v;
  if (size == 1) return emit.zero(ElementType::u32);
  return emit.binary(OpKind::remainder, v, emit.scalar(ElementType::u32, size));
}

// Position of the device in row-major order of an iota grid: undo `iota.reshape(R).transpose(P)`. With strides s of R
// and strides t of the transposed array, the device number d = sum c_i s_i stands at position sum c_i t_i.
ValueId emit_position(Emitter& emit, const DeviceList& devices, ValueId device) {
  if (devices.reshape.size() <= 1) return device;
  const size_t n = devices.reshape.size();
  std::vector<int64_t> from(n, 1), to(n, 1);
  for (size_t i = n - 1; i-- > 0;) from[i] = from[i + 1] * devices.reshape[i + 1];
  int64_t stride = 1;
  for (size_t k = n; k-- > 0;) {
    const auto part = static_cast<size_t>(devices.perm[k]);
    to[part] = stride;
    stride *= devices.reshape[part];
  }
  ValueId position;
  for (size_t i = 0; i < n; ++i) {
    const int64_t bound = i == 0 ? devices.reshape[0] : devices.reshape[i] + 1;
    const ValueId part = times(emit, modulo(emit, over(emit, device, from[i]), devices.reshape[i], bound), to[i]);
    position = position.valid() ? emit.binary(OpKind::add, position, part) : part;
  }
  return position;
}

}  // namespace

ValueId emit_grid_coordinate(Emitter& emit, const TileGrid& grid, ValueId device, size_t dim) {
  if (grid.dims[dim] == 1) return emit.zero(ElementType::s32);
  int64_t stride = 1;
  for (size_t i = dim + 1; i < grid.rank(); ++i) stride *= grid.dims[i];
  if (grid.is_iota()) {
    const ValueId position = emit_position(emit, grid.devices, device);
    const int64_t bound = grid.device_count() / stride;
    return emit.convert(modulo(emit, over(emit, position, stride), grid.dims[dim], bound), ElementType::s32);
  }
  const std::vector<int64_t> devices = device_ids(grid);
  std::vector<int64_t> coordinate(devices.size(), 0);
  for (size_t position = 0; position < devices.size(); ++position)
    coordinate[static_cast<size_t>(devices[position])] = static_cast<int64_t>(position) / stride % grid.dims[dim];
  return emit.table_lookup(ElementType::s32, coordinate, device);
}

DeviceGroups expand_groups(const Scope& scope, DeviceGroups groups) {
  if (groups.dims.empty()) groups = identity_grid(TileDims{1, scope.device_count});
  for (const Scope* s = &scope; s->outer != nullptr; s = s->outer)
    groups =
        within_groups(s->groups, groups, TileDims{group_count(s->groups) * group_count(groups), group_size(groups)});
  return groups;
}

std::vector<std::pair<int64_t, int64_t>> expand_pairs(const Scope& scope,
                                                      std::vector<std::pair<int64_t, int64_t>> pairs) {
  for (const Scope* s = &scope; s->outer != nullptr; s = s->outer) {
    const std::vector<int64_t> ids = device_ids(s->groups);
    const auto size = static_cast<size_t>(group_size(s->groups));
    std::vector<std::pair<int64_t, int64_t>> wider;
    wider.reserve(pairs.size() * static_cast<size_t>(group_count(s->groups)));
    for (size_t g = 0; g < ids.size() / size; ++g)
      for (const auto& [from, to] : pairs)
        wider.emplace_back(ids[g * size + static_cast<size_t>(from)], ids[g * size + static_cast<size_t>(to)]);
    pairs = std::move(wider);
  }
  return pairs;
}

}  // namespace sw
