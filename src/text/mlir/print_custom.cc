// Pretty forms with a grammar of their own, without regions: the inverse of parse_custom.cc. Each function first asks
// whether the form can say all that the op says, and prints nothing when it cannot.
#include <algorithm>
#include <array>

#include "sharding/text.h"
#include "text/lexer.h"
#include "text/mlir/printer.h"

namespace sw::mlir {

bool Printer::try_custom(const Op& op, CustomForm form) {
  switch (form) {
    case CustomForm::compare: return try_compare(op);
    case CustomForm::slice: return try_slice(op);
    case CustomForm::constant: return try_constant(op);
    case CustomForm::convolution: return try_convolution(op);
    case CustomForm::custom_call: return try_custom_call(op);
    case CustomForm::call: return try_call(op);
    case CustomForm::composite: return try_composite(op);
    case CustomForm::get_tuple_element: return try_get_tuple_element(op);
    case CustomForm::tuple: return try_tuple(op);
    case CustomForm::optimization_barrier: return try_optimization_barrier(op);
    case CustomForm::return_: return try_return(op);
    case CustomForm::top_k: return try_top_k(op);
    case CustomForm::while_: return try_while(op);
    case CustomForm::reduce: return try_reduce(op);
    case CustomForm::sharding_constraint: return try_sharding_constraint(op);
    case CustomForm::sharding_group: return try_sharding_group(op);
    case CustomForm::propagation_barrier: return try_propagation_barrier(op);
    case CustomForm::data_flow_edge: return try_data_flow_edge(op);
    case CustomForm::manual_computation: return try_computation(op, /*manual=*/true);
    case CustomForm::named_computation: return try_computation(op, /*manual=*/false);
    case CustomForm::sdy_collective: return try_sdy_collective(op);
    case CustomForm::none:
    case CustomForm::table: break;
  }
  return false;
}

bool Printer::try_compare(const Op& op) {
  const AttrId direction = graph_.attr(op, "comparison_direction");
  const AttrId type = graph_.attr(op, "compare_type");
  if (op.operands.count != 2 || !is_enum(direction, "stablehlo<comparison_direction")) return false;
  if (type.valid() && !is_enum(type, "stablehlo<comparison_type")) return false;
  out_ += op_name(op);
  out_ += ' ';
  out_ += graph_.attr_table.get(direction).text;
  out_ += ", ";
  print_operands(op);
  if (type.valid()) {
    out_ += ", ";
    out_ += graph_.attr_table.get(type).text;
  }
  static constexpr std::string_view kWithout[] = {"comparison_direction", "compare_type"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_slice(const Op& op) {
  static constexpr std::string_view kWithout[] = {"start_indices", "limit_indices", "strides"};
  if (op.operands.count != 1 ||
      !std::ranges::all_of(kWithout, [&](std::string_view n) { return int_list_fits(op, n); }))
    return false;
  const Attr starts = attr_of(op, "start_indices"), limits = attr_of(op, "limit_indices"),
             strides = attr_of(op, "strides");
  if (starts.integers.size() != limits.integers.size() || starts.integers.size() != strides.integers.size())
    return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  out_ += " [";
  for (size_t i = 0; i < starts.integers.size(); ++i) {
    if (i > 0) out_ += ", ";
    out_ += std::to_string(starts.integers[i]) + ":" + std::to_string(limits.integers[i]);
    if (strides.integers[i] != 1) out_ += ":" + std::to_string(strides.integers[i]);
  }
  out_ += ']';
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_constant(const Op& op) {
  const AttrId value = graph_.attr(op, "value");
  if (!value.valid() || op.result_count != 1 || !op.operands.empty()) return false;
  const Attr attr = graph_.attr_table.get(value);
  if (attr.kind != AttrKind::dense || attr.type != graph_.value(op.first_result).type) return false;
  static constexpr std::string_view kWithout[] = {"value"};
  out_ += op_name(op);
  print_attr_dict(graph_.attrs(op), kWithout);
  out_ += ' ';
  print_attr(value);
  return true;
}

// Whether the struct says what `[b, 0, f]x[0, i, o]->[b, 0, f]` can say: all dimensions in place, each once.
bool Printer::conv_fits(const Attr& attr) {
  if (attr.kind != AttrKind::struct_ || attr.text != "stablehlo.conv" || attr.fields.size() != 9) return false;
  for (size_t side = 0; side < 9; side += 3) {
    std::vector<int64_t> places;
    for (size_t i = 0; i < 3; ++i) {
      const Attr field = graph_.attr_table.get(attr.fields[side + i].value);
      if (graph_.strings.text(attr.fields[side + i].name) != kConvFields[side + i]) return false;
      if (field.kind != (i == 2 ? AttrKind::dense_array : AttrKind::integer)) return false;
      if (i < 2) {
        places.push_back(field.integer);
      } else {
        places.insert(places.end(), field.integers.begin(), field.integers.end());
      }
    }
    std::ranges::sort(places);
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

void Printer::print_conv_dims(const Attr& attr) {
  static constexpr std::string_view kLetters = "bfiobf";
  for (size_t side = 0; side < 3; ++side) {
    const auto field = [&](size_t i) { return graph_.attr_table.get(attr.fields[side * 3 + i].value); };
    const std::span<const int64_t> spatial = field(2).integers;
    std::vector<std::string> places(spatial.size() + 2);
    for (size_t i = 0; i < spatial.size(); ++i) places[static_cast<size_t>(spatial[i])] = std::to_string(i);
    for (size_t i = 0; i < 2; ++i) places[static_cast<size_t>(field(i).integer)] = kLetters[side * 2 + i];
    out_ += side == 0 ? "[" : side == 1 ? "x[" : "->[";
    for (size_t i = 0; i < places.size(); ++i) out_ += (i > 0 ? ", " : "") + places[i];
    out_ += ']';
  }
}

// stride = [1, 1], pad = [[1, 1], [1, 1]], ...; false when a part of the window is of an unusual kind.
bool Printer::print_window(const Op& op) {
  static constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"window_strides", "stride"},
                                                                             {"padding", "pad"},
                                                                             {"lhs_dilation", "lhs_dilate"},
                                                                             {"rhs_dilation", "rhs_dilate"},
                                                                             {"window_reversal", "reverse"}};
  bool first = true;
  for (const auto& [name, keyword] : kParts) {
    const AttrId id = graph_.attr(op, name);
    if (!id.valid()) continue;
    const Attr attr = graph_.attr_table.get(id);
    out_ += first ? "" : ", ";
    first = false;
    out_ += keyword;
    out_ += " = [";
    if (name == "padding") {
      const Type type = attr.type.valid() ? graph_.types.get(attr.type) : Type{};
      if (attr.kind != AttrKind::dense || type.rank() != 2 || type.dims[1] != 2 || type.element != ElementType::s64)
        return false;
      for (size_t i = 0; i + 1 < attr.integers.size(); i += 2)
        out_ += (i > 0 ? ", [" : "[") + std::to_string(attr.integers[i]) + ", " + std::to_string(attr.integers[i + 1]) +
                "]";
    } else {
      const bool reverse = name == "window_reversal";
      if (!int_list_fits(op, name, reverse ? ElementType::pred : ElementType::s64)) return false;
      print_int_list(attr.integers, reverse);
    }
    out_ += ']';
  }
  return true;
}

bool Printer::try_convolution(const Op& op) {
  const AttrId dims = graph_.attr(op, "dimension_numbers");
  if (!dims.valid() || !conv_fits(graph_.attr_table.get(dims))) return false;
  const size_t before = out_.size();
  out_ += op_name(op);
  out_ += '(';
  print_operands(op);
  out_ += ") dim_numbers = ";
  print_conv_dims(graph_.attr_table.get(dims));
  out_ += ", window = {";
  if (!print_window(op)) {
    out_.resize(before);
    return false;
  }
  out_ += '}';
  static constexpr std::string_view kWithout[] = {"dimension_numbers", "window_strides", "padding",
                                                  "lhs_dilation",      "rhs_dilation",   "window_reversal"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_custom_call(const Op& op) {
  if (!has(op, "call_target_name", AttrKind::string) || !graph_.regions(op).empty()) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_symbol_name(attr_of(op, "call_target_name").text);
  out_ += '(';
  print_operands(op);
  out_ += ')';
  static constexpr std::string_view kWithout[] = {"call_target_name"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_call(const Op& op) {
  if (!has(op, "callee", AttrKind::symbol)) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_symbol(attr_of(op, "callee").text);
  out_ += '(';
  print_operands(op);
  out_ += ')';
  static constexpr std::string_view kWithout[] = {"callee"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_composite(const Op& op) {
  if (!has(op, "name", AttrKind::string) || !graph_.regions(op).empty()) return false;
  out_ += op_name(op);
  out_ += ' ';
  out_ += escape_mlir(attr_of(op, "name").text);
  if (!op.operands.empty()) out_ += ' ';
  print_operands(op);
  static constexpr std::string_view kWithout[] = {"name"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_get_tuple_element(const Op& op) {
  const Attr index = attr_of(op, "index");
  if (index.kind != AttrKind::integer || type_text(index.type) != "i32" || op.operands.count != 1) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  out_ += "[" + std::to_string(index.integer) + "]";
  static constexpr std::string_view kWithout[] = {"index"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  return true;
}

bool Printer::try_tuple(const Op& op) {
  if (op.result_count != 1) return false;
  const Type type = graph_.types.get(graph_.value(op.first_result).type);
  const auto type_of = [&](ValueId v) { return graph_.value(v).type; };
  if (type.kind != TypeKind::tuple || !std::ranges::equal(type.elements, graph_.operands(op), {}, {}, type_of))
    return false;
  out_ += op_name(op);
  if (!op.operands.empty()) out_ += ' ';
  print_operands(op);
  print_attr_dict(graph_.attrs(op));
  out_ += " : ";
  print_type(graph_.value(op.first_result).type);
  return true;
}

// As many results as operands, of the same types.
bool Printer::types_agree(const Op& op) {
  const std::span<const ValueId> operands = graph_.operands(op);
  if (operands.size() != op.result_count) return false;
  for (uint32_t i = 0; i < op.result_count; ++i)
    if (graph_.value(operands[i]).type != graph_.value(ValueId{op.first_result.raw + i}).type) return false;
  return true;
}

bool Printer::try_optimization_barrier(const Op& op) {
  if (!types_agree(op)) return false;
  out_ += op_name(op);
  print_attr_dict(graph_.attrs(op));
  if (op.operands.empty()) {
    out_ += " ()";
    return true;
  }
  out_ += ' ';
  print_operands(op);
  out_ += " : ";
  print_types(graph_.operands(op));
  return true;
}

bool Printer::try_return(const Op& op) {
  if (op.result_count != 0 || !graph_.regions(op).empty()) return false;
  out_ += op_name(op);
  const bool attributes_first = op.kind != OpKind::return_;
  if (attributes_first) print_attr_dict(graph_.attrs(op));
  if (!op.operands.empty()) out_ += ' ';
  print_operands(op);
  if (!attributes_first) print_attr_dict(graph_.attrs(op));
  if (op.operands.empty()) return true;
  out_ += " : ";
  print_types(graph_.operands(op));
  return true;
}

bool Printer::try_top_k(const Op& op) {
  const Attr k = attr_of(op, "k");
  if (op.operands.count != 1 || k.kind != AttrKind::integer || type_text(k.type) != "i64") return false;
  static constexpr std::string_view kFlags[] = {"largest", "is_stable"};
  for (const std::string_view flag : kFlags)
    if (graph_.attr(op, flag).valid() && !has(op, flag, AttrKind::boolean)) return false;
  out_ += op_name(op);
  out_ += '(';
  print_operands(op);
  out_ += ", k = " + std::to_string(k.integer);
  for (const std::string_view flag : kFlags) {
    if (!graph_.attr(op, flag).valid()) continue;
    out_ += ", ";
    out_ += flag;
    out_ += attr_of(op, flag).integer != 0 ? " = true" : " = false";
  }
  out_ += ')';
  static constexpr std::string_view kWithout[] = {"k", "largest", "is_stable"};
  print_attr_dict(graph_.attrs(op), kWithout);
  out_ += " : ";
  print_types(graph_.operands(op));
  out_ += " -> ";
  print_result_types(op);
  return true;
}

}  // namespace sw::mlir
