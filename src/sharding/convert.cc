// Worked example, named -> tile on mesh x=2, y=4: <@mesh, [{"y"}, {}]> has tile [4,1], and axis x is left: reshape
// [2,4] (the mesh), perm (1,0) (y first, then x), and a last extent of 2 for x: {devices=[4,1,2]<=[2,4]T(1,0)
// last_tile_dim_replicate}. tile -> named undoes it: the digits of the device list are (4, stride 1), (2, stride 4);
// stride 1 size 4 is axis y, stride 4 size 2 is axis x; the extents of the tile say which dimension each belongs to.
#include "sharding/convert.h"

#include <fmt/format.h>

#include <algorithm>

#include "sharding/text.h"
#include "sharding/tile_build.h"

namespace sw {

namespace {

// Every axis of the mesh cut at every boundary that some list of the sharding uses, in mesh order.
std::vector<AxisRef> pieces_in_mesh_order(const Mesh& mesh, std::span<const AxisRef> used) {
  std::vector<AxisRef> pieces;
  SmallVector<uint64_t, 8> cuts;
  for (uint32_t i = 0; i < mesh.axes.size(); ++i) {
    cuts.clear();
    const auto size = static_cast<uint64_t>(mesh.axes[i].size);
    cuts.push_back(1);
    cuts.push_back(size);
    for (const AxisRef& a : used) {
      if (a.axis != i) continue;
      cuts.push_back(a.pre);
      cuts.push_back(a.next());
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (cuts.size() == 1) pieces.push_back({i, 1, 1});
    for (size_t c = 1; c < cuts.size(); ++c)
      pieces.push_back({i, static_cast<uint32_t>(cuts[c - 1]), static_cast<uint32_t>(cuts[c] / cuts[c - 1])});
  }
  return pieces;
}

bool covered(std::span<const AxisRef> used, const AxisRef& piece) { return first_overlapping(used, piece) >= 0; }

// Devices of the mesh in the order given by `pieces[perm[0]], pieces[perm[1]], ...`.
DeviceList devices_in_order(const Mesh& mesh, std::span<const AxisRef> pieces, std::span<const int32_t> perm) {
  SmallVector<int64_t, 8> reshape;
  for (const AxisRef& p : pieces) reshape.push_back(p.size);
  DeviceList devices = iota_devices(reshape, perm);
  if (mesh.device_ids.empty()) return devices;
  DeviceList listed;
  for (int64_t position : materialize(devices)) listed.ids.push_back(mesh.device_ids[static_cast<size_t>(position)]);
  compress(listed);
  return listed;
}

}  // namespace

TileSharding tile_from_named(const Mesh& mesh, const NamedShardingSpec& spec, std::span<const AxisRef> manual) {
  TileSharding out;
  if (mesh.axes.empty()) {
    if (mesh.device_ids.empty()) return out;
    out.kind = TileKind::maximal;
    out.device = mesh.device_ids[0];
    return out;
  }
  if (manual.size() == mesh.axes.size()) {
    out.kind = TileKind::manual;
    return out;
  }
  out.kind = TileKind::tiled;
  AxisList used;
  for (const NamedShardingSpec::Dim& d : spec.dims) {
    out.tile.push_back(product(d.axes));
    used.append(d.axes.begin(), d.axes.end());
  }
  const auto add_group = [&](std::span<const AxisRef> axes, Subgroup type) {
    if (axes.empty()) return;
    out.tile.push_back(product(axes));
    out.subgroups.push_back(type);
    used.append(axes.begin(), axes.end());
  };
  add_group(manual, Subgroup::manual);
  add_group(spec.unreduced, Subgroup::unreduced);

  AxisList cuts = used;
  cuts.append(spec.replicated.begin(), spec.replicated.end());
  const std::vector<AxisRef> pieces = pieces_in_mesh_order(mesh, cuts);
  SmallVector<int32_t, 8> perm;
  for (const AxisRef& axis : used)
    for (size_t i = 0; i < pieces.size(); ++i)
      if (contains(axis, pieces[i])) perm.push_back(static_cast<int32_t>(i));
  int64_t rest = 1;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (covered(used, pieces[i])) continue;
    perm.push_back(static_cast<int32_t>(i));
    rest *= pieces[i].size;
  }
  if (rest > 1) {
    out.tile.push_back(rest);
    out.subgroups.push_back(Subgroup::replicated);
  }
  out.devices = devices_in_order(mesh, pieces, perm);
  out = normalize_tiled(std::move(out));
  // Axes of size 1 leave no parts to reduce.
  const bool has_parts = out.kind == TileKind::unreduced || std::find(out.subgroups.begin(), out.subgroups.end(),
                                                                      Subgroup::unreduced) != out.subgroups.end();
  if (has_parts) out.reduction = spec.reduction;
  return out;
}

TileSharding tile_from_named(const ShardingTable& table, NamedShardingId id, std::span<const AxisRef> manual) {
  const NamedShardingSpec spec = table.spec(id);
  return tile_from_named(table.mesh(spec.mesh).mesh, spec, manual);
}

namespace {

// The digits of the device list renumbered by position in the mesh: the inverse of mesh.device_ids applied to its
// contents.
Converted<DeviceDigits> digits_in_mesh(const TileSharding& tile, const Mesh& mesh) {
  DeviceList devices = tile.devices;
  if (!mesh.device_ids.empty()) {
    std::vector<int64_t> position(mesh.device_ids.size());
    for (size_t i = 0; i < position.size(); ++i)
      position[static_cast<size_t>(mesh.device_ids[i])] = static_cast<int64_t>(i);
    DeviceList listed;
    for (int64_t id : materialize(devices)) {
      if (id < 0 || id >= static_cast<int64_t>(position.size()))
        return tl::make_unexpected("it names devices the mesh does not have");
      listed.ids.push_back(position[static_cast<size_t>(id)]);
    }
    devices = listed;
  }
  compress(devices);
  if (!devices.ids.empty())
    return tl::make_unexpected("its devices are in no order that the axes of the mesh can make");
  return digits_of(devices);
}

// A digit as parts of mesh axes, major to minor: (size 8, stride 1) on x=2, y=4 is x, y.
Converted<AxisList> axes_of_digit(const DeviceDigit& digit, const Mesh& mesh) {
  AxisList axes;
  int64_t left = digit.size, stride = digit.stride;
  AxisList minor_first;
  for (size_t i = mesh.axes.size(); i-- > 0 && left > 1;) {
    const int64_t size = mesh.axes[i].size;
    if (stride >= size) {
      if (stride % size != 0) return tl::make_unexpected(fmt::format("it cuts axis `{}` unevenly", mesh.axes[i].name));
      stride /= size;
      continue;
    }
    // Below this part lie `stride` of the axis.
    if (size % stride != 0) return tl::make_unexpected(fmt::format("it cuts axis `{}` unevenly", mesh.axes[i].name));
    const int64_t room = size / stride;
    const int64_t part = std::min(room, left);
    if (room % part != 0 || left % part != 0)
      return tl::make_unexpected(fmt::format("it cuts axis `{}` unevenly", mesh.axes[i].name));
    if (part > 1)
      minor_first.push_back(
          {static_cast<uint32_t>(i), static_cast<uint32_t>(room / part), static_cast<uint32_t>(part)});
    left /= part;
    stride = 1;
  }
  if (left > 1) return tl::make_unexpected("it uses more devices than the mesh has");
  for (size_t i = minor_first.size(); i-- > 0;) append_or_merge(axes, minor_first[i]);
  return axes;
}

Converted<AxisList> axes_of_digits(const DeviceDigits& digits, const Mesh& mesh) {
  AxisList axes;
  for (const DeviceDigit& d : digits) {
    Converted<AxisList> part = axes_of_digit(d, mesh);
    if (!part) return tl::make_unexpected(part.error());
    for (const AxisRef& a : *part) append_or_merge(axes, a);
  }
  return axes;
}

Converted<NamedShardingSpec> tiled_to_named(const TileSharding& tile, const Mesh& mesh, NamedShardingSpec spec,
                                            AxisList* manual) {
  if (device_count(tile.devices) != mesh.device_count())
    return tl::make_unexpected(
        fmt::format("it is for {} devices, the mesh has {}", device_count(tile.devices), mesh.device_count()));
  const Converted<DeviceDigits> digits = digits_in_mesh(tile, mesh);
  if (!digits) return tl::make_unexpected(digits.error());
  const auto parts = digits_per_dim(*digits, tile.tile);
  if (!parts) return tl::make_unexpected("its tiles are no product of axes");
  for (size_t i = 0; i < parts->size(); ++i) {
    Converted<AxisList> axes = axes_of_digits((*parts)[i], mesh);
    if (!axes) return tl::make_unexpected(axes.error());
    if (i < spec.dims.size()) {
      spec.dims[i].axes = std::move(*axes);
      continue;
    }
    switch (tile.subgroups[i - spec.dims.size()]) {
      case Subgroup::replicated: break;
      case Subgroup::unreduced:
        std::sort(axes->begin(), axes->end());
        for (const AxisRef& a : *axes) append_or_merge(spec.unreduced, a);
        break;
      case Subgroup::manual:
        if (manual == nullptr) return tl::make_unexpected("some of its devices are a manual subgroup");
        manual->append(axes->begin(), axes->end());
        break;
      case Subgroup::maximal: return tl::make_unexpected("it has a maximal subgroup");
    }
  }
  spec.reduction = tile.reduction;
  return spec;
}

}  // namespace

Converted<NamedShardingSpec> named_from_tile(const TileSharding& tile, const ShardingTable& table, MeshId mesh_id,
                                             size_t rank, AxisList* manual) {
  const Mesh& mesh = table.mesh(mesh_id).mesh;
  NamedShardingSpec spec;
  spec.mesh = mesh_id;
  spec.dims.resize(tile.kind == TileKind::tiled ? tile.data_rank() : rank);
  for (NamedShardingSpec::Dim& d : spec.dims) d.closed = true;
  switch (tile.kind) {
    case TileKind::replicated:
      if (mesh.maximal()) return tl::make_unexpected("it is on every device, the mesh has one");
      return spec;
    case TileKind::maximal:
      if (mesh.maximal() && mesh.device_ids[0] == tile.device) {
        spec.dims.clear();
        return spec;
      }
      return tl::make_unexpected(
          fmt::format("it puts the value on device {} alone, which needs a maximal mesh", tile.device));
    case TileKind::manual:
      if (manual == nullptr) return tl::make_unexpected("it is manual");
      for (uint32_t i = 0; i < mesh.axes.size(); ++i)
        manual->push_back({i, 1, static_cast<uint32_t>(mesh.axes[i].size)});
      return spec;
    case TileKind::unknown: return tl::make_unexpected("it is unknown");
    case TileKind::unreduced:
      for (uint32_t i = 0; i < mesh.axes.size(); ++i)
        spec.unreduced.push_back({i, 1, static_cast<uint32_t>(mesh.axes[i].size)});
      spec.reduction = tile.reduction;
      return spec;
    case TileKind::tuple: return tl::make_unexpected("it is of a tuple");
    case TileKind::tiled: return tiled_to_named(tile, mesh, std::move(spec), manual);
  }
  return spec;
}

namespace {

void append_python_string(std::string& out, std::string_view text) {
  out += '\'';
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

}  // namespace

Converted<std::string> partition_spec_text(const ShardingTable& table, NamedShardingId id) {
  const NamedSharding s = table.get(id);
  const Mesh& mesh = table.mesh(s.mesh).mesh;
  if (mesh.maximal()) return tl::make_unexpected("it is on one device, which a PartitionSpec cannot say");
  const auto part_of = [&](std::span<const AxisRef> axes) -> const AxisRef* {
    for (const AxisRef& a : axes)
      if (a.pre != 1 || a.size != mesh.axes[a.axis].size) return &a;
    return nullptr;
  };
  const AxisRef* part = part_of(s.unreduced);
  for (size_t i = 0; i < s.rank() && part == nullptr; ++i) part = part_of(s.axes(i));
  if (part != nullptr)
    return tl::make_unexpected(
        fmt::format("{} is a part of an axis, which a PartitionSpec cannot say", sdy_text(mesh, *part)));
  if (!s.unreduced.empty() && s.reduction != ReductionOp::sum)
    return tl::make_unexpected(
        fmt::format("it is to be reduced by {}, which a PartitionSpec cannot say", reduction_name(s.reduction)));

  const auto says_nothing = [](const DimSharding& d) { return d.axes.empty() && d.closed; };
  const size_t rank = std::all_of(s.dims.begin(), s.dims.end(), says_nothing) ? 0 : s.rank();
  std::string out = "P(";
  for (size_t i = 0; i < rank; ++i) {
    if (i > 0) out += ", ";
    const std::span<const AxisRef> axes = s.axes(i);
    if (axes.empty()) {
      out += s.dims[i].closed ? "None" : "P.UNCONSTRAINED";
      continue;
    }
    if (!s.dims[i].closed) return tl::make_unexpected(fmt::format("dimension {} has axes and is open", i));
    if (axes.size() > 1) out += '(';
    for (size_t a = 0; a < axes.size(); ++a) {
      if (a > 0) out += ", ";
      append_python_string(out, mesh.axes[axes[a].axis].name);
    }
    if (axes.size() > 1) out += ')';
  }
  if (!s.unreduced.empty()) {
    out += rank > 0 ? ", unreduced={" : "unreduced={";
    for (size_t a = 0; a < s.unreduced.size(); ++a) {
      if (a > 0) out += ", ";
      append_python_string(out, mesh.axes[s.unreduced[a].axis].name);
    }
    out += '}';
  }
  return out + ")";
}

}  // namespace sw
