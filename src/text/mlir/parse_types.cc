// Types. A tensor type is looked up by its source text first; the text is parsed only when it is new.
#include <array>

#include "base/checked_math.h"
#include "base/edit_distance.h"
#include "base/hash.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

namespace {

constexpr std::string_view kElementSpellings[] = {
#define SW_ELEMENT_TYPE(kind, mlir, hlo, bits) mlir,
#include "ir/element_types.def"
#undef SW_ELEMENT_TYPE
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Where the first comma outside of brackets stands; npos: there is none.
size_t top_level_comma(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '<':
      case '(':
      case '[':
      case '{': ++depth; break;
      case '>':
        if (i > 0 && text[i - 1] == '-') break;
        --depth;
        break;
      case ')':
      case ']':
      case '}': --depth; break;
      case ',':
        if (depth == 0) return i;
        break;
      default: break;
    }
  }
  return std::string_view::npos;
}

}  // namespace

bool Parser::parse_type(TypeId& out) {
  const Level level(*this);
  if (!level.fine) return false;
  if (at(TokenKind::left_paren)) return parse_function_type(out);
  if (at(TokenKind::type_name)) return parse_dialect_type(out);
  if (!at(TokenKind::identifier)) return fail_expected("a type");
  const std::string_view word = text();
  if (word == "tensor") return parse_tensor_type(out);
  if (word == "tuple") return parse_tuple_type(out);
  if (word == "vector" || word == "memref" || word == "none") return parse_opaque_type(out);
  uint32_t end = token_.end;
  if (lexer_.at(end) == '<') {
    const auto close = lexer_.skip_angles(end);
    if (!close) return fail(DiagnosticKind::bad_type, range(token_), "type without its closing `>`");
    end = *close;
  }
  ElementType element = ElementType::other;
  std::string element_text;
  if (!parse_element(lexer_.text().substr(token_.begin, end - token_.begin), token_.begin, element, element_text))
    return false;
  out = builder_.types().scalar(element);
  seek(end);
  return true;
}

bool Parser::parse_tensor_type(TypeId& out) {
  const uint32_t begin = token_.begin;
  if (lexer_.at(token_.end) != '<') {
    advance();
    return fail_expected("`<` after `tensor`");
  }
  const auto close = lexer_.skip_angles(token_.end);
  if (!close) {
    stopped_ = true;  // whatever follows is inside this type
    return fail(DiagnosticKind::bad_type, range(begin, token_.end), "type without its closing `>`");
  }
  const std::string_view spelling = lexer_.text().substr(begin, *close - begin);
  const uint64_t hash = hash_bytes(spelling);
  const uint32_t known = types_.find(spelling, hash);
  if (known != TextMemo::kMissing) {
    out = TypeId{known};
  } else {
    const uint32_t body = token_.end + 1;
    if (!parse_tensor_body(lexer_.text().substr(body, *close - 1 - body), body, out)) return false;
    types_.add(spelling, hash, out.raw);
  }
  seek(*close);
  return true;
}

// The text between the angles: `4x?xf32`, `*xf32`, `2xcomplex<f32>, #stablehlo.bounds<2>`.
bool Parser::parse_tensor_body(std::string_view body, uint32_t offset, TypeId& out) {
  SmallVector<int64_t, 8> dims;
  const auto end = static_cast<uint32_t>(offset + body.size());
  size_t i = 0;
  const auto skip_blanks = [&] {
    while (i < body.size() && (body[i] == ' ' || body[i] == '\n')) ++i;
  };
  skip_blanks();
  const bool unranked = body.substr(i, 2) == "*x";
  if (unranked) i += 2;
  for (skip_blanks(); i < body.size() && !unranked; skip_blanks()) {
    if (body[i] == '?') {
      dims.push_back(kDynamic);
      ++i;
    } else if (is_digit(body[i])) {
      const size_t first = i;
      int64_t extent = 0;
      for (; i < body.size() && is_digit(body[i]); ++i) {
        const auto shifted = checked_mul(extent, 10);
        const auto next = shifted ? checked_add(*shifted, body[i] - '0') : std::nullopt;
        if (!next)
          return fail(DiagnosticKind::bad_type, range(offset + static_cast<uint32_t>(first), end),
                      "extent does not fit into 64 bits");
        extent = *next;
      }
      dims.push_back(extent);
    } else {
      break;
    }
    if (i >= body.size() || body[i] != 'x')
      return fail(DiagnosticKind::bad_type, range(offset + static_cast<uint32_t>(i), end),
                  "expected `x` and then the next extent or the element type");
    ++i;
  }
  const std::string_view rest = body.substr(std::min(i, body.size()));
  const size_t comma = top_level_comma(rest);
  const std::string_view spelling = trimmed(rest.substr(0, comma));
  ElementType element = ElementType::other;
  std::string element_text;
  if (!parse_element(spelling, offset + static_cast<uint32_t>(i), element, element_text)) return false;
  if (unranked) {
    out = builder_.types().unranked(element);
    return true;
  }
  std::string_view encoding;
  if (comma != std::string_view::npos) {
    encoding = trimmed(rest.substr(comma + 1));
    const auto alias = aliases_.find(encoding);
    if (alias != aliases_.end()) {
      const Token value = lexer_.token_at(alias->second.begin);
      const bool angles = lexer_.at(value.end) == '<';
      const uint32_t close = angles ? lexer_.skip_angles(value.end).value_or(value.end) : value.end;
      encoding = lexer_.text().substr(value.begin, close - value.begin);
    }
  }
  out = builder_.types().tensor(element, dims, encoding, element_text);
  return true;
}

bool Parser::parse_element(std::string_view text, uint32_t offset, ElementType& element, std::string& element_text) {
  if (parse_mlir_element(text, element)) return true;
  const auto end = static_cast<uint32_t>(offset + text.size());
  if (text.starts_with('!')) {
    const auto alias = aliases_.find(text);
    if (alias != aliases_.end()) {
      const Token value = lexer_.token_at(alias->second.begin);
      const bool angles = lexer_.at(value.end) == '<';
      const uint32_t close = angles ? lexer_.skip_angles(value.end).value_or(value.end) : value.end;
      text = lexer_.text().substr(value.begin, close - value.begin);
    }
    element = text.starts_with("!quant.uniform") ? ElementType::quantized : ElementType::other;
    element_text = text;
    return true;
  }
  if (text.empty()) return fail(DiagnosticKind::bad_type, range(offset, end), "the element type is missing");
  auto message = report(DiagnosticKind::bad_type, range(offset, end),
                        "`" + std::string(text.substr(0, 40)) + "` is not an element type");
  const std::string_view near = nearest_name(text, kElementSpellings);
  if (!near.empty()) message.help("did you mean `" + std::string(near) + "`?");
  return false;
}

bool Parser::parse_dialect_type(TypeId& out) {
  if (Alias* alias = alias_named(token_)) {
    if (alias->state == 1)
      return fail(DiagnosticKind::bad_type, range(token_), "`" + std::string(text()) + "` stands for itself");
    if (alias->state == 0) {
      const Token here = token_;
      const int braces = braces_;
      alias->state = 1;
      seek(alias->begin);
      TypeId type;
      const bool fine = parse_type(type);
      alias->state = fine ? 2 : 3;
      alias->value = type.raw;
      token_ = here;
      braces_ = braces;
    }
    if (alias->state == 3) return false;
    out = TypeId{alias->value};
    advance();
    return true;
  }
  const std::string_view word = text();
  if (word == "!stablehlo.token" || word == "!mhlo.token") {
    out = builder_.types().token();
    advance();
    return true;
  }
  if (word.find('.') == std::string_view::npos && lexer_.at(token_.end) != '<')
    return fail(DiagnosticKind::unknown_name, range(token_), "type alias `" + std::string(word) + "` is not defined");
  return parse_opaque_type(out);
}

// A type that is kept as spelled: `vector<4xf32>`, `!quant.uniform<i8:f32, 2.0>`, `!stablehlo.future<...>`.
bool Parser::parse_opaque_type(TypeId& out) {
  uint32_t end = token_.end;
  if (lexer_.at(end) == '<') {
    const auto close = lexer_.skip_angles(end);
    if (!close) {
      stopped_ = true;
      return fail(DiagnosticKind::bad_type, range(token_), "type without its closing `>`");
    }
    end = *close;
  }
  out = builder_.types().opaque(lexer_.text().substr(token_.begin, end - token_.begin));
  seek(end);
  return true;
}

bool Parser::parse_tuple_type(TypeId& out) {
  advance();
  TypeList elements;
  if (!expect(TokenKind::less, "`<` after `tuple`")) return false;
  if (!at(TokenKind::greater) && !parse_type_list(elements)) return false;
  if (!expect(TokenKind::greater, "`,` or `>` in a tuple type")) return false;
  out = builder_.types().tuple(elements);
  return true;
}

bool Parser::parse_function_type(TypeId& out) {
  TypeList inputs, results;
  if (!parse_paren_type_list(inputs) || !expect(TokenKind::arrow, "`->` in a function type") ||
      !parse_result_types(results))
    return false;
  out = builder_.types().function(inputs, results);
  return true;
}

bool Parser::parse_type_list(TypeList& types) {
  do {
    TypeId type;
    if (!parse_type(type)) return false;
    types.push_back(type);
  } while (accept(TokenKind::comma));
  return true;
}

bool Parser::parse_paren_type_list(TypeList& types) {
  if (!expect(TokenKind::left_paren, "`(` and a list of types")) return false;
  if (accept(TokenKind::right_paren)) return true;
  return parse_type_list(types) && expect(TokenKind::right_paren, "`,` or `)` in a list of types");
}

// `T`, `(T, U)`, `()`. A single result that is itself a function type stands in parentheses.
bool Parser::parse_result_types(TypeList& types) {
  if (at(TokenKind::left_paren)) return parse_paren_type_list(types);
  TypeId type;
  if (!parse_type(type)) return false;
  types.push_back(type);
  return true;
}

}  // namespace sw::mlir
