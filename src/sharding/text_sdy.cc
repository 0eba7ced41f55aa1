// Shardy's text. The grammar is flat (shardy.md 1.1, 1.3), so this is a plain descent without recursion; every axis is
// kept with its place until verify_axes has seen all of them.
#include <fmt/format.h>

#include "base/edit_distance.h"
#include "sharding/dims_parser.h"
#include "sharding/scan.h"
#include "sharding/text.h"
#include "sharding/verify.h"

namespace sw {

namespace {

bool parse_mesh_axis(Scan& scan, Mesh& mesh, MeshPlaces& places) {
  size_t begin = scan.here();
  std::optional<std::string> name = scan.quoted("the name of an axis in quotes");
  if (!name) return false;
  places.axis_names.push_back(scan.range_from(begin));
  if (!scan.expect('=', "and the size of the axis")) return false;
  begin = scan.here();
  const std::optional<int64_t> size = scan.integer("the size of the axis", /*allow_negative=*/true);
  if (!size) return false;
  places.axis_sizes.push_back(scan.range_from(begin));
  if (mesh.axes.size() >= kMaxRank)
    return scan.fail_at(DiagnosticKind::invalid_mesh, begin, begin + 1, "the mesh has too many axes");
  mesh.axes.push_back({std::move(*name), *size});
  return true;
}

bool parse_device_ids(Scan& scan, Mesh& mesh, MeshPlaces& places) {
  if (!scan.expect('=', "after `device_ids`") || !scan.expect('[', "before the device ids")) return false;
  if (scan.eat(']')) return true;
  do {
    const size_t begin = scan.here();
    const std::optional<int64_t> id = scan.integer("a device id", /*allow_negative=*/true);
    if (!id) return false;
    places.device_ids.push_back(scan.range_from(begin));
    mesh.device_ids.push_back(*id);
  } while (scan.eat(','));
  return scan.expect(']', "after the device ids");
}

// `<[...], device_ids=[...]>`
bool parse_mesh_body(Scan& scan, Mesh& mesh) {
  MeshPlaces places;
  const size_t begin = scan.here();
  if (!scan.expect('<', "at the start of a mesh") || !scan.expect('[', "before the axes of the mesh")) return false;
  if (!scan.eat(']')) {
    do {
      if (!parse_mesh_axis(scan, mesh, places)) return false;
    } while (scan.eat(','));
    if (!scan.expect(']', "after the axes of the mesh")) return false;
  }
  if (scan.eat(',')) {
    if (!scan.eat_word("device_ids")) return scan.fail("`device_ids`");
    if (!parse_device_ids(scan, mesh, places)) return false;
  }
  if (!scan.expect('>', "at the end of the mesh")) return false;
  places.whole = scan.range_from(begin);
  return verify_mesh(mesh, places, scan.diagnostics());
}

// `@mesh`, `@"a mesh"` or `mesh<[...]>`
MeshId parse_mesh_reference(Scan& scan, ShardingTable& table) {
  if (scan.eat_word("mesh")) {
    Mesh mesh;
    return parse_mesh_body(scan, mesh) ? table.inline_mesh(mesh) : MeshId{};
  }
  const size_t begin = scan.here();
  if (!scan.eat('@')) {
    scan.fail("`@` and the name of a mesh, or `mesh<...>`");
    return {};
  }
  std::string name;
  if (scan.peek() == '"') {
    std::optional<std::string> quoted = scan.quoted("the name of a mesh");
    if (!quoted) return {};
    name = std::move(*quoted);
  } else {
    name = scan.identifier("_$.-");
    if (name.empty()) {
      scan.fail("the name of a mesh");
      return {};
    }
  }
  const MeshId id = table.mesh_named(name);
  if (id.valid()) return id;
  auto report = scan.diagnostics().error(DiagnosticKind::unknown_mesh, scan.range_from(begin),
                                         fmt::format("there is no mesh named `@{}`", name));
  std::vector<std::string_view> names;
  for (size_t i = 0; i < table.mesh_count(); ++i)
    if (!table.mesh(MeshId{i}).name.empty()) names.push_back(table.mesh(MeshId{i}).name);
  const std::string_view nearest = nearest_name(name, names);
  if (!nearest.empty()) {
    report.help(fmt::format("did you mean `@{}`?", nearest));
  } else if (names.size() == 1) {
    report.help(fmt::format("the only mesh is `@{}`", names[0]));
  } else if (names.empty()) {
    report.help("the program has no mesh: add `sdy.mesh @mesh = <[\"x\"=8]>`");
  }
  return {};
}

// Dimensions and lists of a sharding on `mesh`.
std::optional<NamedShardingId> parse_body(Scan& scan, ShardingTable& table, MeshId mesh) {
  NamedShardingSpec spec;
  spec.mesh = mesh;
  DimsParser parser(scan, table.mesh(mesh).mesh);
  if (!parser.dims(spec) || !parser.lists(spec) || !parser.verify()) return std::nullopt;
  return table.intern(spec);
}

std::optional<NamedShardingId> parse_one(Scan& scan, ShardingTable& table) {
  if (!scan.expect('<', "at the start of a sharding")) return std::nullopt;
  const MeshId mesh = parse_mesh_reference(scan, table);
  if (!mesh.valid() || !scan.expect(',', "after the mesh of a sharding")) return std::nullopt;
  const std::optional<NamedShardingId> id = parse_body(scan, table, mesh);
  if (!id || !scan.expect('>', "at the end of the sharding")) return std::nullopt;
  return id;
}

bool parse_list(Scan& scan, ShardingTable& table, std::vector<NamedShardingId>& list) {
  if (!scan.expect('[', "before a list of shardings")) return false;
  if (scan.eat(']')) return true;
  do {
    scan.eat_text("#sdy.sharding");  // MLIR reads the long form of each element too
    const std::optional<NamedShardingId> id = parse_one(scan, table);
    if (!id) return false;
    list.push_back(*id);
  } while (scan.eat(','));
  return scan.expect(']', "after a list of shardings");
}

}  // namespace

Result<Mesh> parse_sdy_mesh(TextCursor& in, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  if (!scan.eat_text("#sdy.mesh")) scan.eat_word("mesh");
  Mesh mesh;
  if (!parse_mesh_body(scan, mesh)) return reported();
  return mesh;
}

Result<void> parse_sdy_meshes(TextCursor& in, ShardingTable& table, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  if (!scan.expect('{', "before the meshes")) return reported();
  if (scan.eat('}')) return {};
  do {
    const size_t begin = scan.here();
    std::string name(scan.peek() == '"' ? scan.quoted("the name of a mesh").value_or("")
                                        : std::string(scan.identifier("_$.-")));
    if (name.empty()) {
      scan.fail("the name of a mesh");
      return reported();
    }
    const SourceRange where = scan.range_from(begin);
    if (!scan.expect('=', "after the name of a mesh")) return reported();
    Result<Mesh> mesh = parse_sdy_mesh(in, diagnostics);
    if (!mesh) return reported();
    const MeshId known = table.mesh_named(name);
    if (!known.valid()) {
      table.add_mesh({std::move(name), std::move(*mesh)});
    } else if (table.mesh(known).mesh != *mesh) {
      diagnostics.error(DiagnosticKind::duplicate_symbol, where,
                        fmt::format("mesh `{}` is defined twice, with different contents", name));
      return reported();
    }
  } while (scan.eat(','));
  if (!scan.expect('}', "after the meshes")) return reported();
  return {};
}

Result<NamedShardingId> parse_sdy_sharding(TextCursor& in, ShardingTable& table, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  scan.eat_text("#sdy.sharding");
  const std::optional<NamedShardingId> id = parse_one(scan, table);
  if (!id) return reported();
  return *id;
}

Result<std::vector<NamedShardingId>> parse_sdy_sharding_list(TextCursor& in, ShardingTable& table,
                                                             Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  std::vector<NamedShardingId> list;
  if (!parse_list(scan, table, list)) return reported();
  return list;
}

Result<std::vector<NamedShardingId>> parse_sdy_sharding_per_value(TextCursor& in, ShardingTable& table,
                                                                  Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  scan.eat_text("#sdy.sharding_per_value");
  std::vector<NamedShardingId> list;
  if (!scan.expect('<', "before a list of shardings") || !parse_list(scan, table, list) ||
      !scan.expect('>', "after a list of shardings"))
    return reported();
  return list;
}

Result<NamedShardingId> parse_sdy_dims(TextCursor& in, ShardingTable& table, MeshId mesh, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  const std::optional<NamedShardingId> id = parse_body(scan, table, mesh);
  if (!id) return reported();
  return *id;
}

Result<AxisList> parse_sdy_axes(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  DimsParser parser(scan, mesh);
  AxisList list;
  if (!parser.axes(list, 0) || !parser.verify()) return reported();
  return list;
}

Result<AxisList> parse_sdy_manual_axes(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  const bool wrapped = scan.eat_text("#sdy<manual_axes");
  const size_t begin = scan.here();
  const Result<AxisList> list = parse_sdy_axes(in, mesh, diagnostics);
  if (!list) return reported();
  for (const AxisRef& axis : *list) {
    if (axis.pre == 1 && axis.size == mesh.axes[axis.axis].size) continue;
    diagnostics.error(
        DiagnosticKind::sub_axis_invalid, scan.range_from(begin),
        fmt::format("only a part of axis `{}` is manual, expected whole axes", mesh.axes[axis.axis].name));
    return reported();
  }
  if (wrapped && !scan.expect('>', "after the manual axes")) return reported();
  return *list;
}

Result<std::vector<AxisList>> parse_sdy_axes_per_dim(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  DimsParser parser(scan, mesh);
  std::vector<AxisList> lists;
  if (!scan.expect('[', "before the axes of each dimension")) return reported();
  if (!scan.eat(']')) {
    do {
      lists.emplace_back();
      if (!parser.axes(lists.back(), static_cast<int32_t>(lists.size() - 1))) return reported();
    } while (scan.eat(','));
    if (!scan.expect(']', "after the axes of each dimension")) return reported();
  }
  if (!parser.verify()) return reported();
  return lists;
}

}  // namespace sw
