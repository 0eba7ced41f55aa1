// A program that has a mesh keeps its axes: --mesh changes sizes ("what if the mesh were larger"), in every mesh that
// has an axis of the name, and never adds an axis, since no sharding of the program could use it. A program without
// gets the mesh as it is given. What was computed for the old sizes and stands in the program as numbers (tiles of an
// HLO sharding, local shapes inside a manual computation) cannot follow; it is an error where it matters.
#include "propagate/mesh_override.h"

#include <fmt/format.h>

#include <algorithm>

#include "sharding/text.h"
#include "sharding/verify.h"

namespace sw {

namespace {

struct Override {
  Mesh mesh;
  MeshPlaces places;
  std::string name = "mesh";
};

// `x=2,y=4`
bool parse_sizes(const std::string& text, Override& out, SourceManager& sources, Diagnostics& diagnostics) {
  const FileId file = sources.add("--mesh", text);
  const auto range = [&](size_t begin, size_t end) {
    return SourceRange{file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  };
  out.places.whole = range(0, text.size());
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const size_t equals = text.find('=', at);
    if (equals == std::string::npos || equals > end || equals == at) {
      diagnostics
          .error(DiagnosticKind::bad_configuration, range(at, std::max(end, std::min(at + 1, text.size()))),
                 "expected the name of an axis, `=` and its size")
          .help("for example --mesh data=2,tensor=4");
      return false;
    }
    int64_t size = 0;
    bool valid = end > equals + 1 && end - equals <= 11;
    for (size_t i = equals + 1; i < end && valid; ++i) {
      valid = text[i] >= '0' && text[i] <= '9';
      size = size * 10 + (text[i] - '0');
    }
    if (!valid) {
      diagnostics.error(DiagnosticKind::axis_size_invalid, range(equals + 1, end),
                        fmt::format("`{}` is not the size of an axis, expected a whole number",
                                    text.substr(equals + 1, end - equals - 1)));
      return false;
    }
    out.mesh.axes.push_back({text.substr(at, equals - at), size});
    out.places.axis_names.push_back(range(at, equals));
    out.places.axis_sizes.push_back(range(equals + 1, end));
    at = end + 1;
  }
  return verify_mesh(out.mesh, out.places, diagnostics);
}

bool has_axes(const Mesh& mesh) { return !mesh.axes.empty(); }

// Names that no mesh of the program has.
bool check_names(const ShardingTable& table, const Override& wanted, Diagnostics& diagnostics) {
  bool ok = true;
  for (size_t i = 0; i < wanted.mesh.axes.size(); ++i) {
    bool known = false;
    for (size_t m = 0; m < table.mesh_count(); ++m)
      known = known || table.mesh(MeshId{m}).mesh.axis_named(wanted.mesh.axes[i].name).has_value();
    if (known) continue;
    report_unknown_axis(table.mesh(main_mesh(table)).mesh, wanted.mesh.axes[i].name, wanted.places.axis_names[i],
                        diagnostics);
    ok = false;
  }
  return ok;
}

bool same_names(const Mesh& a, const Mesh& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const MeshAxis& x, const MeshAxis& y) { return x.name == y.name; });
}

// The program's mesh with the sizes wanted. A device order is for given sizes: it goes when they change, and is taken
// over from a mesh that has the same axes.
Mesh resized(const Mesh& old, const Mesh& wanted) {
  Mesh mesh = old;
  for (MeshAxis& axis : mesh.axes)
    if (const auto i = wanted.axis_named(axis.name)) axis.size = wanted.axes[*i].size;
  if (mesh.axes != old.axes) mesh.device_ids.clear();
  if (same_names(mesh, wanted) && !wanted.device_ids.empty()) mesh.device_ids = wanted.device_ids;
  return mesh;
}

// Manual axes of the computations in the program, as spelled: {"x", "y"}.
bool check_manual(const Program& program, const Mesh& old, const Mesh& now, const Override& wanted,
                  Diagnostics& diagnostics) {
  const Graph& graph = program.graph;
  const StringId key = graph.strings.find("manual_axes");
  if (!key.valid()) return true;
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const Op& op = graph.op(OpId{i});
    const AttrId attr = op.parent.valid() ? graph.attr(op, key) : AttrId{};
    if (!attr.valid()) continue;
    const std::string_view text = graph.attr_table.get(attr).text;
    for (size_t a = 0; a < old.axes.size(); ++a) {
      if (old.axes[a].size == now.axes[a].size || text.find("\"" + old.axes[a].name + "\"") == text.npos) continue;
      diagnostics
          .error(DiagnosticKind::not_expressible, wanted.places.whole,
                 fmt::format("axis `{}` cannot become {} from {}: a manual computation is written out for its size",
                             old.axes[a].name, now.axes[a].size, old.axes[a].size))
          .note(op.where, "the computation is here")
          .help("lower the program again with the mesh wanted");
      return false;
    }
  }
  return true;
}

bool check_tiles(const Program& program, int64_t count, const Override& wanted, Diagnostics& diagnostics) {
  const TileShardingTable& tiles = program.tile_shardings;
  for (size_t i = 0; i < tiles.count(); ++i) {
    const TileSharding& s = tiles.get(TileShardingId{i});
    if (s.kind != TileKind::tiled || device_count(s.devices) == count) continue;
    diagnostics
        .error(DiagnosticKind::not_expressible, wanted.places.whole,
               fmt::format("the program holds shardings for {} devices, such as `{}`, the mesh has {}",
                           device_count(s.devices), hlo_text(tiles, s), count))
        .help("only shardings that name mesh axes can follow a change of the mesh");
    return false;
  }
  return true;
}

bool apply(Program& program, const Override& wanted, MeshId id, Diagnostics& diagnostics) {
  ShardingTable& table = program.shardings;
  const Mesh& old = table.mesh(id).mesh;
  if (!has_axes(old)) return true;
  Mesh mesh = resized(old, wanted.mesh);
  if (mesh == old) return true;
  if (!verify_mesh(mesh, {wanted.places.whole, {}, {}, {}}, diagnostics)) return false;
  if (!check_manual(program, old, mesh, wanted, diagnostics)) return false;
  const NamedShardingId misfit = table.replace_mesh(id, mesh);
  if (!misfit.valid()) return true;
  diagnostics.error(DiagnosticKind::sub_axis_invalid, wanted.places.whole,
                    fmt::format("the program's sharding `{}` uses a part of an axis that does not divide the new size",
                                sdy_text(table, misfit)));
  return false;
}

}  // namespace

bool is_mesh_sizes(std::string_view text) {
  if (text.empty() || text.ends_with(".yaml") || text.ends_with(".yml")) return false;
  return text.find('=') != std::string_view::npos || text.find_first_of("./-") == std::string_view::npos;
}

MeshId main_mesh(const ShardingTable& table) {
  for (size_t i = 0; i < table.mesh_count(); ++i)
    if (has_axes(table.mesh(MeshId{i}).mesh)) return MeshId{i};
  return {};
}

bool override_mesh(Program& program, const SeedRequest& request, SourceManager& sources, Diagnostics& diagnostics) {
  Override wanted;
  if (request.mesh_file) {
    wanted.mesh = request.mesh_file->mesh;
    wanted.name = request.mesh_file->name;
    wanted.places.whole = request.mesh_file->where;
    wanted.places.axis_names = request.mesh_file->axis_places;
  } else if (!request.mesh_sizes.empty()) {
    if (!parse_sizes(request.mesh_sizes, wanted, sources, diagnostics)) return false;
  } else {
    return true;
  }
  ShardingTable& table = program.shardings;
  if (!main_mesh(table).valid()) {
    table.add_mesh({wanted.name, wanted.mesh});
  } else {
    if (!check_names(table, wanted, diagnostics)) return false;
    for (size_t i = 0; i < table.mesh_count(); ++i)
      if (!apply(program, wanted, MeshId{i}, diagnostics)) return false;
  }
  return check_tiles(program, table.mesh(main_mesh(table)).mesh.device_count(), wanted, diagnostics);
}

}  // namespace sw
