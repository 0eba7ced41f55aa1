// See the header.
#include "report/names.h"

#include <algorithm>

namespace sw {

namespace {

BlockId block_of(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  return v.def.valid() ? graph.op(v.def).parent : v.block;
}

// The first name on the way down a location, which for arguments of jitted functions is the name of the parameter.
std::string_view outer_name(const Graph& graph, LocationId loc) {
  if (!loc.valid()) return {};
  const Location& l = graph.location(loc);
  return l.kind == LocationKind::name ? graph.strings.text(l.text) : std::string_view{};
}

}  // namespace

std::string spelled_name(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  std::string name(v.name.valid() ? graph.strings.text(v.name) : std::string_view("%?"));
  if (v.def.valid() && graph.op(v.def).result_count > 1) name += '#' + std::to_string(v.index);
  return name;
}

bool is_main_argument(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  if (v.def.valid() || !graph.main.valid()) return false;
  const RegionId body = graph.function(graph.main).body;
  return body.valid() && v.block == graph.entry_block(body);
}

std::string argument_name(const Graph& graph, ValueId value) {
  if (!is_main_argument(graph, value)) return {};
  return std::string(outer_name(graph, graph.value(value).loc));
}

std::string output_name(const Graph& graph, size_t index) {
  if (graph.main.valid()) {
    const Function& main = graph.function(graph.main);
    const StringId key = graph.strings.find("jax.result_info");
    if (key.valid() && index < main.result_attrs.size()) {
      const AttrId attr = Graph::find(graph.attrs(main.result_attrs[index]), key);
      if (attr.valid() && !graph.attr_table.get(attr).text.empty()) return std::string(graph.attr_table.get(attr).text);
    }
  }
  return "result[" + std::to_string(index) + "]";
}

std::string display_name(const Graph& graph, ValueId value) {
  std::string name = argument_name(graph, value);
  return name.empty() ? spelled_name(graph, value) : name;
}

std::string region_of(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  if (v.def.valid() || !v.block.valid()) return {};
  const RegionId region = graph.block(v.block).parent;
  if (!region.valid() || !graph.region(region).owner.valid()) return {};
  const Op& owner = graph.op(graph.region(region).owner);
  const auto regions = graph.regions(owner);
  const auto index = static_cast<size_t>(std::find(regions.begin(), regions.end(), region) - regions.begin());
  if (owner.kind == OpKind::while_) return index == 0 ? "condition" : "body";
  return owner.kind == OpKind::case_ || owner.kind == OpKind::if_ ? "branch " + std::to_string(index) : "";
}

LocationId location_of(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  return v.def.valid() ? graph.op(v.def).loc : v.loc;
}

SourceRange range_of(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  return v.def.valid() ? graph.op(v.def).where : v.where;
}

uint32_t line_of(const SourceManager& sources, SourceRange range) {
  uint32_t low = 1, high = sources.line_count(range.file);
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    uint32_t begin = 0;
    sources.line_text(range.file, middle, &begin);
    if (begin <= range.begin)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string user_place(const Graph& graph, LocationId loc) {
  const UserPosition position = user_position(graph, loc);
  if (position.line == 0) return {};
  return std::string(file_name(position.file)) + ':' + std::to_string(position.line);
}

namespace {

std::string place(const Graph& graph, const SourceManager& sources, LocationId loc, SourceRange range) {
  std::string text = user_place(graph, loc);
  if (text.empty() && range.valid()) text = "line " + std::to_string(line_of(sources, range));
  return text;
}

}  // namespace

std::string place_of(const Graph& graph, const SourceManager& sources, ValueId value) {
  if (is_main_argument(graph, value) && user_place(graph, location_of(graph, value)).empty()) return "argument";
  return place(graph, sources, location_of(graph, value), range_of(graph, value));
}

std::string place_of(const Graph& graph, const SourceManager& sources, OpId op) {
  return place(graph, sources, graph.op(op).loc, graph.op(op).where);
}

std::string_view function_name(const UserPosition& position) {
  return position.function.find_first_of("/(:") == std::string_view::npos ? position.function : std::string_view{};
}

std::string_view containing_function(const Graph& graph, ValueId value) {
  const BlockId block = block_of(graph, value);
  if (!block.valid()) return {};
  const RegionId region = graph.block(block).parent;
  if (!region.valid() || !graph.region(region).function.valid()) return {};
  return graph.strings.text(graph.function(graph.region(region).function).name);
}

}  // namespace sw
