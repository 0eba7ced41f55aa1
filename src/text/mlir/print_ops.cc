// One op: its results, the generic form, regions and blocks, and the pretty forms of the table in forms.h.
#include <algorithm>
#include <array>

#include "text/mlir/printer.h"

namespace sw::mlir {

namespace {

// Attributes without a dialect prefix that are still no properties of any op.
constexpr std::string_view kDiscardable[] = {"result_layout", "xla_shape"};

bool is_property(std::string_view name) {
  return name.find('.') == std::string_view::npos && std::ranges::find(kDiscardable, name) == std::end(kDiscardable);
}

std::string_view enum_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::fft_type: return "stablehlo<fft_type";
    case FieldKind::rng_distribution: return "stablehlo<rng_distribution";
    case FieldKind::rng_algorithm: return "stablehlo<rng_algorithm";
    default: return {};
  }
}

}  // namespace

std::string_view Printer::op_name(const Op& op) {
  if (op.kind == OpKind::func_return && in_function_) return "return";
  if (op.kind == OpKind::call && in_function_) return "call";
  const std::string_view mlir = facts(op.kind).mlir;
  const std::string_view own = op.name.valid() ? graph_.strings.text(op.name) : std::string_view();
  // An op of a graph that was not read from MLIR may have another spelling, or none.
  if (own.find('.') != std::string_view::npos || mlir.empty()) return own;
  return mlir;
}

void Printer::print_op(OpId id) {
  const Op& op = graph_.op(id);
  new_line();
  print_results(op);
  const Form* by_name = op.kind == OpKind::unknown ? form_named(op_name(op)) : nullptr;
  const Form& form = by_name != nullptr ? *by_name : form_of(op.kind);
  const bool pretty = form.custom == CustomForm::table  ? try_table(op, form)
                      : form.custom == CustomForm::none ? false
                                                        : try_custom(op, form.custom);
  if (!pretty) print_generic(op);
  print_location(op.loc);
  if (op.result_count > 0 && is_group(op)) take_name(names_[op.first_result.index()]);
}

bool Printer::is_group(const Op& op) const {
  return op.result_count == 1 || names_[op.first_result.index()] == names_[op.first_result.raw + 1];
}

// `%0 = `, `%0:2 = `, `%values, %indices = `.
void Printer::print_results(const Op& op) {
  if (op.result_count == 0) return;
  name_results(op);
  out_ += names_[op.first_result.index()];
  if (is_group(op)) {
    if (op.result_count > 1) out_ += ":" + std::to_string(op.result_count);
  } else {
    for (uint32_t i = 1; i < op.result_count; ++i) out_ += ", " + names_[op.first_result.raw + i];
  }
  out_ += " = ";
}

void Printer::print_operands(const Op& op) {
  bool first = true;
  for (const ValueId value : graph_.operands(op)) {
    if (!first) out_ += ", ";
    print_value(value);
    first = false;
  }
}

void Printer::print_types(std::span<const ValueId> values) {
  bool first = true;
  for (const ValueId value : values) {
    if (!first) out_ += ", ";
    print_type(graph_.value(value).type);
    first = false;
  }
}

// `T`, `(T, U)`, `()`
void Printer::print_result_types(const Op& op) {
  const bool bare =
      op.result_count == 1 && graph_.types.get(graph_.value(op.first_result).type).kind != TypeKind::function;
  if (!bare) out_ += '(';
  for (uint32_t i = 0; i < op.result_count; ++i) {
    if (i > 0) out_ += ", ";
    print_type(graph_.value(ValueId{op.first_result.raw + i}).type);
  }
  if (!bare) out_ += ')';
}

void Printer::print_functional_type(const Op& op) {
  out_ += " : (";
  print_types(graph_.operands(op));
  out_ += ") -> ";
  print_result_types(op);
}

// "name"(%a) <{properties}> ({regions}) {attributes} : (T) -> T
void Printer::print_generic(const Op& op) {
  const bool in_function = in_function_;
  in_function_ = false;
  out_ += '"';
  out_ += op_name(op);
  out_ += "\"(";
  print_operands(op);
  out_ += ')';
  SmallVector<NamedAttr, 8> properties, others;
  for (const NamedAttr& attr : graph_.attrs(op)) {
    const bool property = op.kind != OpKind::unknown && is_property(graph_.strings.text(attr.name));
    (property ? properties : others).push_back(attr);
  }
  if (!properties.empty()) {
    out_ += " <{";
    print_named_attrs(properties);
    out_ += "}>";
  }
  const bool isolated = op.kind == OpKind::manual_computation || op.kind == OpKind::named_computation;
  const std::span<const RegionId> regions = graph_.regions(op);
  if (!regions.empty()) {
    out_ += " (";
    for (size_t i = 0; i < regions.size(); ++i) {
      if (i > 0) out_ += ", ";
      push_names(isolated);
      print_region(regions[i], /*labelled=*/true);
      pop_names();
    }
    out_ += ')';
  }
  print_attr_dict(others);
  print_functional_type(op);
  in_function_ = in_function;
}

// The block's arguments with their types, in parentheses; they get their names here.
void Printer::print_arguments(BlockId id) {
  const Block& block = graph_.block(id);
  out_ += '(';
  for (uint32_t i = 0; i < block.arg_count; ++i) {
    const ValueId value = graph_.arg(id, i);
    if (i > 0) out_ += ", ";
    name_value(value);
    print_value(value);
    out_ += ": ";
    print_type(graph_.value(value).type);
    print_location(graph_.value(value).loc);
  }
  out_ += ')';
}

// `{ ops }`. With `labelled` the first block says its arguments as `^bb0(...)`; otherwise they stand, and have their
// names, before the region.
void Printer::print_region(RegionId id, bool labelled) {
  const Region& region = graph_.region(id);
  out_ += '{';
  for (size_t i = 0; i < region.blocks.size(); ++i) {
    const Block& block = graph_.block(region.blocks[i]);
    if (i > 0 || (labelled && block.arg_count > 0)) {
      new_line();
      if (block.label.valid()) {
        out_ += graph_.strings.text(block.label);
      } else {
        out_ += "^bb" + std::to_string(i);
      }
      if (block.arg_count > 0) print_arguments(region.blocks[i]);
      out_ += ':';
    }
    ++indent_;
    for (const OpId op : block.ops) print_op(op);
    --indent_;
  }
  new_line();
  out_ += '}';
}

bool Printer::field_fits(const Op& op, const Field& field) {
  const AttrId id = graph_.attr(op, field.attribute);
  if (!id.valid()) return field.optional;
  const Attr attr = graph_.attr_table.get(id);
  switch (field.kind) {
    case FieldKind::int_list: return int_list_fits(op, field.attribute);
    case FieldKind::i64: return attr.kind == AttrKind::integer && attr.type.valid() && type_text(attr.type) == "i64";
    case FieldKind::boolean: return attr.kind == AttrKind::boolean;
    case FieldKind::text: return has(op, field.attribute, AttrKind::string);
    case FieldKind::fft_type:
    case FieldKind::rng_distribution:
    case FieldKind::rng_algorithm: return is_enum(id, enum_of(field.kind));
    case FieldKind::exponent_mantissa: {
      const Attr mantissa = attr_of(op, "mantissa_bits");
      return attr.kind == AttrKind::integer && mantissa.kind == AttrKind::integer && type_text(attr.type) == "i32" &&
             attr.type == mantissa.type && attr.integer >= 0 && mantissa.integer >= 0;
    }
    case FieldKind::dot_dims: return attr.kind == AttrKind::struct_ && attr.text == "stablehlo.dot";
    case FieldKind::precision:
      return attr.kind == AttrKind::array &&
             std::ranges::all_of(attr.elements, [&](AttrId e) { return is_enum(e, "stablehlo<precision"); });
    case FieldKind::algorithm: return attr.kind == AttrKind::struct_ && attr.text == "stablehlo.dot_algorithm";
  }
  return false;
}

void Printer::print_field(const Op& op, const Field& field) {
  const Attr attr = attr_of(op, field.attribute);
  if (!field.keyword.empty()) {
    out_ += field.keyword;
    out_ += " = ";
  }
  switch (field.kind) {
    case FieldKind::int_list:
      out_ += '[';
      print_int_list(attr.integers);
      out_ += ']';
      break;
    case FieldKind::i64: out_ += std::to_string(attr.integer); break;
    case FieldKind::boolean: out_ += attr.integer != 0 ? "true" : "false"; break;
    case FieldKind::text: print_attr(graph_.attr(op, field.attribute)); break;
    case FieldKind::fft_type:
    case FieldKind::rng_distribution:
    case FieldKind::rng_algorithm: out_ += attr.text; break;
    case FieldKind::exponent_mantissa:
      out_ += "e" + std::to_string(attr.integer) + "m" + std::to_string(attr_of(op, "mantissa_bits").integer);
      break;
    case FieldKind::dot_dims: print_dot_dims(attr); break;
    case FieldKind::precision:
      out_ += "precision = [";
      for (size_t i = 0; i < attr.elements.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += graph_.attr_table.get(attr.elements[i]).text;
      }
      out_ += ']';
      break;
    case FieldKind::algorithm:
      out_ += "algorithm = <";
      print_struct_fields(attr.fields);
      out_ += '>';
      break;
  }
}

// batching_dims = [0] x [0], contracting_dims = [2] x [1]
void Printer::print_dot_dims(const Attr& attr) {
  const auto list = [&](std::string_view name) {
    out_ += '[';
    const AttrId id = Graph::find(attr.fields, graph_.strings.find(name));
    if (id.valid()) print_int_list(graph_.attr_table.get(id).integers);
    out_ += ']';
  };
  const auto present = [&](std::string_view name) {
    return Graph::find(attr.fields, graph_.strings.find(name)).valid();
  };
  if (present("lhs_batching_dimensions") || present("rhs_batching_dimensions")) {
    out_ += "batching_dims = ";
    list("lhs_batching_dimensions");
    out_ += " x ";
    list("rhs_batching_dimensions");
    out_ += ", ";
  }
  out_ += "contracting_dims = ";
  list("lhs_contracting_dimensions");
  out_ += " x ";
  list("rhs_contracting_dimensions");
}

bool Printer::types_fit(const Op& op, TypeForm form) {
  switch (form) {
    case TypeForm::same: return op.result_count == 1;
    case TypeForm::functional: return true;
    case TypeForm::results: return op.operands.empty() && op.result_count > 0;
    case TypeForm::listed: return !op.operands.empty() && op.result_count > 0;
    case TypeForm::select: return op.operands.count == 3 && op.result_count == 1;
    case TypeForm::complex: return op.operands.count == 2 && op.result_count == 1;
  }
  return false;
}

void Printer::print_form_types(const Op& op, TypeForm form) {
  const std::span<const ValueId> operands = graph_.operands(op);
  const auto all_are = [&](std::span<const ValueId> values, TypeId type) {
    return std::ranges::all_of(values, [&](ValueId v) { return graph_.value(v).type == type; });
  };
  const TypeId result = op.result_count > 0 ? graph_.value(op.first_result).type : TypeId{};
  const bool short_result = result.valid() && graph_.types.get(result).kind != TypeKind::function;
  switch (form) {
    case TypeForm::same:
      if (!short_result || !all_are(operands, result)) break;
      out_ += " : ";
      print_type(result);
      return;
    case TypeForm::results:
      out_ += " : ";
      for (uint32_t i = 0; i < op.result_count; ++i) {
        if (i > 0) out_ += ", ";
        print_type(graph_.value(ValueId{op.first_result.raw + i}).type);
      }
      return;
    case TypeForm::listed:
      out_ += " : ";
      print_types(operands);
      out_ += " -> ";
      print_result_types(op);
      return;
    case TypeForm::select:
      if (!short_result || !all_are(operands.subspan(1), result)) break;
      out_ += " : ";
      print_types(operands.first(1));
      out_ += ", ";
      print_type(result);
      return;
    case TypeForm::complex: {
      if (!short_result) break;
      const Type whole = graph_.types.get(result);
      const Type part = graph_.types.get(graph_.value(operands[0]).type);
      const bool fits = whole.is_tensor() && part.is_tensor() && is_complex(whole.element) &&
                        part.element == real_part_type(whole.element) && std::ranges::equal(whole.dims, part.dims) &&
                        whole.text == part.text && graph_.value(operands[1]).type == graph_.value(operands[0]).type;
      if (!fits) break;
      out_ += " : ";
      print_type(result);
      return;
    }
    case TypeForm::functional: break;
  }
  print_functional_type(op);
}

bool Printer::try_table(const Op& op, const Form& form) {
  if (!types_fit(op, form.types) || !graph_.regions(op).empty()) return false;
  if (!std::ranges::all_of(form.fields, [&](const Field& field) { return field_fits(op, field); })) return false;
  SmallVector<std::string_view, 8> without;
  out_ += op_name(op);
  if (!op.operands.empty()) out_ += ' ';
  print_operands(op);
  bool comma = !op.operands.empty();
  for (const Field& field : form.fields) {
    if (!graph_.attr(op, field.attribute).valid()) continue;
    without.push_back(field.attribute);
    if (field.kind == FieldKind::exponent_mantissa) without.push_back("mantissa_bits");
    out_ += comma ? ", " : " ";
    print_field(op, field);
    comma = true;
  }
  print_attr_dict(graph_.attrs(op), without);
  print_form_types(op, form.types);
  return true;
}

}  // namespace sw::mlir
