// The outermost level of the printer: module, meshes, functions; the names that values get; locations as aliases behind
// the module, each shared part once.
#include <algorithm>

#include "sharding/text.h"
#include "text/lexer.h"
#include "text/mlir/printer.h"
#include "text/mlir/reader.h"

namespace sw::mlir {

Printer::Printer(const Program& program) : program_(program), graph_(program.graph) {
  names_.resize(graph_.value_count());
  type_texts_.resize(graph_.types.count());
  location_numbers_.resize(graph_.location_count());
}

const std::string& Printer::type_text(TypeId type) {
  std::string& text = type_texts_[type.index()];
  if (text.empty()) text = mlir_text(graph_.types, type);
  return text;
}

std::string Printer::run() {
  out_ += "module";
  if (graph_.module_name.valid()) {
    out_ += ' ';
    print_symbol_name(graph_.strings.text(graph_.module_name));
  }
  const std::span<const NamedAttr> attrs = graph_.attrs(graph_.module_attrs);
  const std::string_view not_printed[] = {kResourcesAttribute};
  if (std::ranges::any_of(attrs,
                          [&](const NamedAttr& a) { return graph_.strings.text(a.name) != kResourcesAttribute; })) {
    out_ += " attributes";
    print_attr_dict(attrs, not_printed);
  }
  out_ += " {";
  ++indent_;
  print_meshes();
  for (size_t i = 0; i < graph_.function_count(); ++i) print_function(FunctionId{i});
  --indent_;
  out_ += "\n}\n";
  print_location_aliases();
  print_resources();
  return std::move(out_);
}

void Printer::new_line() {
  out_ += '\n';
  out_.append(static_cast<size_t>(indent_) * 2, ' ');
}

void Printer::print_meshes() {
  for (size_t i = 0; i < program_.shardings.mesh_count(); ++i) {
    const NamedMesh& mesh = program_.shardings.mesh(MeshId{i});
    if (mesh.name.empty()) continue;  // spelled where it is used
    new_line();
    out_ += "sdy.mesh ";
    print_symbol_name(mesh.name);
    out_ += " = " + sdy_text(mesh.mesh);
  }
}

void Printer::print_resources() {
  const AttrId resources = Graph::find(graph_.attrs(graph_.module_attrs), graph_.strings.find(kResourcesAttribute));
  if (!resources.valid()) return;
  out_ += '\n';
  out_ += graph_.attr_table.get(resources).text;
  out_ += '\n';
}

void Printer::print_function(FunctionId id) {
  const Function& function = graph_.function(id);
  const Type type = graph_.types.get(function.type);
  new_line();
  out_ += function.is_private ? "func.func private " : "func.func ";
  print_symbol_name(graph_.strings.text(function.name));
  out_ += '(';
  push_names(/*isolated=*/true);
  for (uint32_t i = 0; i < type.input_count; ++i) {
    if (i > 0) out_ += ", ";
    if (function.body.valid()) {
      const ValueId value = graph_.arg(graph_.entry_block(function.body), i);
      name_value(value);
      print_value(value);
      out_ += ": ";
      print_type(type.elements[i]);
      if (i < function.arg_attrs.size()) print_attr_dict(graph_.attrs(function.arg_attrs[i]));
      print_location(graph_.value(value).loc);
    } else {
      print_type(type.elements[i]);
      if (i < function.arg_attrs.size()) print_attr_dict(graph_.attrs(function.arg_attrs[i]));
    }
  }
  out_ += ')';
  const size_t results = type.elements.size() - type.input_count;
  const bool bare = results == 1 && (function.result_attrs.empty() || function.result_attrs[0].empty()) &&
                    graph_.types.get(type.elements[type.input_count]).kind != TypeKind::function;
  if (results > 0) {
    out_ += bare ? " -> " : " -> (";
    for (size_t i = 0; i < results; ++i) {
      if (i > 0) out_ += ", ";
      print_type(type.elements[type.input_count + i]);
      if (i < function.result_attrs.size()) print_attr_dict(graph_.attrs(function.result_attrs[i]));
    }
    if (!bare) out_ += ')';
  }
  if (!function.attrs.empty()) {
    out_ += " attributes";
    print_attr_dict(graph_.attrs(function.attrs));
  }
  if (function.body.valid()) {
    out_ += ' ';
    in_function_ = true;
    print_region(function.body, /*labelled=*/false);
    in_function_ = false;
  }
  print_location(function.loc);
  pop_names();
}

void Printer::push_names(bool isolated) {
  scopes_.push_back({log_.size(), isolation_});
  if (isolated) isolation_ = next_isolation_++;
}

void Printer::pop_names() {
  while (log_.size() > scopes_.back().log_begin) {
    taken_[log_.back().first] = log_.back().second;
    log_.pop_back();
  }
  isolation_ = scopes_.back().isolation;
  scopes_.pop_back();
}

// `wanted` as MLIR can spell it: `%12`, or a letter or underscore and then letters, digits and `$._-`.
std::string Printer::free_name(StringId wanted) {
  std::string name = "%";
  std::string_view text = wanted.valid() ? graph_.strings.text(wanted) : std::string_view();
  if (text.starts_with('%')) text.remove_prefix(1);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool number = !text.empty() && std::ranges::all_of(text, digit);
  if (!number && (text.empty() || digit(text[0]))) name += 'v';
  for (const char c : text) {
    const bool plain =
        digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.' || c == '-';
    name += plain ? c : '_';
  }
  const auto is_taken = [&](const std::string& n) {
    const auto found = taken_.find(n);
    return found != taken_.end() && found->second == isolation_;
  };
  if (!is_taken(name)) return name;
  if (number) name.insert(1, 1, 'v');
  std::string candidate = name;
  for (uint32_t& next = next_suffix_[name]; is_taken(candidate); ++next) candidate = name + "_" + std::to_string(next);
  return candidate;
}

void Printer::take_name(const std::string& name) {
  uint32_t& scope = taken_[name];
  log_.emplace_back(name, scope);
  scope = isolation_;
}

void Printer::name_value(ValueId value) {
  names_[value.index()] = free_name(graph_.value(value).name);
  take_name(names_[value.index()]);
}

// One name for all results when they were read with one, else one for each. The one name is taken only behind the op,
// so that its regions may use it for their own, as they may when they are read.
void Printer::name_results(const Op& op) {
  const StringId first = graph_.value(op.first_result).name;
  bool one = true;
  for (uint32_t i = 1; i < op.result_count; ++i)
    one = one && graph_.value(ValueId{op.first_result.raw + i}).name == first;
  if (one) {
    const std::string name = free_name(first);
    for (uint32_t i = 0; i < op.result_count; ++i) names_[op.first_result.raw + i] = name;
    return;
  }
  for (uint32_t i = 0; i < op.result_count; ++i) name_value(ValueId{op.first_result.raw + i});
}

// A group's name stands for its first value; a number tells which one is meant.
void Printer::print_value(ValueId id) {
  out_ += names_[id.index()];
  const Value& value = graph_.value(id);
  if (!value.def.valid()) return;
  const Op& op = graph_.op(value.def);
  if (op.result_count > 1 && is_group(op)) out_ += "#" + std::to_string(value.index);
}

// Numbers `id` and all that it is made of, parts first, in the order in which the text needs them; so reading the text
// and printing it again gives the same numbers. The stack is our own: a chain of locations may be long.
void Printer::number_location(LocationId id) {
  std::vector<std::pair<LocationId, bool>> stack{{id, false}};
  while (!stack.empty()) {
    const auto [at, parts_done] = stack.back();
    stack.pop_back();
    if (!at.valid() || location_numbers_[at.index()] != 0) continue;
    const Location& location = graph_.location(at);
    if (location.kind == LocationKind::unknown) continue;
    if (parts_done) {
      // Its parts have numbers, so this is its text; locations of the same text are the same.
      const size_t before = out_.size();
      print_location_body(location);
      const auto [same, added] =
          location_numbers_by_text_.emplace(out_.substr(before), static_cast<uint32_t>(locations_.size() + 1));
      out_.resize(before);
      if (added) locations_.push_back(at);
      location_numbers_[at.index()] = same->second;
      continue;
    }
    stack.emplace_back(at, true);
    for (auto part = location.parts.rbegin(); part != location.parts.rend(); ++part) stack.emplace_back(*part, false);
    stack.emplace_back(location.caller, false);
    stack.emplace_back(location.child, false);
  }
}

void Printer::print_location_name(LocationId id) {
  if (!id.valid() || graph_.location(id).kind == LocationKind::unknown) {
    out_ += "unknown";
    return;
  }
  if (location_numbers_[id.index()] == 0) number_location(id);
  out_ += "#loc" + std::to_string(location_numbers_[id.index()]);
}

void Printer::print_location(LocationId id) {
  if (!id.valid()) return;
  out_ += " loc(";
  print_location_name(id);
  out_ += ')';
}

void Printer::print_location_body(const Location& location) {
  const std::string_view text = location.text.valid() ? graph_.strings.text(location.text) : std::string_view();
  switch (location.kind) {
    case LocationKind::unknown: out_ += "unknown"; break;
    case LocationKind::file:
      out_ += escape_mlir(text) + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
      if (location.end_line != 0 || location.end_column != 0) {
        out_ += " to ";
        if (location.end_line != location.line) out_ += std::to_string(location.end_line);
        out_ += ":" + std::to_string(location.end_column);
      }
      break;
    case LocationKind::name:
      out_ += escape_mlir(text);
      if (!location.child.valid()) break;
      out_ += '(';
      print_location_name(location.child);
      out_ += ')';
      break;
    case LocationKind::call_site:
      out_ += "callsite(";
      print_location_name(location.child);
      out_ += " at ";
      print_location_name(location.caller);
      out_ += ')';
      break;
    case LocationKind::fused:
      out_ += "fused";
      out_ += text;
      out_ += '[';
      for (size_t i = 0; i < location.parts.size(); ++i) {
        if (i > 0) out_ += ", ";
        print_location_name(location.parts[i]);
      }
      out_ += ']';
      break;
    case LocationKind::opaque: out_ += text; break;
  }
}

// One alias per location, so that shared parts are printed once.
void Printer::print_location_aliases() {
  for (size_t i = 0; i < locations_.size(); ++i) {
    out_ += "#loc" + std::to_string(i + 1) + " = loc(";
    print_location_body(graph_.location(locations_[i]));
    out_ += ")\n";
  }
}

}  // namespace sw::mlir

namespace sw {

std::string print_mlir(const Program& program) { return mlir::Printer(program).run(); }

}  // namespace sw
