#include "text/lexer.h"

#include <array>
#include <cstring>

namespace sw {

namespace {

enum CharClass : uint8_t { kOther = 0, kBlank = 1, kLetter = 2, kDigit = 4, kPunctuation = 8 };

// Letters are what an identifier may hold besides digits: [A-Za-z$._-] less `$` and `-` at its start.
constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (const char c : std::string_view(" \t\n\r\v\f")) classes[static_cast<uint8_t>(c)] = kBlank;
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit;
  for (const char c : std::string_view("_")) classes[static_cast<uint8_t>(c)] = kLetter;
  for (const char c : std::string_view("%@^#!\"-:,=(){}[]<>?*+|/")) classes[static_cast<uint8_t>(c)] = kPunctuation;
  return classes;
}();

bool is(char c, uint8_t classes) { return (kClasses[static_cast<uint8_t>(c)] & classes) != 0; }
bool in_identifier(char c) { return is(c, kLetter | kDigit) || c == '.' || c == '$'; }
bool in_suffix(char c) { return in_identifier(c) || c == '-'; }
bool is_hex(char c) { return is(c, kDigit) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int hex_value(char c) { return is(c, kDigit) ? c - '0' : (c | 0x20) - 'a' + 10; }

TokenKind single(char c) {
  switch (c) {
    case ':': return TokenKind::colon;
    case ',': return TokenKind::comma;
    case '=': return TokenKind::equal;
    case '(': return TokenKind::left_paren;
    case ')': return TokenKind::right_paren;
    case '{': return TokenKind::left_brace;
    case '}': return TokenKind::right_brace;
    case '[': return TokenKind::left_bracket;
    case ']': return TokenKind::right_bracket;
    case '<': return TokenKind::less;
    case '>': return TokenKind::greater;
    case '?': return TokenKind::question;
    case '*': return TokenKind::star;
    case '+': return TokenKind::plus;
    case '|': return TokenKind::bar;
    case '/': return TokenKind::slash;
    default: return TokenKind::bad_character;
  }
}

}  // namespace

uint32_t Lexer::skip_blanks(uint32_t at) const {
  const auto end = static_cast<uint32_t>(text_.size());
  while (at < end) {
    if (is(text_[at], kBlank)) {
      ++at;
    } else if (text_[at] == '/' && this->at(at + 1) == '/') {
      const void* line_end = std::memchr(text_.data() + at, '\n', end - at);
      at = line_end == nullptr ? end : static_cast<uint32_t>(static_cast<const char*>(line_end) - text_.data());
    } else {
      break;
    }
  }
  return at;
}

uint32_t Lexer::string_end(uint32_t open) const {
  for (auto at = open + 1; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '"') return at + 1;
    if (c == '\n') return 0;
    if (c == '\\') ++at;
  }
  return 0;
}

Token Lexer::number(uint32_t begin) const {
  uint32_t at = begin + 1;
  if (text_[begin] == '0' && this->at(at) == 'x' && is_hex(this->at(at + 1))) {
    for (++at; is_hex(this->at(at));) ++at;
    return {TokenKind::integer, begin, at};
  }
  while (is(this->at(at), kDigit)) ++at;
  if (this->at(at) != '.') return {TokenKind::integer, begin, at};
  for (++at; is(this->at(at), kDigit);) ++at;
  if ((this->at(at) | 0x20) == 'e') {
    uint32_t digits = at + 1;
    if (this->at(digits) == '+' || this->at(digits) == '-') ++digits;
    if (is(this->at(digits), kDigit)) {
      while (is(this->at(digits), kDigit)) ++digits;
      at = digits;
    }
  }
  return {TokenKind::floating, begin, at};
}

Token Lexer::prefixed(TokenKind kind, uint32_t begin) const {
  uint32_t at = begin + 1;
  if (kind == TokenKind::symbol && this->at(at) == '"') {
    const uint32_t end = string_end(at);
    if (end == 0) return {TokenKind::unterminated_string, at, at + 1};
    return {kind, begin, end};
  }
  if (is(this->at(at), kDigit) && kind != TokenKind::symbol) {
    while (is(this->at(at), kDigit)) ++at;
    return {kind, begin, at};
  }
  const bool dashes = kind == TokenKind::value || kind == TokenKind::block_label;
  while (dashes ? in_suffix(this->at(at)) : in_identifier(this->at(at))) ++at;
  if (at == begin + 1) return {TokenKind::bad_character, begin, at};
  return {kind, begin, at};
}

Token Lexer::token_at(uint32_t offset) const {
  const uint32_t begin = skip_blanks(offset);
  if (begin >= text_.size())
    return {TokenKind::end, static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(text_.size())};
  const char c = text_[begin];
  if (is(c, kLetter)) {
    uint32_t at = begin + 1;
    while (in_identifier(this->at(at))) ++at;
    return {TokenKind::identifier, begin, at};
  }
  if (is(c, kDigit)) return number(begin);
  switch (c) {
    case '%': return prefixed(TokenKind::value, begin);
    case '@': return prefixed(TokenKind::symbol, begin);
    case '^': return prefixed(TokenKind::block_label, begin);
    case '!': return prefixed(TokenKind::type_name, begin);
    case '#':
      if (at(begin + 1) == '-' && at(begin + 2) == '}') return {TokenKind::resources_end, begin, begin + 3};
      return prefixed(TokenKind::attr_name, begin);
    case '"': {
      const uint32_t end = string_end(begin);
      if (end == 0) return {TokenKind::unterminated_string, begin, begin + 1};
      return {TokenKind::string, begin, end};
    }
    case '-':
      if (at(begin + 1) == '>') return {TokenKind::arrow, begin, begin + 2};
      return {TokenKind::minus, begin, begin + 1};
    case '{':
      if (at(begin + 1) == '-' && at(begin + 2) == '#') return {TokenKind::resources_begin, begin, begin + 3};
      break;
    default: break;
  }
  const TokenKind kind = single(c);
  if (kind != TokenKind::bad_character) return {kind, begin, begin + 1};
  uint32_t end = begin + 1;
  while (end < text_.size() && kClasses[static_cast<uint8_t>(text_[end])] == kOther) ++end;
  return {kind, begin, end};
}

std::optional<uint32_t> Lexer::skip_angles(uint32_t open) const {
  uint32_t depth = 0;
  for (uint32_t at = open; at < text_.size(); ++at) {
    switch (text_[at]) {
      case '<': ++depth; break;
      case '>':
        if (text_[at - 1] == '-') break;
        if (--depth == 0) return at + 1;
        break;
      case '"': {
        const uint32_t end = string_end(at);
        if (end == 0) return std::nullopt;
        at = end - 1;
        break;
      }
      default: break;
    }
  }
  return std::nullopt;
}

bool Lexer::starts_line(uint32_t offset) const {
  while (offset > 0 && (text_[offset - 1] == ' ' || text_[offset - 1] == '\t')) --offset;
  return offset == 0 || text_[offset - 1] == '\n' || text_[offset - 1] == '\r';
}

std::string unescape_mlir(std::string_view quoted) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    if (next == 'n') {
      out += '\n';
    } else if (next == 't') {
      out += '\t';
    } else if (i + 1 < text.size() && is_hex(next) && is_hex(text[i + 1])) {
      out += static_cast<char>(hex_value(next) * 16 + hex_value(text[i + 1]));
      ++i;
    } else {
      out += next;
    }
  }
  return out;
}

std::string escape_mlir(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c >= ' ' && c <= '~' && c != '"') {
      out += c;
    } else {
      out += '\\';
      out += kHex[static_cast<uint8_t>(c) >> 4];
      out += kHex[static_cast<uint8_t>(c) & 15];
    }
  }
  return out + '"';
}

}  // namespace sw
