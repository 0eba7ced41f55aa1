#include "ir/names.h"

namespace sw {

namespace {

// The outermost name of a location: JAX writes an argument's as loc("params['w1']"), alone or around a position.
std::string_view outer_name(const Graph& graph, LocationId loc) {
  if (!loc.valid()) return {};
  const Location& l = graph.location(loc);
  return l.kind == LocationKind::name ? graph.strings.text(l.text) : std::string_view();
}

}  // namespace

std::string value_spelled_name(const Graph& graph, ValueId value) {
  const Value& v = graph.value(value);
  std::string name(v.name.valid() ? graph.strings.text(v.name) : std::string_view());
  if (v.def.valid() && graph.op(v.def).result_count > 1) name += "#" + std::to_string(v.index);
  return name;
}

std::string_view argument_source_name(const Graph& graph, FunctionId function, size_t i) {
  const RegionId body = graph.function(function).body;
  if (!body.valid() || i >= graph.block(graph.entry_block(body)).arg_count) return {};
  return outer_name(graph, graph.value(graph.arg(graph.entry_block(body), i)).loc);
}

std::string result_source_name(const Graph& graph, FunctionId function, size_t i) {
  const StringId key = graph.strings.find("jax.result_info");
  const auto& results = graph.function(function).result_attrs;
  if (key.valid() && i < results.size()) {
    const AttrId attr = Graph::find(graph.attrs(results[i]), key);
    if (attr.valid() && graph.attr_table.get(attr).kind == AttrKind::string) {
      const std::string_view text = graph.attr_table.get(attr).text;
      if (!text.empty()) return std::string(text);
    }
  }
  return "result[" + std::to_string(i) + "]";
}

bool is_function_argument(const Graph& graph, ValueId value, FunctionId& function, size_t& index) {
  const Value& v = graph.value(value);
  if (v.def.valid() || !v.block.valid()) return false;
  const RegionId region = graph.block(v.block).parent;
  if (!region.valid() || graph.region(region).owner.valid()) return false;
  const FunctionId owner = graph.region(region).function;
  if (!owner.valid() || graph.function(owner).body != region || graph.entry_block(region) != v.block) return false;
  function = owner;
  index = v.index;
  return true;
}

std::string value_display_name(const Graph& graph, ValueId value) {
  FunctionId function;
  size_t index = 0;
  if (is_function_argument(graph, value, function, index)) {
    const std::string_view name = argument_source_name(graph, function, index);
    if (!name.empty()) return std::string(name);
  }
  return value_spelled_name(graph, value);
}

std::string name_as_path(std::string_view name) {
  std::string path;
  bool separate = false;
  char quote = 0;
  for (char c : name) {
    const bool boundary = quote == 0 && (c == '[' || c == ']' || c == '.' || c == '/');
    if (quote == 0 ? (c == '\'' || c == '"') : c == quote) {
      quote = quote == 0 ? c : '\0';
      continue;
    }
    if (boundary) {
      separate = !path.empty();
      continue;
    }
    if (separate) path += '/';
    separate = false;
    path += c;
  }
  return path;
}

}  // namespace sw
