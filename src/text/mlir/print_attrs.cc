// Attributes as MLIR text: the inverse of parse_attrs.cc, parse_structs.cc and parse_shardings.cc. What was kept as
// spelled is printed as spelled, so a literal never changes.
#include <algorithm>

#include "sharding/text.h"
#include "text/lexer.h"
#include "text/mlir/printer.h"

namespace sw::mlir {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// [A-Za-z_][A-Za-z0-9_$.]*
bool is_bare(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  return std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; });
}

bool is_boolean_type(const Type& type) { return type.kind == TypeKind::scalar && type.element == ElementType::pred; }

}  // namespace

void Printer::print_name(std::string_view name) {
  if (is_bare(name)) {
    out_ += name;
  } else {
    out_ += escape_mlir(name);
  }
}

void Printer::print_symbol_name(std::string_view name) {
  out_ += '@';
  print_name(name);
}

void Printer::print_symbol(std::string_view path) {
  for (size_t begin = 0;;) {
    const size_t end = path.find("::@", begin);
    print_symbol_name(path.substr(begin, end - begin));
    if (end == std::string_view::npos) return;
    out_ += "::";
    begin = end + 3;
  }
}

void Printer::print_named_attrs(std::span<const NamedAttr> attrs) {
  for (size_t i = 0; i < attrs.size(); ++i) {
    if (i > 0) out_ += ", ";
    print_name(graph_.strings.text(attrs[i].name));
    if (graph_.attr_table.get(attrs[i].value).kind == AttrKind::unit) continue;
    out_ += " = ";
    print_attr(attrs[i].value);
  }
}

void Printer::print_attr_dict(std::span<const NamedAttr> attrs, std::span<const std::string_view> without) {
  SmallVector<NamedAttr, 8> kept;
  for (const NamedAttr& attr : attrs)
    if (std::ranges::find(without, graph_.strings.text(attr.name)) == without.end()) kept.push_back(attr);
  if (kept.empty()) return;
  out_ += " {";
  print_named_attrs(kept);
  out_ += '}';
}

void Printer::print_int_list(std::span<const int64_t> values, bool booleans) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ", ";
    out_ += booleans ? (values[i] != 0 ? "true" : "false") : std::to_string(values[i]);
  }
}

void Printer::print_dense(const Attr& attr) {
  switch (attr.form) {
    case DenseForm::splat:
    case DenseForm::list:
    case DenseForm::string:
      out_ += "dense<";
      out_ += attr.text;
      break;
    case DenseForm::hex:
      out_ += "dense<\"0x";
      out_ += attr.text;
      out_ += '"';
      break;
    case DenseForm::resource:
      out_ += "dense_resource<";
      print_name(attr.text);
      break;
  }
  out_ += "> : ";
  print_type(attr.type);
}

void Printer::print_struct_fields(std::span<const NamedAttr> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out_ += ", ";
    if (fields[i].name.valid()) {
      out_ += graph_.strings.text(fields[i].name);
      out_ += " = ";
    }
    const Attr value = graph_.attr_table.get(fields[i].value);
    switch (value.kind) {
      case AttrKind::dense_array:
        out_ += '[';
        print_int_list(value.integers);
        out_ += ']';
        break;
      case AttrKind::integer: out_ += std::to_string(value.integer); break;
      case AttrKind::floating: out_ += value.text; break;
      default: print_attr(fields[i].value);
    }
  }
}

void Printer::print_struct(const Attr& attr) {
  out_ += '#';
  out_ += attr.text;
  out_ += '<';
  if (conv_fits(attr)) {
    print_conv_dims(attr);
  } else if (attr.text == "stablehlo.conv") {
    out_ += "raw ";
    print_struct_fields(attr.fields);
  } else {
    print_struct_fields(attr.fields);
  }
  out_ += '>';
}

void Printer::print_sharding_attr(const Attr& attr) {
  switch (attr.kind) {
    case AttrKind::sharding:
      out_ += "#sdy.sharding";
      out_ += sdy_text(program_.shardings, NamedShardingId{static_cast<uint32_t>(attr.integer)});
      break;
    case AttrKind::sharding_list: {
      std::vector<NamedShardingId> list;
      for (const int64_t raw : attr.integers) list.emplace_back(static_cast<uint32_t>(raw));
      out_ += "#sdy.sharding_per_value<" + sdy_list_text(program_.shardings, list) + ">";
      break;
    }
    case AttrKind::tile_sharding:
      out_ += escape_mlir(sw::hlo_text(program_.tile_shardings, TileShardingId{static_cast<uint32_t>(attr.integer)}));
      break;
    case AttrKind::mesh:
      out_ += "#sdy.mesh" + sdy_text(program_.shardings.mesh(MeshId{static_cast<uint32_t>(attr.integer)}).mesh);
      break;
    case AttrKind::axes:
      out_ += "#sdy<";
      out_ += attr.name;
      out_ += attr.text;
      out_ += '>';
      break;
    case AttrKind::factor_rule:
      out_ += "#sdy.op_sharding_rule";
      out_ += attr.text;
      break;
    default: break;
  }
}

void Printer::print_attr(AttrId id) {
  const Attr attr = graph_.attr_table.get(id);
  switch (attr.kind) {
    case AttrKind::unit: out_ += "unit"; break;
    case AttrKind::boolean: out_ += attr.integer != 0 ? "true" : "false"; break;
    case AttrKind::integer: {
      const bool is_unsigned = attr.type.valid() && type_text(attr.type).starts_with("ui");
      out_ += is_unsigned ? std::to_string(static_cast<uint64_t>(attr.integer)) : std::to_string(attr.integer);
      out_ += " : ";
      print_type(attr.type);
      break;
    }
    case AttrKind::floating:
      out_ += attr.text;
      out_ += " : ";
      print_type(attr.type);
      break;
    case AttrKind::string:
      out_ += escape_mlir(attr.text);
      if (!attr.type.valid()) break;
      out_ += " : ";
      print_type(attr.type);
      break;
    case AttrKind::symbol: print_symbol(attr.text); break;
    case AttrKind::type: print_type(attr.type); break;
    case AttrKind::array:
      out_ += '[';
      for (size_t i = 0; i < attr.elements.size(); ++i) {
        if (i > 0) out_ += ", ";
        print_attr(attr.elements[i]);
      }
      out_ += ']';
      break;
    case AttrKind::dictionary:
      out_ += '{';
      print_named_attrs(attr.fields);
      out_ += '}';
      break;
    case AttrKind::struct_: print_struct(attr); break;
    case AttrKind::enum_:
      out_ += '#';
      out_ += attr.name;
      out_ += attr.name.find('<') == std::string_view::npos ? '<' : ' ';
      out_ += attr.text;
      out_ += '>';
      break;
    case AttrKind::dense_array: {
      out_ += "array<";
      print_type(attr.type);
      if (!attr.integers.empty()) out_ += ": ";
      print_int_list(attr.integers, is_boolean_type(graph_.types.get(attr.type)));
      out_ += '>';
      break;
    }
    case AttrKind::dense: print_dense(attr); break;
    case AttrKind::sharding:
    case AttrKind::sharding_list:
    case AttrKind::tile_sharding:
    case AttrKind::mesh:
    case AttrKind::axes:
    case AttrKind::factor_rule: print_sharding_attr(attr); break;
    case AttrKind::location:
      out_ += "loc(";
      print_location_body(graph_.location(LocationId{static_cast<uint32_t>(attr.integer)}));
      out_ += ')';
      break;
    case AttrKind::opaque: out_ += attr.text; break;
  }
}

Attr Printer::attr_of(const Op& op, std::string_view name) {
  const AttrId id = graph_.attr(op, name);
  return id.valid() ? graph_.attr_table.get(id) : Attr{};
}

bool Printer::has(const Op& op, std::string_view name, AttrKind kind) {
  const AttrId id = graph_.attr(op, name);
  if (!id.valid()) return false;
  const Attr attr = graph_.attr_table.get(id);
  // A string with a type of its own has no place in a short form.
  return attr.kind == kind && (kind != AttrKind::string || !attr.type.valid());
}

bool Printer::is_enum(AttrId id, std::string_view name) {
  if (!id.valid()) return false;
  const Attr attr = graph_.attr_table.get(id);
  return attr.kind == AttrKind::enum_ && attr.name == name;
}

bool Printer::int_list_fits(const Op& op, std::string_view name, ElementType element) {
  const AttrId id = graph_.attr(op, name);
  if (!id.valid()) return false;
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::dense_array || !attr.type.valid()) return false;
  const Type type = graph_.types.get(attr.type);
  return type.kind == TypeKind::scalar && type.element == element;
}

}  // namespace sw::mlir
