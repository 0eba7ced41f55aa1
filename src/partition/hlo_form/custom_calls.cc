#include "partition/hlo_form/custom_calls.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ops/literal.h"

namespace sw {

namespace {

// As MLIR spells it; what a configuration cannot hold gives nothing.
std::optional<std::string> attr_text(const Graph& graph, AttrId id, int depth = 0) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest) return std::nullopt;
  const Attr attr = graph.attr_table.get(id);
  const auto typed = [&](std::string text) {
    return attr.type.valid() ? text + " : " + mlir_text(graph.types, attr.type) : text;
  };
  std::string out;
  switch (attr.kind) {
    case AttrKind::unit: return "unit";
    case AttrKind::boolean: return attr.integer != 0 ? "true" : "false";
    case AttrKind::integer: return typed(std::to_string(attr.integer));
    case AttrKind::floating: return typed(std::string(attr.text));
    case AttrKind::string:
      for (const char c : attr.text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
      return '"' + out + '"';
    case AttrKind::dense_array:
      out = "array<" + mlir_text(graph.types, attr.type);
      for (size_t i = 0; i < attr.integers.size(); ++i)
        out += (i == 0 ? ": " : ", ") + std::to_string(attr.integers[i]);
      return out + ">";
    case AttrKind::array:
      for (const AttrId element : attr.elements) {
        const std::optional<std::string> text = attr_text(graph, element, depth + 1);
        if (!text) return std::nullopt;
        out += (out.empty() ? "" : ", ") + *text;
      }
      return "[" + out + "]";
    case AttrKind::dictionary:
      for (const NamedAttr& field : attr.fields) {
        const std::optional<std::string> text = attr_text(graph, field.value, depth + 1);
        if (!text) return std::nullopt;
        out += (out.empty() ? "" : ", ") + std::string(graph.strings.text(field.name));
        if (graph.attr_table.get(field.value).kind != AttrKind::unit) out += " = " + *text;
      }
      return "{" + out + "}";
    case AttrKind::opaque: return std::string(attr.text);
    default: return std::nullopt;
  }
}

// The layouts of a list of arrays, `{1,0}` each; nothing where none is said.
std::vector<std::string> layouts_of(const Graph& graph, const Op& op, std::string_view name) {
  std::vector<std::string> list;
  const AttrId id = graph.attr(op, name);
  if (!id.valid()) return list;
  for (const AttrId element : graph.attr_table.get(id).elements) {
    const std::optional<Literal> order = read_literal(graph, element, graph.attr_table.get(element).type);
    if (!order) return {};
    std::string text;
    for (int64_t i = 0; i < order->element_count(); ++i)
      text += (i == 0 ? "" : ",") + std::to_string(order->whole[order->splat ? 0 : static_cast<size_t>(i)]);
    list.push_back("{" + text + "}");
  }
  return list;
}

TypeId with_layout(TypeTable& types, TypeId id, const std::string& layout) {
  const Type type = types.get(id);
  if (!type.is_array() || type.rank() == 0) return id;
  const std::vector<int64_t> dims(type.dims.begin(), type.dims.end());
  return types.tensor(type.element, dims, layout);
}

TypeId result_with_layouts(TypeTable& types, TypeId id, const std::vector<std::string>& layouts) {
  if (types.get(id).kind != TypeKind::tuple) return layouts.size() == 1 ? with_layout(types, id, layouts[0]) : id;
  std::vector<TypeId> elements(types.get(id).elements.begin(), types.get(id).elements.end());
  if (elements.size() != layouts.size()) return id;
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = with_layout(types, elements[i], layouts[i]);
  return types.tuple(elements);
}

// HLO text has the layouts already, but with the shapes of the whole program.
std::vector<std::string> constrained_layouts(const Graph& graph, const Op& op) {
  std::vector<std::string> list;
  const AttrId id = graph.attr(op, "operand_layout_constraints");
  if (!id.valid()) return list;
  std::string_view text = graph.attr_table.get(id).text;
  for (size_t shape = text.find(']'); shape != std::string_view::npos; shape = text.find(']')) {
    text.remove_prefix(shape + 1);
    const size_t end = text.starts_with('{') ? text.find('}') : std::string_view::npos;
    list.emplace_back(end == std::string_view::npos ? "" : text.substr(0, end + 1));
  }
  return list;
}

}  // namespace

void complete_custom_call(GraphBuilder& builder, OpId id) {
  const Graph& graph = builder.graph();
  const auto named = [&](std::string_view name) { return graph.strings.find(name); };
  const StringId config = named("mhlo.backend_config"), constraints = named("operand_layout_constraints");
  const std::vector<ValueId> operands(graph.operands(id).begin(), graph.operands(id).end());
  std::vector<std::string> operand_layouts = layouts_of(graph, graph.op(id), "operand_layouts");
  if (operand_layouts.empty()) operand_layouts = constrained_layouts(graph, graph.op(id));
  const std::vector<std::string> result_layouts = layouts_of(graph, graph.op(id), "result_layouts");

  std::vector<NamedAttr> attrs;
  std::optional<std::string> configuration;
  for (const NamedAttr& attr : graph.attrs(graph.op(id))) {
    const Attr value = graph.attr_table.get(attr.value);
    const bool is_config = attr.name == config || attr.name == named("backend_config");
    if (is_config && value.kind == AttrKind::dictionary) {
      configuration = attr_text(graph, attr.value);
      continue;
    }
    if (is_config && value.text.empty()) continue;
    if (attr.name != constraints || operand_layouts.size() != operands.size()) attrs.push_back(attr);
  }
  if (!operand_layouts.empty() && operand_layouts.size() == operands.size()) {
    std::string text;
    for (size_t i = 0; i < operands.size(); ++i) {
      const TypeId type = with_layout(builder.types(), graph.value(operands[i]).type, operand_layouts[i]);
      text += (i == 0 ? "" : ", ") + hlo_text(graph.types, type);
    }
    attrs.push_back({builder.name("operand_layout_constraints"), builder.attr_table().opaque("{" + text + "}")});
  }
  if (configuration) {
    const StringId version = builder.name("api_version");
    std::erase_if(attrs, [&](const NamedAttr& attr) { return attr.name == version; });
    attrs.push_back(builder.integer_attr("api_version", 4));
    attrs.push_back(builder.text_attr("backend_config", *configuration));
  }
  builder.set_attrs(id, attrs);
  if (result_layouts.empty()) return;
  const ValueId result = graph.result(id);
  builder.set_value_type(result, result_with_layouts(builder.types(), graph.value(result).type, result_layouts));
}

}  // namespace sw
