// Worked example:
//   - {value: h, op: dot_general, operands: [x, w], type: "f32[8,4]", attributes: {...}, sharding: P('data')}
// becomes the lines
//   %h_unconstrained = "stablehlo.dot_general"(%x, %w) {...} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
//   %h = sdy.sharding_constraint %h_unconstrained <@mesh, [{"data"}, {}]> : tensor<8x4xf32>
// Everything that is checked here is what the text could not say well afterwards: names, types, places.
#include "text/yaml/model_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/edit_distance.h"
#include "ir/op_kind.h"
#include "ir/types.h"
#include "sharding/text.h"
#include "text/yaml/config_parts.h"

namespace sw {

namespace {

struct TensorText {
  std::string mlir;     // tensor<8x4xf32>
  std::string element;  // f32
  size_t rank = 0;
};

struct Named {
  std::string ssa;  // %h
  TensorText type;
  SourceRange where;
};

bool is_ssa_name(std::string_view name) {
  if (name.empty()) return false;
  for (char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  return !(name[0] >= '0' && name[0] <= '9');
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// After an @.
std::string symbol(std::string_view name) { return is_ssa_name(name) ? std::string(name) : quoted(name); }

class ModelWriter {
 public:
  explicit ModelWriter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Result<ModelText> write(const YamlNode& root);

 private:
  bool check_format(Fields& fields);
  bool arguments(const YamlNode& list, std::string& header);
  bool op(const YamlNode& node);
  bool results(const YamlNode& list, std::string& types, std::string& values);
  std::optional<TensorText> type(const YamlNode& node);
  std::optional<std::string> sharding(const YamlNode& node, size_t rank, std::string_view value);
  std::optional<std::string> attributes(const YamlNode& node);
  std::optional<std::string> attribute(const YamlNode& node);
  std::optional<std::string> op_name(const YamlNode& node);
  std::optional<std::string> location(const YamlNode* node);
  std::optional<TensorText> result_type(const YamlNode* node, std::string_view op, SourceRange where,
                                        std::span<const Named* const> operands);
  static std::string reducer_region(std::string_view reducer, std::string_view element);
  void note_broken(const YamlNode& item, std::string_view key);
  const Named* find(const YamlNode& name);
  bool define(const YamlNode& name, Named value);
  std::string fresh_ssa(std::string_view name);
  void line(std::string text, SourceRange where = {}) {
    out_.text += text + "\n";
    out_.places.push_back(where);
  }
  bool fail(SourceRange where, std::string message) {
    diagnostics_.error(DiagnosticKind::bad_configuration, where, std::move(message));
    return false;
  }

  Diagnostics& diagnostics_;
  ModelText out_;
  ShardingTable table_;
  MeshId mesh_;
  std::map<std::string, Named, std::less<>> values_;
  std::set<std::string, std::less<>> broken_;  // names of values whose definition has an error
  size_t count_ = 0;
};

// `f32[8,4]`, `bf16[]`, `tensor<8x4xf32>`
std::optional<TensorText> ModelWriter::type(const YamlNode& node) {
  const auto refuse = [&] {
    fail(node.where, fmt::format("`{}` is not a type such as `f32[8,4]`", node.text));
    return std::nullopt;
  };
  if (node.kind != YamlKind::scalar) {
    fail(node.where, fmt::format("a type is a word such as `f32[8,4]`, found {}", describe(node)));
    return std::nullopt;
  }
  std::string_view text = node.text;
  const size_t open = text.find('[');
  if (open == text.npos || text.back() != ']') return refuse();
  ElementType element = ElementType::other;
  if (!parse_hlo_element(text.substr(0, open), element) && !parse_mlir_element(text.substr(0, open), element))
    return refuse();
  TensorText out;
  out.element = mlir_spelling(element);
  out.mlir = "tensor<";
  std::string_view dims = text.substr(open + 1, text.size() - open - 2);
  while (!dims.empty()) {
    const size_t comma = std::min(dims.find(','), dims.size());
    std::string_view dim = dims.substr(0, comma);
    while (!dim.empty() && dim.front() == ' ') dim.remove_prefix(1);
    while (!dim.empty() && dim.back() == ' ') dim.remove_suffix(1);
    if (dim.empty() || dim.size() > 18 || dim.find_first_not_of("0123456789") != dim.npos) return refuse();
    out.mlir += std::string(dim) + "x";
    ++out.rank;
    if (comma == dims.size()) break;
    dims.remove_prefix(comma + 1);
    if (dims.empty()) return refuse();
  }
  out.mlir += out.element + ">";
  return out;
}

std::optional<std::string> ModelWriter::sharding(const YamlNode& node, size_t rank, std::string_view value) {
  if (node.kind != YamlKind::scalar) {
    fail(node.where, fmt::format("a sharding is a word, found {}", describe(node)));
    return std::nullopt;
  }
  if (!mesh_.valid()) {
    fail(node.where, "the model has no mesh for this sharding to be on, expected a key `mesh`");
    return std::nullopt;
  }
  TextCursor in{node.text, 0, node.where};
  const Result<NamedShardingId> id = parse_any_sharding(in, table_, mesh_, rank, diagnostics_, value);
  if (!id) return std::nullopt;
  return sdy_text(table_, *id);
}

std::string ModelWriter::fresh_ssa(std::string_view name) {
  return is_ssa_name(name) ? "%" + std::string(name) : fmt::format("%value{}_", ++count_);
}

bool ModelWriter::define(const YamlNode& name, Named value) {
  if (name.kind != YamlKind::scalar || name.text.empty()) return fail(name.where, "the name of a value is a word");
  const auto [at, is_new] = values_.emplace(name.text, std::move(value));
  if (is_new) return true;
  diagnostics_.error(DiagnosticKind::redefined_value, name.where, fmt::format("value `{}` is defined twice", name.text))
      .note(at->second.where, "first defined here");
  return false;
}

void ModelWriter::note_broken(const YamlNode& item, std::string_view key) {
  if (item.kind != YamlKind::mapping) return;
  for (size_t i = 0; i < item.entry_count(); ++i)
    if (item.key(i).text == key) broken_.insert(item.value(i).text);
}

const Named* ModelWriter::find(const YamlNode& name) {
  if (name.kind == YamlKind::scalar) {
    const auto at = values_.find(name.text);
    if (at != values_.end()) return &at->second;
  } else {
    fail(name.where, fmt::format("the name of a value is a word, found {}", describe(name)));
    return nullptr;
  }
  if (broken_.contains(name.text)) return nullptr;  // what defines it has been reported
  auto report = diagnostics_.error(DiagnosticKind::undefined_value, name.where,
                                   fmt::format("there is no value `{}` before this place", name.text));
  std::vector<std::string_view> names;
  for (const auto& [text, value] : values_) names.push_back(text);
  const std::string_view nearest = name.text.size() > 1 ? nearest_name(name.text, names) : std::string_view();
  if (!nearest.empty()) report.help(fmt::format("did you mean `{}`?", nearest));
  return nullptr;
}

bool ModelWriter::arguments(const YamlNode& list, std::string& header) {
  bool ok = true;
  for (const YamlNode& item : list.items) {
    Fields fields(item, "an argument", diagnostics_);
    const YamlNode* name = fields.word("name", true);
    const YamlNode* type_node = fields.required("type");
    const YamlNode* sharding_node = fields.optional("sharding");
    const bool complete = fields.finish() && name != nullptr && type_node != nullptr;
    const std::optional<TensorText> t = complete ? type(*type_node) : std::nullopt;
    if (!t) {
      note_broken(item, "name");
      ok = false;
      continue;
    }
    std::string attrs;
    if (sharding_node != nullptr) {
      const auto text = sharding(*sharding_node, t->rank, fmt::format("`{}`", name->text));
      ok = ok && text.has_value();
      if (text) attrs = " {sdy.sharding = #sdy.sharding" + *text + "}";
    }
    const std::string ssa = fmt::format("%arg{}", values_.size());
    header += fmt::format("{}{}: {}{} loc({})", header.empty() ? "" : ", ", ssa, t->mlir, attrs, quoted(name->text));
    ok = define(*name, {ssa, *t, name->where}) && ok;
  }
  return ok;
}

// A YAML value as an attribute: a list of whole numbers, a number, true or false; anything else is attribute text.
std::optional<std::string> ModelWriter::attribute(const YamlNode& node) {
  if (node.kind == YamlKind::sequence) {
    std::string text = "array<i64";
    for (size_t i = 0; i < node.items.size(); ++i) {
      const std::optional<int64_t> v = yaml_integer(node.items[i]);
      if (!v) {
        fail(node.items[i].where, "a list in an attribute has whole numbers, write anything else as text");
        return std::nullopt;
      }
      text += fmt::format("{} {}", i == 0 ? ":" : ",", *v);
    }
    return text + ">";
  }
  if (node.kind != YamlKind::scalar) {
    fail(node.where, fmt::format("an attribute is a word or a list of whole numbers, found {}", describe(node)));
    return std::nullopt;
  }
  if (const std::optional<int64_t> v = yaml_integer(node)) return fmt::format("{} : i64", *v);
  if (node.text.find('\n') != std::string::npos) {
    fail(node.where, "the text of an attribute stands on one line");
    return std::nullopt;
  }
  return node.text;
}

std::optional<std::string> ModelWriter::attributes(const YamlNode& node) {
  if (node.kind != YamlKind::mapping) {
    fail(node.where, fmt::format("`attributes` is a mapping, found {}", describe(node)));
    return std::nullopt;
  }
  std::string text;
  for (size_t i = 0; i < node.entry_count(); ++i) {
    if (!is_ssa_name(node.key(i).text)) {
      fail(node.key(i).where, fmt::format("`{}` is not the name of an attribute", node.key(i).text));
      return std::nullopt;
    }
    const auto value = attribute(node.value(i));
    if (!value) return std::nullopt;
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", node.key(i).text, *value);
  }
  return text;
}

// The body of a reduction: the operation on two scalars.
std::string ModelWriter::reducer_region(std::string_view reducer, std::string_view element) {
  const std::string t = fmt::format("tensor<{}>", element);
  return fmt::format(
      " ({{ ^bb0(%lhs: {0}, %rhs: {0}): %out = \"stablehlo.{1}\"(%lhs, %rhs) : ({0}, {0}) -> {0} "
      "\"stablehlo.return\"(%out) : ({0}) -> () }})",
      t, reducer);
}

// `dot_general` or a full spelling such as `chlo.erf`.
std::optional<std::string> ModelWriter::op_name(const YamlNode& node) {
  if (node.text.find('.') != std::string::npos && node.text.find_first_of("\"\\\n") == std::string::npos)
    return node.text;
  std::string full = "stablehlo." + node.text;
  if (op_kind_from_mlir(full) != OpKind::unknown) return full;
  auto report = diagnostics_.error(DiagnosticKind::unknown_name, node.where,
                                   fmt::format("StableHLO has no operation `{}`", node.text));
  constexpr std::string_view kDialect = "stablehlo.";
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kOpKindCount; ++i) {
    const std::string_view name = facts(static_cast<OpKind>(i)).mlir;
    if (name.starts_with(kDialect)) names.push_back(name.substr(kDialect.size()));
  }
  const std::string_view nearest = nearest_name(node.text, names);
  if (!nearest.empty()) report.help(fmt::format("did you mean `{}`?", nearest));
  return std::nullopt;
}

// `model.py:41` as a location; empty where none is given.
std::optional<std::string> ModelWriter::location(const YamlNode* node) {
  if (node == nullptr) return "";
  const size_t colon = node->text.rfind(':');
  const std::string_view digits = colon == std::string::npos ? "" : std::string_view(node->text).substr(colon + 1);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos || colon == 0) {
    fail(node->where, fmt::format("`{}` is not a file and a line such as `model.py:41`", node->text));
    return std::nullopt;
  }
  return fmt::format(" loc({}:{}:0)", quoted(std::string_view(node->text).substr(0, colon)), digits);
}

// The type given, or for an elementwise operation that of its last operand.
std::optional<TensorText> ModelWriter::result_type(const YamlNode* node, std::string_view op, SourceRange where,
                                                   std::span<const Named* const> operands) {
  if (node != nullptr) return type(*node);
  const OpKind kind = op_kind_from_mlir(op);
  const bool changes_element = kind == OpKind::compare || kind == OpKind::convert || kind == OpKind::is_finite ||
                               kind == OpKind::real || kind == OpKind::imag || kind == OpKind::complex;
  if (!operands.empty() && facts(kind).family == Family::pointwise && !changes_element) return operands.back()->type;
  fail(where, fmt::format("the type of `{}` does not follow from its operands, expected a key `type`", op));
  return std::nullopt;
}

bool ModelWriter::op(const YamlNode& node) {
  Fields fields(node, "an operation", diagnostics_);
  const YamlNode* value = fields.word("value", true);
  const YamlNode* op_node = fields.word("op", true);
  const YamlNode* operand_list = fields.sequence("operands");
  const YamlNode* attribute_map = fields.optional("attributes");
  const YamlNode* type_node = fields.optional("type");
  const YamlNode* reducer = fields.word("reducer");
  const YamlNode* sharding_node = fields.optional("sharding");
  const YamlNode* source = fields.word("source");
  if (!fields.finish() || value == nullptr || op_node == nullptr) return false;

  const std::optional<std::string> name = op_name(*op_node);
  const std::optional<std::string> loc = location(source);
  std::vector<const Named*> operands;
  if (operand_list != nullptr)
    for (const YamlNode& item : operand_list->items) operands.push_back(find(item));
  std::optional<std::string> attrs = "";
  if (attribute_map != nullptr) attrs = attributes(*attribute_map);
  if (!name || !loc || !attrs || std::find(operands.begin(), operands.end(), nullptr) != operands.end()) return false;
  const std::optional<TensorText> t = result_type(type_node, *name, op_node->where, operands);
  if (!t) return false;
  std::string region;
  if (reducer != nullptr) {
    if (op_kind_from_mlir("stablehlo." + reducer->text) == OpKind::unknown)
      return fail(reducer->where,
                  fmt::format("`{}` is not an operation that can reduce, such as `add`", reducer->text));
    region = reducer_region(reducer->text, t->element);
  }
  std::optional<std::string> constraint;
  if (sharding_node != nullptr) {
    constraint = sharding(*sharding_node, t->rank, fmt::format("`{}`", value->text));
    if (!constraint) return false;
  }

  const std::string ssa = fresh_ssa(value->text);
  const std::string raw = constraint ? ssa + "_unconstrained" : ssa;
  std::string arguments, types;
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments += (i == 0 ? "" : ", ") + operands[i]->ssa;
    types += (i == 0 ? "" : ", ") + operands[i]->type.mlir;
  }
  line(fmt::format("    {} = \"{}\"({}){}{} : ({}) -> {}{}", raw, *name, arguments, region,
                   attrs->empty() ? "" : " {" + *attrs + "}", types, t->mlir, *loc),
       node.where);
  if (constraint)
    line(fmt::format("    {} = sdy.sharding_constraint {} {} : {}{}", ssa, raw, *constraint, t->mlir, *loc),
         sharding_node->where);
  return define(*value, {ssa, *t, value->where});
}

bool ModelWriter::results(const YamlNode& list, std::string& types, std::string& values) {
  bool ok = true;
  std::string value_types;
  for (const YamlNode& item : list.items) {
    const YamlNode* name = &item;
    const YamlNode* sharding_node = nullptr;
    if (item.kind == YamlKind::mapping) {
      Fields fields(item, "a result", diagnostics_);
      name = fields.word("value", true);
      sharding_node = fields.optional("sharding");
      if (!fields.finish() || name == nullptr) {
        ok = false;
        continue;
      }
    }
    const Named* value = find(*name);
    if (value == nullptr) {
      ok = false;
      continue;
    }
    std::string attrs = fmt::format("jax.result_info = {}", quoted(name->text));
    if (sharding_node != nullptr) {
      const auto text = sharding(*sharding_node, value->type.rank, fmt::format("`{}`", name->text));
      ok = ok && text.has_value();
      if (text) attrs += ", sdy.sharding = #sdy.sharding" + *text;
    }
    const std::string_view comma = types.empty() ? "" : ", ";
    types += fmt::format("{}{} {{{}}}", comma, value->type.mlir, attrs);
    values += fmt::format("{}{}", comma, value->ssa);
    value_types += fmt::format("{}{}", comma, value->type.mlir);
  }
  if (!values.empty()) values += " : " + value_types;
  return ok;
}

bool ModelWriter::check_format(Fields& fields) {
  const YamlNode* format = fields.word("format", true);
  if (format == nullptr) return false;
  if (format->text == "shardwright-model") return true;
  return fail(format->where, fmt::format("the format is `{}`, expected `shardwright-model`", format->text));
}

Result<ModelText> ModelWriter::write(const YamlNode& root) {
  Fields fields(root, "a model", diagnostics_);
  const bool known = check_format(fields);
  const YamlNode* name = fields.word("name");
  fields.optional("description");
  const YamlNode* mesh = fields.optional("mesh");
  const YamlNode* argument_list = fields.sequence("arguments", true);
  const YamlNode* op_list = fields.sequence("ops", true);
  const YamlNode* result_list = fields.sequence("results", true);
  if (!fields.finish() || !known || argument_list == nullptr || op_list == nullptr || result_list == nullptr)
    return reported();

  line(fmt::format("module @{} {{", symbol(name == nullptr ? "model" : name->text)), root.where);
  if (mesh != nullptr) {
    Result<MeshFile> read = read_mesh_node(*mesh, "the mesh of a model", diagnostics_);
    if (!read) return reported();
    line(fmt::format("  sdy.mesh @{} = {}", symbol(read->name), sdy_text(read->mesh)), mesh->where);
    mesh_ = table_.add_mesh({read->name, std::move(read->mesh)});
  }
  std::string header, types, values;
  bool ok = arguments(*argument_list, header);
  const size_t function_line = out_.places.size();
  const size_t function_at = out_.text.size();
  line("", argument_list->where);
  for (const YamlNode& item : op_list->items) {
    if (op(item)) continue;
    ok = false;
    note_broken(item, "value");
  }
  ok = results(*result_list, types, values) && ok;
  if (!ok) return reported();
  // The header is known only now: the types of the results come from the operations.
  out_.text.insert(function_at, fmt::format("  func.func public @main({}) -> ({}) {{", header, types));
  out_.places[function_line] = argument_list->where;
  line("    return " + values, result_list->where);
  line("  }");
  line("}");
  return std::move(out_);
}

}  // namespace

Result<ModelText> model_text(const YamlNode& root, Diagnostics& diagnostics) {
  return ModelWriter(diagnostics).write(root);
}

}  // namespace sw
