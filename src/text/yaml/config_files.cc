#include "text/yaml/config_files.h"

#include <fmt/format.h>

#include "sharding/text.h"
#include "sharding/tile_build.h"
#include "sharding/verify.h"
#include "text/yaml/config_parts.h"
#include "text/yaml/document.h"

namespace sw {

namespace {

constexpr int64_t kMaxListed = int64_t{1} << 20;

bool read_axis(Mesh& mesh, MeshPlaces& places, const YamlNode& name, const YamlNode& size, Fields& fields) {
  if (name.kind != YamlKind::scalar || name.text.empty())
    return fields.fail(name.where, "the name of an axis is a word that is not empty");
  const std::optional<int64_t> value = yaml_integer(size);
  if (!value)
    return fields.fail(size.where, fmt::format("the size of axis `{}` is a whole number, found {}", name.text,
                                               size.kind == YamlKind::scalar ? fmt::format("`{}`", size.text)
                                                                             : std::string(describe(size))));
  mesh.axes.push_back({name.text, *value});
  places.axis_names.push_back(name.where);
  places.axis_sizes.push_back(size.where);
  return true;
}

// `{data: 2, fsdp: 4}`, or a list of `{name: data, size: 2}` for who prefers it.
bool read_axes(const YamlNode& node, Mesh& mesh, MeshPlaces& places, Fields& fields, Diagnostics& diagnostics) {
  bool ok = true;
  if (node.kind == YamlKind::mapping) {
    for (size_t i = 0; i < node.entry_count(); ++i)
      ok = read_axis(mesh, places, node.key(i), node.value(i), fields) && ok;
    return ok;
  }
  if (node.kind != YamlKind::sequence)
    return fields.fail(node.where, fmt::format("`axes` is a mapping of names to sizes, found {}", describe(node)));
  for (const YamlNode& item : node.items) {
    Fields axis(item, "an axis", diagnostics);
    const YamlNode* name = axis.word("name", true);
    const YamlNode* size = axis.word("size", true);
    if (!axis.finish() || name == nullptr || size == nullptr) {
      ok = false;
      continue;
    }
    ok = read_axis(mesh, places, *name, *size, fields) && ok;
  }
  return ok;
}

// `[0, 2, 1, 3]`, or as HLO writes an order: "[2,4]T(1,0)".
bool read_device_order(const YamlNode& node, Mesh& mesh, MeshPlaces& places, Fields& fields, Diagnostics& diagnostics) {
  if (node.kind == YamlKind::sequence) {
    for (const YamlNode& item : node.items) {
      const std::optional<int64_t> id = yaml_integer(item);
      if (!id)
        return fields.fail(item.where, fmt::format("a device number is a whole number, found {}", describe(item)));
      mesh.device_ids.push_back(*id);
      places.device_ids.push_back(item.where);
    }
    if (mesh.device_ids.empty()) return fields.fail(node.where, "`device_order` lists no devices");
    return true;
  }
  if (node.kind != YamlKind::scalar)
    return fields.fail(node.where, fmt::format("`device_order` is a list of device numbers or `[2,4]T(1,0)`, found {}",
                                               describe(node)));
  TextCursor in{node.text, 0, node.where};
  const Result<DeviceList> order = parse_device_order(in, diagnostics);
  if (!order) return false;
  if (!in.at_end()) return fields.fail(node.where, "expected nothing after the device order");
  const int64_t count = device_count(*order);
  if (count != mesh.device_count())
    return fields.fail(node.where,
                       fmt::format("the device order has {} devices, the axes have {}", count, mesh.device_count()));
  if (count > kMaxListed) return fields.fail(node.where, "the device order has more than 2^20 devices");
  if (order->reshape.size() > 1) mesh.device_ids = materialize(*order);
  return true;
}

}  // namespace

Result<MeshFile> read_mesh_node(const YamlNode& node, std::string_view what, Diagnostics& diagnostics) {
  MeshFile file;
  file.where = node.where;
  MeshPlaces places;
  places.whole = node.where;
  Fields fields(node, what, diagnostics);
  if (const YamlNode* name = fields.word("name")) file.name = name->text;
  if (const YamlNode* hardware = fields.word("hardware")) file.hardware = hardware->text;
  fields.optional("description");
  const YamlNode* axes = fields.required("axes");
  const YamlNode* order = fields.optional("device_order");
  if (!fields.finish() || axes == nullptr || !read_axes(*axes, file.mesh, places, fields, diagnostics))
    return reported();
  if (file.mesh.axes.empty()) {
    fields.fail(axes->where, "the mesh has no axes");
    return reported();
  }
  if (!verify_mesh(file.mesh, places, diagnostics)) return reported();
  if (order != nullptr && order->kind != YamlKind::null) {
    if (!read_device_order(*order, file.mesh, places, fields, diagnostics)) return reported();
    places.whole = order->where;
    if (!verify_mesh(file.mesh, places, diagnostics)) return reported();
  }
  file.axis_places = places.axis_names;
  return file;
}

Result<MeshFile> read_mesh_file(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  const Result<YamlNode> root = read_yaml(file, sources, diagnostics);
  if (!root) return reported();
  return read_mesh_node(*root, "a mesh file", diagnostics);
}

namespace {

// `{params/*/w1: P('fsdp', 'tensor')}` or `{pattern: ..., spec: ...}`
bool read_rule(const YamlNode& node, std::vector<ShardingRule>& rules, Diagnostics& diagnostics) {
  const YamlNode* pattern = nullptr;
  const YamlNode* spec = nullptr;
  if (node.kind == YamlKind::mapping && node.entry_count() == 1 && node.key(0).text != "pattern" &&
      node.key(0).text != "spec") {
    pattern = &node.key(0);
    spec = &node.value(0);
  } else {
    Fields fields(node, "a rule", diagnostics);
    pattern = fields.word("pattern", true);
    spec = fields.required("spec");
    fields.optional("description");
    if (!fields.finish() || pattern == nullptr || spec == nullptr) return false;
  }
  if (spec->kind != YamlKind::scalar) {
    auto report =
        diagnostics.error(DiagnosticKind::bad_configuration, spec->where,
                          fmt::format("the sharding of `{}` is a word, found {}", pattern->text, describe(*spec)));
    if (spec->kind != YamlKind::null) report.help("a sharding that begins with `[` or `{` needs quotes in YAML");
    return false;
  }
  if (pattern->text.empty()) {
    diagnostics.error(DiagnosticKind::bad_configuration, pattern->where, "the pattern of a rule is empty");
    return false;
  }
  rules.push_back({pattern->text, spec->text, pattern->where, spec->where});
  return true;
}

}  // namespace

Result<std::vector<ShardingRule>> read_sharding_rules(FileId file, const SourceManager& sources,
                                                      Diagnostics& diagnostics) {
  const Result<YamlNode> root = read_yaml(file, sources, diagnostics);
  if (!root) return reported();
  Fields fields(*root, "a file of sharding rules", diagnostics);
  fields.optional("description");
  const YamlNode* list = fields.sequence("rules", true);
  if (!fields.finish() || list == nullptr) return reported();
  std::vector<ShardingRule> rules;
  bool ok = true;
  for (const YamlNode& item : list->items) ok = read_rule(item, rules, diagnostics) && ok;
  if (!ok) return reported();
  return rules;
}

}  // namespace sw
