// See the header.
#include "draw/tiling.h"

#include <algorithm>

#include "base/checked_math.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/convert.h"
#include "sharding/tile_algebra.h"
#include "sharding/tile_build.h"

namespace sw {

namespace {

constexpr int64_t kListed = 4;  // devices of a piece that are listed one by one

TileAxis axis_of(const Mesh& mesh, const AxisRef& ref) {
  return {cut_to(shown(axis_word(mesh, ref)), 32), ref.size, ref.axis};
}

void name_axes(const Mesh& mesh, const NamedShardingSpec& spec, Tiling& tiling) {
  std::vector<char> used(mesh.axes.size(), 0);
  for (size_t d = 0; d < std::min(tiling.dims.size(), spec.dims.size()); ++d)
    for (const AxisRef& ref : spec.dims[d].axes) {
      if (ref.size > 1) tiling.dims[d].axes.push_back(axis_of(mesh, ref));
      used[ref.axis] = 1;
    }
  for (uint32_t i = 0; i < mesh.axes.size(); ++i)
    if (used[i] == 0 && mesh.axes[i].size > 1)
      tiling.copy_axes.push_back({cut_to(shown(mesh.axes[i].name), 32), mesh.axes[i].size, i});
}

// The number at a position of the list.
int64_t device_at(const DeviceList& order, int64_t position) {
  if (!order.ids.empty()) return order.ids[static_cast<size_t>(position)];
  int64_t id = 0;
  for (size_t i = order.reshape.size(); i-- > 0;) {
    const size_t digit = order.perm.empty() ? i : static_cast<size_t>(order.perm[i]);
    int64_t stride = 1;
    for (size_t j = digit + 1; j < order.reshape.size(); ++j) stride *= order.reshape[j];
    id += position % order.reshape[digit] * stride;
    position /= order.reshape[digit];
  }
  return id;
}

void fill_tiles(const TileSharding& tile, Tiling& tiling) {
  switch (tile.kind) {
    case TileKind::tiled: break;
    case TileKind::maximal:
      tiling.kind = TilingKind::one_device;
      tiling.order.ids = {tile.device};
      return;
    case TileKind::manual: tiling.kind = TilingKind::manual; return;
    case TileKind::replicated: return;
    default: tiling.kind = TilingKind::unknown; return;
  }
  tiling.kind = TilingKind::tiled;
  tiling.devices = device_count(tile.devices);
  tiling.order = tile.devices;
  for (size_t d = 0; d < std::min(tiling.dims.size(), tile.data_rank()); ++d) {
    tiling.dims[d].tiles = std::max<int64_t>(tile.tile[d], 1);
    tiling.dims[d].piece = ceil_div(tiling.dims[d].extent, tiling.dims[d].tiles);
  }
  for (size_t i = tile.data_rank(); i < tile.tile.size(); ++i) {
    tiling.copies *= tile.tile[i];
    tiling.manual_copies |= tile.subgroups[i - tile.data_rank()] == Subgroup::manual;
  }
}

}  // namespace

Tiling tiling_of(const Program& program, MeshId mesh, PlannedSharding sharding, std::span<const int64_t> extents) {
  Tiling tiling;
  for (const int64_t extent : extents) {
    const int64_t known = std::max<int64_t>(extent, 0);
    tiling.dims.push_back({known, 1, known, {}});
  }
  TileSharding tile;
  std::optional<NamedShardingSpec> spec;
  if (sharding.named.valid()) {
    spec = program.shardings.spec(sharding.named);
    mesh = spec->mesh;
    tile = tile_from_named(program.shardings, sharding.named);
  } else if (sharding.tiled.valid()) {
    tile = program.tile_shardings.get(sharding.tiled);
    AxisList manual;
    if (mesh.valid())
      if (const auto named = named_from_tile(tile, program.shardings, mesh, extents.size(), &manual)) spec = *named;
  } else if (mesh.valid()) {
    spec = NamedShardingSpec{mesh, {}, {}, {}, ReductionOp::sum};
  }
  if (mesh.valid()) tiling.devices = program.shardings.mesh(mesh).mesh.device_count();
  fill_tiles(tile, tiling);
  if (tiling.kind == TilingKind::whole) {
    const int64_t all[] = {tiling.devices};
    tiling.copies = tiling.devices;
    tiling.order = identity_grid(all).devices;
  }
  if (spec.has_value() && mesh.valid()) name_axes(program.shardings.mesh(mesh).mesh, *spec, tiling);
  return tiling;
}

Tiling tiling_of_mesh(const Mesh& mesh) {
  Tiling tiling;
  tiling.kind = TilingKind::tiled;
  tiling.devices = mesh.device_count();
  DimList sizes;
  for (uint32_t i = 0; i < mesh.axes.size(); ++i) {
    const MeshAxis& axis = mesh.axes[i];
    tiling.dims.push_back({axis.size, axis.size, 1, {{cut_to(shown(axis.name), 32), axis.size, i}}});
    sizes.push_back(axis.size);
  }
  tiling.order = identity_grid(sizes).devices;
  if (!mesh.device_ids.empty()) tiling.order.ids = mesh.device_ids;
  return tiling;
}

int64_t Tiling::device(std::span<const int64_t> tile, int64_t copy) const {
  int64_t position = 0;
  for (size_t d = 0; d < dims.size(); ++d) position = position * dims[d].tiles + (d < tile.size() ? tile[d] : 0);
  return device_at(order, position * copies + copy);
}

// Of an iota the copies count by the minor digits: by one of them, or not evenly.
int64_t Tiling::copies_step(std::span<const int64_t> tile) const {
  if (order.ids.empty()) {
    const int64_t split[] = {devices / std::max<int64_t>(copies, 1), copies};
    const auto digits = digits_per_dim(digits_of(order), split);
    return digits.has_value() && (*digits)[1].size() == 1 ? (*digits)[1][0].stride : 0;
  }
  const int64_t first = device(tile, 0), step = copies > 1 ? device(tile, 1) - first : 0;
  for (int64_t i = 2; i < copies; ++i)
    if (device(tile, i) != first + step * i) return 0;
  return step;
}

std::string Tiling::devices_text(std::span<const int64_t> tile) const {
  if (kind == TilingKind::one_device) return std::to_string(order.ids.front());
  const int64_t first = device(tile, 0), last = device(tile, copies - 1);
  if (copies == 1) return std::to_string(first);
  const int64_t step = device(tile, 1) - first;
  const bool even = copies_step(tile) > 0;
  if (copies <= kListed && !(even && step == 1 && copies > 2)) {
    std::string text;
    for (int64_t i = 0; i < copies; ++i) text += (i > 0 ? ", " : "") + std::to_string(device(tile, i));
    return text;
  }
  if (even && step == 1) return std::to_string(first) + "–" + std::to_string(last);
  return std::to_string(first) + ", " + std::to_string(first + step) + " … " + std::to_string(last);
}

bool Tiling::uneven() const {
  return std::any_of(dims.begin(), dims.end(), [](const TiledDim& d) { return d.uneven(); });
}

std::string Tiling::filled_text(std::span<const int64_t> tile) const {
  std::string text = "[";
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t filled = dims[d].filled(tile[d]);
    if (filled == 0 && dims[d].extent > 0) return "";
    text += (d > 0 ? "," : "") + std::to_string(filled);
  }
  return text + ']';
}

FlatView flat_view(const Tiling& tiling) {
  std::vector<int> cut;
  for (size_t d = 0; d < tiling.dims.size(); ++d)
    if (tiling.dims[d].tiles > 1) cut.push_back(static_cast<int>(d));
  std::vector<int> most = cut;
  const auto tiles = [&](int d) { return tiling.dims[static_cast<size_t>(d)].tiles; };
  std::stable_sort(most.begin(), most.end(), [&](int a, int b) { return tiles(a) > tiles(b); });
  if (most.size() > 2) most.resize(2);
  std::sort(most.begin(), most.end());
  FlatView view;
  const auto last = static_cast<int>(tiling.dims.size()) - 1;
  if (most.size() == 2) {
    view.rows = most[0];
    view.columns = most[1];
  } else if (most.size() == 1) {
    // Of a matrix that is cut along one dimension the picture still is that matrix.
    (most[0] == last ? view.columns : view.rows) = most[0];
  }
  for (const int d : cut)
    if (d != view.rows && d != view.columns) view.panels.push_back(d);
  for (const int d : view.panels) view.panel_count = checked_mul(view.panel_count, tiles(d)).value_or(INT64_MAX);
  return view;
}

std::vector<int64_t> panel_tile(const Tiling& tiling, const FlatView& view, int64_t index) {
  std::vector<int64_t> tile(tiling.dims.size(), 0);
  for (size_t i = view.panels.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(view.panels[i]);
    tile[d] = index % tiling.dims[d].tiles;
    index /= tiling.dims[d].tiles;
  }
  return tile;
}

std::vector<int64_t> shown_of(int64_t count, int64_t most) {
  std::vector<int64_t> list;
  if (count <= most) {
    for (int64_t i = 0; i < count; ++i) list.push_back(i);
    return list;
  }
  for (int64_t i = 0; i < most - 2; ++i) list.push_back(i);
  list.push_back(-1);
  list.push_back(count - 1);
  return list;
}

std::string dim_words(const TiledDim& dim) {
  if (dim.tiles == 1) return count_text(dim.extent) + ", whole";
  std::string text = count_text(dim.extent) + " in " + count_text(dim.tiles) + " of " + count_text(dim.piece);
  for (size_t i = 0; i < dim.axes.size(); ++i)
    text += (i == 0 ? " by " : ", ") + dim.axes[i].name + '=' + count_text(dim.axes[i].size);
  if (!dim.uneven() || dim.piece == 0) return text;
  const int64_t full = dim.extent / dim.piece, rest = dim.extent % dim.piece;
  const int64_t empty = dim.tiles - full - (rest > 0 ? 1 : 0);
  if (rest > 0)
    text += ", " + std::string(empty > 0 ? "tile " + count_text(full) : "the last") + " has " + count_text(rest);
  if (empty > 0) text += ", " + count_text(empty) + (empty == 1 ? " is" : " are") + " nothing but padding";
  return text;
}

std::string copies_words(const Tiling& tiling) {
  if (tiling.copies == 1) return "";
  std::string text = tiling.kind == TilingKind::whole ? "the whole on each of " : "each piece on ";
  text += count_text(tiling.copies) + " devices";
  for (size_t i = 0; i < tiling.copy_axes.size() && tiling.kind == TilingKind::tiled; ++i)
    text += (i == 0 ? ", along " : ", ") + tiling.copy_axes[i].name + '=' + count_text(tiling.copy_axes[i].size);
  if (tiling.manual_copies) text += ", in a manual region";
  return text;
}

}  // namespace sw
