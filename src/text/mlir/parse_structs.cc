// Attributes of dialects: aliases, `#stablehlo<precision DEFAULT>`, structs such as `#stablehlo.gather<...>`, and, as
// text, whatever is not known. Looked up by source text before anything is parsed.
#include <algorithm>
#include <array>

#include "base/edit_distance.h"
#include "base/hash.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

namespace {

using Order = std::span<const std::string_view>;

constexpr std::string_view kDot[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                     "rhs_contracting_dimensions"};
constexpr std::string_view kGather[] = {"offset_dims",           "collapsed_slice_dims",
                                        "operand_batching_dims", "start_indices_batching_dims",
                                        "start_index_map",       "index_vector_dim"};
constexpr std::string_view kScatter[] = {"update_window_dims",           "inserted_window_dims",
                                         "input_batching_dims",          "scatter_indices_batching_dims",
                                         "scatter_dims_to_operand_dims", "index_vector_dim"};

// Structs whose lists are left out when empty and whose parameters have one order.
Order order_of(std::string_view name) {
  if (name == "stablehlo.dot") return kDot;
  if (name == "stablehlo.gather") return kGather;
  if (name == "stablehlo.scatter") return kScatter;
  return {};
}

constexpr std::string_view kStructs[] = {"stablehlo.dot",
                                         "stablehlo.gather",
                                         "stablehlo.scatter",
                                         "stablehlo.channel_handle",
                                         "stablehlo.dot_algorithm",
                                         "stablehlo.output_operand_alias",
                                         "stablehlo.result_accuracy",
                                         "chlo.ragged_dot"};

// `mhlo` spells the same structs under its own name.
std::string canonical_name(std::string_view name) {
  if (name.starts_with("mhlo.")) {
    const std::string stablehlo = "stablehlo." + std::string(name.substr(5));
    if (std::ranges::find(kStructs, stablehlo) != std::end(kStructs) || stablehlo == "stablehlo.conv") return stablehlo;
  }
  return std::string(name);
}

}  // namespace

Parser::Alias* Parser::alias_named(Token token) {
  const auto found = aliases_.find(lexer_.text(token));
  return found == aliases_.end() ? nullptr : &found->second;
}

bool Parser::parse_dialect_attribute(AttrId& out) {
  const Token word = token_;
  if (Alias* alias = alias_named(word)) {
    if (lexer_.text().substr(alias->begin, 3) == "loc") {
      LocationId location;
      if (!parse_location_alias(location)) return false;
      Attr attr;
      attr.kind = AttrKind::location;
      attr.integer = location.raw;
      out = builder_.attr_table().intern(attr);
      return true;
    }
    if (alias->state == 1)
      return fail(DiagnosticKind::bad_attribute, range(word), "`" + std::string(text()) + "` stands for itself");
    if (alias->state == 0) {
      const int braces = braces_;
      alias->state = 1;
      seek(alias->begin);
      AttrId value;
      const bool fine = parse_attribute(value);
      alias->state = fine ? 2 : 3;
      alias->value = value.raw;
      token_ = word;
      braces_ = braces;
    }
    if (alias->state == 3) return false;
    out = AttrId{alias->value};
    advance();
    return true;
  }
  const std::string_view name = text().substr(1);
  if (lexer_.at(word.end) != '<') {
    if (name.find('.') == std::string_view::npos)
      return fail(DiagnosticKind::unknown_name, range(word), "attribute `#" + std::string(name) + "` is not defined");
    return parse_opaque_attribute(out);
  }
  const auto close = lexer_.skip_angles(word.end);
  if (!close) {
    stopped_ = true;  // whatever follows is inside this attribute
    return fail(DiagnosticKind::bad_attribute, range(word), "attribute without its closing `>`");
  }
  const std::string_view spelling = lexer_.text().substr(word.begin, *close - word.begin);
  const uint64_t hash = hash_bytes(spelling);
  const uint32_t known = attributes_.find(spelling, hash);
  if (known != TextMemo::kMissing) {
    out = AttrId{known};
    seek(*close);
    return true;
  }
  const int braces = braces_;
  if (!parse_dialect_body(name, word.end, *close, out)) return false;
  if (token_.begin < *close) return fail_expected("the end of the attribute");
  braces_ = braces;
  attributes_.add(spelling, hash, out.raw);
  seek(*close);
  return true;
}

// `begin` is the offset of `<`, `end` that behind its `>`.
bool Parser::parse_dialect_body(std::string_view name, uint32_t begin, uint32_t end, AttrId& out) {
  if (name.starts_with("sdy.")) return parse_sdy_attribute(name.substr(4), begin, end, out);
  if (name == "sdy") {
    // #sdy<manual_axes{"x"}>, #sdy<list_of_axis_ref_lists[{"x"}, {}]>
    seek(begin + 1);
    const std::string_view mnemonic = text();
    advance();
    if (at(TokenKind::left_brace) || at(TokenKind::left_bracket))
      return parse_axes_text(mnemonic, token_.kind, out) && expect(TokenKind::greater, "`>` behind a list of axes");
    if (at(TokenKind::identifier))
      return parse_enum("sdy<" + std::string(mnemonic), out) && expect(TokenKind::greater, "`>` behind the enumerator");
    return fail_expected("a list of axes or an enumerator");
  }
  if (name == "stablehlo" || name == "mhlo" || name == "chlo") {
    // #stablehlo<precision DEFAULT>
    seek(begin + 1);
    if (!at(TokenKind::identifier)) return fail_expected("the name of an enumeration");
    const std::string enumeration = std::string(name) + "<" + std::string(text());
    advance();
    if (at(TokenKind::identifier)) {
      if (!parse_enum(enumeration, out)) return false;
      return expect(TokenKind::greater, "`>` behind the enumerator");
    }
  }
  const std::string canonical = canonical_name(name);
  if (canonical == "stablehlo.conv") {
    seek(begin + 1);
    return parse_conv_struct(out) && expect(TokenKind::greater, "`>` behind the dimension numbers");
  }
  if (std::ranges::find(kStructs, canonical) != std::end(kStructs)) {
    seek(begin + 1);
    return parse_struct(canonical, out) && expect(TokenKind::greater, "`,` or `>` in an attribute");
  }
  if (name == "stablehlo.result_accuracy_mode") {
    seek(begin + 1);
    return parse_enum(name, out) && expect(TokenKind::greater, "`>` behind the enumerator");
  }
  out = builder_.attr_table().opaque(lexer_.text().substr(begin - name.size() - 1, end - begin + name.size() + 1));
  seek(end);
  return true;
}

// `a = [0], b = 1` up to the `>`.
bool Parser::parse_struct(std::string_view name, AttrId& out) {
  const uint32_t begin = token_.begin;
  AttrList fields;
  if (!parse_struct_fields(fields)) return false;
  const Order order = order_of(name);
  if (!order.empty() && !check_struct(name, range(begin, last_end_), order, fields, /*all=*/false)) return false;
  out = canonical_struct(name, fields);
  return true;
}

bool Parser::parse_struct_fields(AttrList& fields) {
  while (!at(TokenKind::greater)) {
    if (!at(TokenKind::identifier)) return fail_expected("the name of a parameter");
    const StringId field = builder_.name(text());
    advance();
    AttrId value;
    if (!expect(TokenKind::equal, "`=`") || !parse_struct_value(value)) return false;
    fields.push_back({field, value});
    if (!accept(TokenKind::comma)) break;
  }
  return true;
}

// Lists of integers are dense arrays here, and a bare type stands for itself; `<...>` is a nested struct, kept as text.
bool Parser::parse_struct_value(AttrId& out) {
  if (at(TokenKind::left_bracket)) {
    const Token next = lexer_.token_at(token_.end);
    if (next.kind == TokenKind::integer || next.kind == TokenKind::minus || next.kind == TokenKind::right_bracket) {
      IntList values;
      if (!parse_integer_list(values)) return false;
      out = int_list(values);
      return true;
    }
  }
  return parse_attribute(out);
}

AttrId Parser::canonical_struct(std::string_view name, AttrList& fields) {
  const Order order = order_of(name);
  if (order.empty()) return builder_.attr_table().struct_(name, fields);
  const auto rank = [&](const NamedAttr& field) {
    return std::ranges::find(order, builder_.strings().text(field.name)) - order.begin();
  };
  std::ranges::stable_sort(fields, {}, rank);
  const auto is_default = [&](const NamedAttr& field) {
    const Attr attr = builder_.attr_table().get(field.value);
    return (attr.kind == AttrKind::dense_array && attr.integers.empty()) ||
           (attr.kind == AttrKind::integer && attr.integer == 0);
  };
  fields.erase(std::remove_if(fields.begin(), fields.end(), is_default), fields.end());
  return builder_.attr_table().struct_(name, fields);
}

// A struct of dimension numbers has the parameters it is defined with, each once: lists, or single dimensions. With
// `all` none may be missing.
bool Parser::check_struct(std::string_view name, SourceRange where, Order order, const AttrList& fields, bool all) {
  const std::string struct_name = "`#" + std::string(name) + "`";
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string_view field = builder_.strings().text(fields[i].name);
    if (std::ranges::find(order, field) == order.end()) {
      auto message =
          report(DiagnosticKind::bad_attribute, where, struct_name + " has no parameter `" + std::string(field) + "`");
      const std::string_view near = nearest_name(field, order);
      if (!near.empty()) message.help("did you mean `" + std::string(near) + "`?");
      return false;
    }
    for (size_t k = 0; k < i; ++k)
      if (fields[k].name == fields[i].name)
        return fail(DiagnosticKind::bad_attribute, where, struct_name + " has `" + std::string(field) + "` twice");
    const bool single = field.ends_with("_dim") || field.ends_with("_dimension");
    if (builder_.attr_table().get(fields[i].value).kind != (single ? AttrKind::integer : AttrKind::dense_array))
      return fail(DiagnosticKind::bad_attribute, where,
                  "`" + std::string(field) + "` is " + (single ? "a dimension" : "a list of dimensions"));
  }
  if (!all || fields.size() == order.size()) return true;
  return fail(
      DiagnosticKind::bad_attribute, where,
      struct_name + " has " + plural(fields.size(), "parameter") + ", expected " + std::to_string(order.size()));
}

// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, or `raw input_batch_dimension = 0, ...`
bool Parser::parse_conv_struct(AttrId& out) {
  if (!accept_keyword("raw")) return parse_conv_dims(out);
  const uint32_t begin = token_.begin;
  AttrList fields;
  if (!parse_struct_fields(fields)) return false;
  if (!check_struct("stablehlo.conv", range(begin, last_end_), kConvFields, fields, /*all=*/true)) return false;
  std::ranges::stable_sort(fields, {}, [&](const NamedAttr& field) {
    return std::ranges::find(kConvFields, builder_.strings().text(field.name)) - std::begin(kConvFields);
  });
  out = builder_.attr_table().struct_("stablehlo.conv", fields);
  return true;
}

}  // namespace sw::mlir
