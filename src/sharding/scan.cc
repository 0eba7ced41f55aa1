#include "sharding/scan.h"

#include <fmt/format.h>

#include "base/checked_math.h"

namespace sw {

namespace {
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
constexpr size_t kSeenLimit = 24;
}  // namespace

TextCursor TextCursor::of_file(const SourceManager& sources, FileId file, size_t offset) {
  const std::string_view text = sources.text(file);
  return {text, offset, {file, 0, static_cast<uint32_t>(text.size())}};
}

TextCursor TextCursor::of_range(const SourceManager& sources, SourceRange range) {
  return {sources.text(range), 0, range};
}

SourceRange TextCursor::range(size_t begin, size_t end) const {
  if (!where.valid() || where.end - where.begin != text.size()) return where;
  return {where.file, where.begin + static_cast<uint32_t>(begin), where.begin + static_cast<uint32_t>(end)};
}

bool TextCursor::at_end() const {
  for (size_t i = at; i < text.size(); ++i)
    if (!is_space(text[i])) return false;
  return true;
}

void Scan::skip_space() {
  const std::string_view text = in_.text;
  while (in_.at < text.size()) {
    const char c = text[in_.at];
    if (is_space(c)) {
      ++in_.at;
    } else if (c == '/' && in_.at + 1 < text.size() && text[in_.at + 1] == '/') {
      const size_t end = text.find('\n', in_.at);
      in_.at = end == std::string_view::npos ? text.size() : end;
    } else if (c == '/' && in_.at + 1 < text.size() && text[in_.at + 1] == '*') {
      const size_t end = text.find("*/", in_.at + 2);
      in_.at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      return;
    }
  }
}

char Scan::peek() {
  skip_space();
  return in_.at < in_.text.size() ? in_.text[in_.at] : '\0';
}

bool Scan::eat(char c) {
  if (peek() != c || in_.at >= in_.text.size()) return false;
  ++in_.at;
  return true;
}

bool Scan::peek_word(std::string_view word) {
  skip_space();
  if (in_.text.substr(in_.at, word.size()) != word) return false;
  const size_t next = in_.at + word.size();
  return next >= in_.text.size() || !(is_letter(in_.text[next]) || is_digit(in_.text[next]));
}

bool Scan::eat_word(std::string_view word) {
  if (!peek_word(word)) return false;
  in_.at += word.size();
  return true;
}

bool Scan::eat_text(std::string_view text) {
  skip_space();
  if (in_.text.substr(in_.at, text.size()) != text) return false;
  in_.at += text.size();
  return true;
}

bool Scan::expect(char c, std::string_view context) {
  if (eat(c)) return true;
  return fail(fmt::format("`{}` {}", c, context));
}

std::optional<int64_t> Scan::integer(std::string_view what, bool allow_negative) {
  const size_t begin = here();
  size_t at = begin;
  const std::string_view text = in_.text;
  const bool negative = allow_negative && at < text.size() && text[at] == '-';
  if (negative) ++at;
  const size_t digits = at;
  std::optional<int64_t> value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (value) value = checked_mul(*value, 10);
    if (value) value = checked_add(*value, text[at] - '0');
  }
  if (at == digits) {
    fail(what);
    return std::nullopt;
  }
  in_.at = at;
  if (!value) {
    fail_at(DiagnosticKind::bad_literal, begin, at, fmt::format("{} does not fit in 64 bits", what));
    return std::nullopt;
  }
  return negative ? -*value : *value;
}

std::string_view Scan::identifier(std::string_view extra) {
  const size_t begin = here();
  const std::string_view text = in_.text;
  if (begin >= text.size() || !is_letter(text[begin])) return {};
  size_t at = begin + 1;
  while (at < text.size() &&
         (is_letter(text[at]) || is_digit(text[at]) || extra.find(text[at]) != std::string_view::npos))
    ++at;
  in_.at = at;
  return text.substr(begin, at - begin);
}

std::optional<std::string> Scan::quoted(std::string_view what) {
  const char quote = peek();
  if (quote != '"' && quote != '\'') {
    fail(what);
    return std::nullopt;
  }
  const std::string_view text = in_.text;
  const size_t begin = in_.at;
  std::string out;
  for (size_t at = begin + 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == quote) {
      in_.at = at + 1;
      return out;
    }
    if (c == '\n') break;
    if (c != '\\' || at + 1 >= text.size()) {
      out += c;
      continue;
    }
    const char next = text[++at];
    if (at + 1 < text.size() && hex_value(next) >= 0 && hex_value(text[at + 1]) >= 0) {
      out += static_cast<char>(hex_value(next) * 16 + hex_value(text[at + 1]));
      ++at;
    } else if (next == 'n' || next == 't') {
      out += next == 'n' ? '\n' : '\t';
    } else {
      out += next;
    }
  }
  in_.at = text.size();
  fail_at(DiagnosticKind::syntax, begin, begin + 1, fmt::format("this string is not closed, expected `{}`", quote));
  return std::nullopt;
}

bool Scan::fail(std::string_view expected) {
  const size_t begin = here();
  const std::string_view text = in_.text;
  if (begin >= text.size()) {
    return fail_at(DiagnosticKind::syntax, text.size(), text.size(),
                   fmt::format("expected {}, found the end", expected));
  }
  size_t end = begin + 1;
  if (is_letter(text[begin]) || is_digit(text[begin]))
    while (end < text.size() && end - begin < kSeenLimit && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;  // a whole code point
  return fail_at(DiagnosticKind::syntax, begin, end,
                 fmt::format("expected {}, found `{}`", expected, text.substr(begin, end - begin)));
}

bool Scan::fail_at(DiagnosticKind kind, size_t begin, size_t end, std::string message) {
  diagnostics_.report(kind, in_.range(begin, end), std::move(message));
  return false;
}

}  // namespace sw
