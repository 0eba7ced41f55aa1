// Attributes of the builtin dialect: numbers, strings, symbols, arrays, dictionaries, dense literals, types; and the
// step to canonical form that depends on the name under which an attribute stands (ir/attrs.h).
#include <algorithm>
#include <charconv>

#include "base/checked_math.h"
#include "base/hash.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

namespace {

// More elements than this in a list of integers that a splat stands for is an error of the text, not a program.
constexpr int64_t kMaxSplat = 1 << 20;

// All integers of a dense literal's text in order, brackets aside; false when something else stands in it.
template <class List>
bool flat_integers(std::string_view text, List& out) {
  size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == '[' || c == ']' || c == ',' || c == ' ' || c == '\n' || c == '\t') {
      ++i;
      continue;
    }
    if (text.substr(i, 4) == "true" || text.substr(i, 5) == "false") {
      out.push_back(c == 't' ? 1 : 0);
      i += c == 't' ? 4 : 5;
      continue;
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (error != std::errc{}) return false;
    out.push_back(value);
    i = static_cast<size_t>(end - text.data());
  }
  return true;
}

// Whether the nested list `text` has these extents: `[[1, 2], [3, 4]]` has 2, 2. Elements may be strings, or complex
// numbers in parentheses.
bool list_fits(std::string_view text, std::span<const int64_t> dims) {
  if (text.empty()) return std::ranges::find(dims, 0) != dims.end();
  SmallVector<int64_t, 8> counts;  // of what stands in each list that is open
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '[') {
      if (!counts.empty()) ++counts.back();
      if (counts.size() == dims.size() || (i > 0 && counts.empty())) return false;
      counts.push_back(0);
      ++i;
    } else if (c == ']') {
      if (counts.empty() || counts.back() != dims[counts.size() - 1]) return false;
      counts.pop_back();
      ++i;
    } else if (c == ',' || c == ' ' || c == '\n' || c == '\t') {
      ++i;
    } else {
      if (counts.size() != dims.size() || counts.empty()) return false;
      ++counts.back();
      if (c == '"') {
        for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
        ++i;
      } else if (c == '(') {
        i = std::min(text.find(')', i), text.size() - 1) + 1;
      } else {
        i = std::min(text.find_first_of(",] \n\t[", i), text.size());
      }
    }
  }
  return counts.empty();
}

// The 64-bit little-endian integers whose bytes these hexadecimal digits are.
template <class List>
bool hex_integers(std::string_view digits, List& out) {
  if (digits.size() % 16 != 0) return false;
  for (size_t i = 0; i < digits.size(); i += 16) {
    uint64_t value = 0;
    for (size_t byte = 0; byte < 8; ++byte) {
      uint64_t part = 0;
      const char* const first = digits.data() + i + byte * 2;
      if (std::from_chars(first, first + 2, part, 16).ptr != first + 2) return false;
      value |= part << (8 * byte);
    }
    out.push_back(static_cast<int64_t>(value));
  }
  return true;
}

}  // namespace

bool Parser::parse_attribute(AttrId& out) {
  const Level level(*this);
  if (!level.fine) return false;
  switch (token_.kind) {
    case TokenKind::string: {
      std::string value;
      if (!parse_string(value)) return false;
      Attr attr;
      attr.kind = AttrKind::string;
      attr.text = value;
      if (accept(TokenKind::colon) && !parse_type(attr.type)) return false;
      out = builder_.attr_table().intern(attr);
      return true;
    }
    case TokenKind::integer:
    case TokenKind::floating:
    case TokenKind::minus: return parse_number(out);
    case TokenKind::symbol: return parse_symbol(out);
    case TokenKind::left_bracket: return parse_array(out);
    case TokenKind::left_brace: return parse_dictionary(out);
    case TokenKind::attr_name: return parse_dialect_attribute(out);
    case TokenKind::left_paren:
    case TokenKind::type_name: break;
    case TokenKind::identifier: {
      const std::string_view word = text();
      if (word == "true" || word == "false") {
        out = builder_.attr_table().boolean(word == "true");
        advance();
        return true;
      }
      if (word == "unit") {
        out = builder_.attr_table().unit();
        advance();
        return true;
      }
      if (word == "dense") return parse_dense(out);
      if (word == "dense_resource") return parse_dense_resource(out);
      if (word == "array") return parse_dense_array(out);
      if (word == "affine_map" || word == "affine_set" || word == "strided" || word == "sparse")
        return parse_opaque_attribute(out);
      if (word == "loc") {
        LocationId location;
        if (!parse_location(location)) return false;
        Attr attr;
        attr.kind = AttrKind::location;
        attr.integer = location.raw;
        out = builder_.attr_table().intern(attr);
        return true;
      }
      break;
    }
    default: return fail_expected("an attribute value");
  }
  TypeId type;
  if (!parse_type(type)) return false;
  out = builder_.attr_table().of_type(type);
  return true;
}

bool Parser::parse_integer(int64_t& out) {
  const uint32_t begin = token_.begin;
  const bool negative = accept(TokenKind::minus);
  if (!at(TokenKind::integer)) return fail_expected("an integer");
  std::string_view digits = text();
  const bool hex = digits.starts_with("0x");
  if (hex) digits.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || (negative && value > (uint64_t{1} << 63)))
    return fail(DiagnosticKind::bad_literal, range(begin, token_.end),
                "`" + std::string(digits.substr(0, 40)) + "` does not fit into 64 bits");
  out = static_cast<int64_t>(negative ? 0 - value : value);
  advance();
  return true;
}

// 3, -3 : i32, 1.5 : f32, 0x7F800000 : f32
bool Parser::parse_number(AttrId& out) {
  const Token first = token_;
  const bool negative = accept(TokenKind::minus);
  const Token number = token_;
  Attr attr;
  if (at(TokenKind::floating)) {
    attr.kind = AttrKind::floating;
    advance();
  } else {
    attr.kind = AttrKind::integer;
    if (negative) token_ = first;
    if (!parse_integer(attr.integer)) return false;
  }
  attr.type = attr.kind == AttrKind::floating ? builder_.types().scalar(ElementType::f64) : scalar_i64_;
  if (at(TokenKind::colon)) {
    advance();
    if (!parse_type(attr.type)) return false;
    const Type type = builder_.types().get(attr.type);
    if (attr.kind == AttrKind::integer && is_floating(type.element)) {
      attr.kind = AttrKind::floating;
      attr.integer = 0;
    }
  }
  if (attr.kind == AttrKind::floating) attr.text = lexer_.text().substr(first.begin, number.end - first.begin);
  out = builder_.attr_table().intern(attr);
  return true;
}

bool Parser::parse_string(std::string& out) {
  if (!at(TokenKind::string)) return fail_expected("a string");
  out = unescape_mlir(text());
  advance();
  return true;
}

// [1, -2]; the brackets are part of it.
bool Parser::parse_integer_list(IntList& out) {
  if (!expect(TokenKind::left_bracket, "`[` and a list of integers")) return false;
  if (accept(TokenKind::right_bracket)) return true;
  do {
    int64_t value = 0;
    if (at_keyword("true") || at_keyword("false")) {
      value = text() == "true" ? 1 : 0;
      advance();
    } else if (!parse_integer(value)) {
      return false;
    }
    out.push_back(value);
  } while (accept(TokenKind::comma));
  return expect(TokenKind::right_bracket, "`,` or `]` in a list of integers");
}

// @f, @"f g", @module::@f
bool Parser::parse_symbol(AttrId& out) {
  std::string path;
  for (bool first = true;; first = false) {
    if (!at(TokenKind::symbol)) return fail_expected("a symbol such as `@main`");
    const std::string_view part = text().substr(1);
    if (!first) path += "::@";
    path += part.starts_with('"') ? unescape_mlir(part) : std::string(part);
    const uint32_t end = token_.end;
    advance();
    if (lexer_.at(end) != ':' || lexer_.at(end + 1) != ':' || lexer_.at(end + 2) != '@') break;
    seek(end + 2);
  }
  out = builder_.attr_table().symbol(path);
  return true;
}

bool Parser::parse_array(AttrId& out) {
  advance();
  SmallVector<AttrId, 8> elements;
  if (!at(TokenKind::right_bracket)) {
    do {
      AttrId element;
      if (!parse_attribute(element)) return false;
      elements.push_back(element);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` in an array")) return false;
  out = builder_.attr_table().array(elements);
  return true;
}

bool Parser::parse_dictionary(AttrId& out) {
  advance();
  AttrList fields;
  if (!parse_dictionary_entries(fields, /*of_op=*/false)) return false;
  sort_attrs(fields);
  out = builder_.attr_table().dictionary(fields);
  return true;
}

// `a = 1, b, "c d" = "x"}`; `of_op`: the names are those of an op, function or argument, so values become canonical.
bool Parser::parse_dictionary_entries(AttrList& fields, bool of_op) {
  if (accept(TokenKind::right_brace)) return true;
  do {
    StringId name;
    if (at(TokenKind::identifier)) {
      name = builder_.name(text());
      advance();
    } else if (at(TokenKind::string)) {
      name = builder_.name(unescape_mlir(text()));
      advance();
    } else {
      return fail_expected("the name of an attribute");
    }
    AttrId value;
    if (accept(TokenKind::equal)) {
      const uint32_t begin = token_.begin;
      if (!parse_attribute(value)) return false;
      if (of_op && !canonical(name, range(begin, last_end_), value)) return false;
    } else {
      value = builder_.attr_table().unit();
    }
    fields.push_back({name, value});
  } while (accept(TokenKind::comma));
  return expect(TokenKind::right_brace, "`,` or `}` in a list of attributes");
}

bool Parser::parse_attr_dict(AttrList& attrs) {
  if (!accept(TokenKind::left_brace)) return true;
  return parse_dictionary_entries(attrs, /*of_op=*/true);
}

// array<i64: 1, 2>, array<i1: true>, array<f32: 1.0> (the last kept as text)
bool Parser::parse_dense_array(AttrId& out) {
  const Token word = token_;
  const auto close = lexer_.at(word.end) == '<' ? lexer_.skip_angles(word.end) : std::nullopt;
  if (!close) return fail(DiagnosticKind::syntax, range(word), "`array`, expected `array<type: values>`");
  seek(word.end + 1);
  Attr attr;
  attr.kind = AttrKind::dense_array;
  if (!parse_type(attr.type)) return false;
  const Type type = builder_.types().get(attr.type);
  if (!is_integer(type.element) && type.element != ElementType::pred) {
    seek(*close);
    out = builder_.attr_table().opaque(lexer_.text().substr(word.begin, *close - word.begin));
    return true;
  }
  IntList values;
  if (accept(TokenKind::colon)) {
    do {
      int64_t value = 0;
      if (at_keyword("true") || at_keyword("false")) {
        value = text() == "true" ? 1 : 0;
        advance();
      } else if (!parse_integer(value)) {
        return false;
      }
      values.push_back(value);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::greater, "`,` or `>` in an array of integers")) return false;
  attr.integers = values;
  out = builder_.attr_table().intern(attr);
  return true;
}

// dense<0.0> : tensor<f32>, dense<[[1, 2]]> : ..., dense<"0x00FF"> : ..., dense<["a", "b"]> : ..., dense<> : ...
bool Parser::parse_dense(AttrId& out) {
  const Token word = token_;
  const std::string_view all = lexer_.text();
  uint32_t close = word.end;
  if (lexer_.at(close) == '<') {
    for (++close; close < all.size() && all[close] != '>' && all[close] != '<'; ++close) {
      if (all[close] != '"') continue;
      const Token quoted = lexer_.token_at(close);
      if (quoted.kind != TokenKind::string) break;
      close = quoted.end - 1;
    }
  }
  if (lexer_.at(close) != '>')
    return fail(DiagnosticKind::bad_literal, range(word.begin, close), "dense literal without its closing `>`");
  std::string_view literal = all.substr(word.end + 1, close - word.end - 1);
  while (!literal.empty() && (literal.front() == ' ' || literal.front() == '\n')) literal.remove_prefix(1);
  while (!literal.empty() && (literal.back() == ' ' || literal.back() == '\n')) literal.remove_suffix(1);
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = literal.empty() || literal.front() == '[' ? DenseForm::list : DenseForm::splat;
  if (literal.starts_with("\"0x") || literal.starts_with("\"0X")) {
    attr.form = DenseForm::hex;
    literal = literal.substr(3, literal.size() - 4);
  } else if (literal.find('"') != std::string_view::npos) {
    attr.form = DenseForm::string;
  }
  attr.text = literal;
  seek(close + 1);
  if (!expect(TokenKind::colon, "`:` and the type of the dense literal") || !parse_type(attr.type)) return false;
  const Type type = builder_.types().get(attr.type);
  const bool list = attr.form == DenseForm::list || (attr.form == DenseForm::string && literal.front() == '[');
  if (list && type.is_static() && !list_fits(literal, type.dims))
    return fail(DiagnosticKind::bad_literal, range(word.begin, close + 1),
                "this list has not the shape of `" + mlir_text(builder_.types(), attr.type) + "`");
  out = builder_.attr_table().intern(attr);
  return true;
}

bool Parser::parse_dense_resource(AttrId& out) {
  advance();
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::resource;
  if (!expect(TokenKind::less, "`<` and the key of a resource")) return false;
  if (!at(TokenKind::identifier) && !at(TokenKind::string)) return fail_expected("the key of a resource");
  const std::string key = at(TokenKind::string) ? unescape_mlir(text()) : std::string(text());
  attr.text = key;
  advance();
  if (!expect(TokenKind::greater, "`>` behind the key of a resource") ||
      !expect(TokenKind::colon, "`:` and the type of the resource") || !parse_type(attr.type))
    return false;
  out = builder_.attr_table().intern(attr);
  return true;
}

bool Parser::parse_opaque_attribute(AttrId& out) {
  const Token word = token_;
  uint32_t end = word.end;
  if (lexer_.at(end) == '<') {
    const auto close = lexer_.skip_angles(end);
    if (!close) {
      stopped_ = true;  // whatever follows is inside this attribute
      return fail(DiagnosticKind::bad_attribute, range(word), "attribute without its closing `>`");
    }
    end = *close;
  }
  seek(end);
  if (at(TokenKind::colon) && lexer_.text(word) == "sparse") {
    advance();
    TypeId type;
    if (!parse_type(type)) return false;
    end = token_.begin;
    while (end > word.end && lexer_.at(end - 1) == ' ') --end;
  }
  out = builder_.attr_table().opaque(lexer_.text().substr(word.begin, end - word.begin));
  return true;
}

AttrId Parser::int_list(std::span<const int64_t> values) {
  return builder_.attr_table().dense_array(scalar_i64_, values);
}

AttrId Parser::integer_attr(int64_t value, ElementType type) {
  return builder_.attr_table().integer(value, builder_.types().scalar(type));
}

AttrId Parser::enum_attr(std::string_view name, std::string_view value) {
  Attr attr;
  attr.kind = AttrKind::enum_;
  attr.name = name;
  attr.text = value;
  return builder_.attr_table().intern(attr);
}

bool Parser::parse_enum(std::string_view name, AttrId& out) {
  if (!at(TokenKind::identifier)) return fail_expected("an enumerator");
  out = enum_attr(name, text());
  advance();
  return true;
}

bool Parser::canonical(StringId name, SourceRange where, AttrId& value) {
  switch (role_of(name)) {
    case AttrRole::int_list: return canonical_int_list(where, value, /*matrix=*/false);
    case AttrRole::int_matrix: return canonical_int_list(where, value, /*matrix=*/true);
    case AttrRole::tile_sharding: return canonical_tile_sharding(where, value);
    case AttrRole::direction: {
      // The generic form has a number: 0 : i32.
      static constexpr std::string_view kDirections[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
      const Attr attr = builder_.attr_table().get(value);
      if (attr.kind == AttrKind::integer && attr.integer >= 0 && attr.integer < std::ssize(kDirections))
        value = enum_attr("sdy<propagation_direction", kDirections[attr.integer]);
      return true;
    }
    case AttrRole::plain:
    case AttrRole::has_default: return true;
  }
  return true;
}

// dense<[1, 2]> : tensor<2xi64> under a name that StableHLO defines as a list becomes array<i64: 1, 2>; a matrix stays
// dense and gets its flat values. MLIR prints more than 100 values as the hexadecimal digits of their bytes.
bool Parser::canonical_int_list(SourceRange where, AttrId& value, bool matrix) {
  const Attr attr = builder_.attr_table().get(value);
  if (attr.kind != AttrKind::dense || attr.form == DenseForm::resource || attr.form == DenseForm::string) return true;
  const Type type = builder_.types().get(attr.type);
  if (!type.is_static() || type.rank() > 2) return true;
  if (type.element != ElementType::s64 && (type.element != ElementType::pred || attr.form == DenseForm::hex))
    return true;
  const int64_t count = type.element_count();
  if (count == 0 && matrix) return true;  // no values, however it is spelled
  IntList values;
  const bool fine = attr.form == DenseForm::hex ? hex_integers(attr.text, values) : flat_integers(attr.text, values);
  if (!fine) return fail(DiagnosticKind::bad_literal, where, "dense literal that is no list of integers");
  if (attr.form != DenseForm::list && values.size() == 1) {
    if (count > kMaxSplat)
      return fail(DiagnosticKind::bad_attribute, where, "list of " + std::to_string(count) + " integers");
    values.assign(static_cast<size_t>(count), values[0]);
  }
  if (static_cast<int64_t>(values.size()) != count)
    return fail(DiagnosticKind::bad_literal, where,
                plural(values.size(), "value") + " in a dense literal of " + std::to_string(count));
  if (!matrix && type.rank() <= 1) {
    value = builder_.attr_table().dense_array(builder_.types().scalar(type.element), values);
    return true;
  }
  value = int_matrix(values, type.rank() == 2 ? type.dims[1] : 1, attr.type);
  return true;
}

// A dense literal in the one spelling that MLIR prints for these values: a splat when all are the same.
AttrId Parser::int_matrix(std::span<const int64_t> values, int64_t columns, TypeId type) {
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.type = type;
  attr.integers = values;
  std::string text;
  if (!values.empty() && std::ranges::all_of(values, [&](int64_t v) { return v == values[0]; })) {
    attr.form = DenseForm::splat;
    text = std::to_string(values[0]);
  } else {
    attr.form = DenseForm::list;
    const Type shape = builder_.types().get(type);
    for (size_t i = 0; i < values.size(); ++i) {
      const bool first = columns > 0 && static_cast<int64_t>(i) % columns == 0;
      if (i > 0) text += first && shape.rank() == 2 ? "], " : ", ";
      if (first && shape.rank() == 2) text += '[';
      text += std::to_string(values[i]);
    }
    if (!values.empty()) text = "[" + text + (shape.rank() == 2 ? "]]" : "]");
  }
  attr.text = text;
  return builder_.attr_table().intern(attr);
}

}  // namespace sw::mlir
