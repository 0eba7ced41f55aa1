#include "text/hlo/scanner.h"

#include <vector>

namespace sw::hlo {

bool Scanner::skip_comment() {
  if (raw_peek(1) == '*') {
    const size_t end = text_.find("*/", at_ + 2);
    at_ = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end + 2);
    return true;
  }
  if (raw_peek(1) == '/') {
    const size_t end = text_.find('\n', at_);
    at_ = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end);
    return true;
  }
  return false;
}

bool Scanner::eat_keyword(std::string_view word) {
  skip_space();
  if (!text_.substr(at_).starts_with(word) || is_name_char(raw_peek(word.size()))) return false;
  at_ += static_cast<uint32_t>(word.size());
  return true;
}

std::string_view Scanner::identifier() {
  skip_space();
  if (!is_name_start(raw_peek())) return {};
  const uint32_t begin = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  return text(begin, at_);
}

std::string_view Scanner::word() {
  skip_space();
  const uint32_t begin = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (!is_name_char(c) && c != '?' && c != ':' && c != '+') break;
    ++at_;
  }
  return text(begin, at_);
}

bool Scanner::integer(int64_t& out) {
  skip_space();
  uint32_t at = at_;
  const bool negative = raw_peek() == '-';
  if (negative) ++at;
  if (at >= text_.size() || !is_digit(text_[at])) return false;
  uint64_t value = 0;
  for (; at < text_.size() && is_digit(text_[at]); ++at) {
    if (__builtin_mul_overflow(value, uint64_t{10}, &value)) return false;
    if (__builtin_add_overflow(value, static_cast<uint64_t>(text_[at] - '0'), &value)) return false;
  }
  if (negative && value > (uint64_t{1} << 63)) return false;
  out = static_cast<int64_t>(negative ? 0 - value : value);
  at_ = at;
  return true;
}

namespace {

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Appends what the escape at text[at] (after the backslash) stands for; moves `at` behind it.
void append_escape(std::string_view text, size_t& at, std::string& out) {
  const char c = text[at++];
  switch (c) {
    case 'n': out += '\n'; return;
    case 't': out += '\t'; return;
    case 'r': out += '\r'; return;
    case 'a': out += '\a'; return;
    case 'b': out += '\b'; return;
    case 'f': out += '\f'; return;
    case 'v': out += '\v'; return;
    case 'x': {
      int value = 0;
      for (int digit = 0; at < text.size() && (digit = hex_digit(text[at])) >= 0; ++at)
        value = (value * 16 + digit) & 255;
      out += static_cast<char>(value);
      return;
    }
    default: break;
  }
  if (c < '0' || c > '7') {
    out += c;
    return;
  }
  int value = c - '0';
  for (int i = 0; i < 2 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i)
    value = value * 8 + text[at++] - '0';
  out += static_cast<char>(value);
}

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

// The position behind the string that opens at `at`, or npos when it is not closed.
size_t Scanner::end_of_string(size_t at) {
  const size_t begin = at;
  const char quote = text_[at++];
  for (; at < text_.size(); ++at) {
    if (text_[at] == '\\') {
      ++at;
    } else if (text_[at] == quote) {
      return at + 1;
    }
  }
  wasted_ += text_.size() - begin;
  return std::string_view::npos;
}

bool Scanner::quoted(std::string& out) {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return false;
  const size_t end = end_of_string(at_);
  if (end == std::string_view::npos) return false;
  const std::string_view body = text_.substr(at_ + 1, end - at_ - 2);
  out.clear();
  out.reserve(body.size());
  for (size_t at = 0; at < body.size();) {
    const size_t stop = std::min(body.find('\\', at), body.size());
    out.append(body, at, stop - at);
    at = stop + 1;
    if (stop < body.size()) append_escape(body, at, out);
  }
  at_ = static_cast<uint32_t>(end);
  return true;
}

std::string_view Scanner::group() {
  const char open = peek();
  if (open != '(' && open != '[' && open != '{') return {};
  std::string wanted;
  size_t at = at_;
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '"') {
      at = end_of_string(at);
      if (at == std::string_view::npos) return {};
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      wanted += closing(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (wanted.back() != c) {
        wasted_ += at - at_;
        return {};
      }
      wanted.pop_back();
    }
    ++at;
    if (wanted.empty()) break;
  }
  if (!wanted.empty()) {
    wasted_ += text_.size() - at_;
    return {};
  }
  const std::string_view result = text_.substr(at_, at - at_);
  at_ = static_cast<uint32_t>(at);
  return result;
}

std::string_view Scanner::raw_value() {
  skip_space();
  const uint32_t begin = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ')' || c == ']' || c == '}') break;
    if (c == '{' || c == '(' || c == '[') {
      if (group().empty()) break;
    } else if (c == '"') {
      const size_t end = end_of_string(at_);
      if (end == std::string_view::npos) break;
      at_ = static_cast<uint32_t>(end);
    } else {
      ++at_;
    }
  }
  return text(begin, at_);
}

SourceRange Scanner::token_range() {
  skip_space();
  const uint32_t begin = at_;
  uint32_t end = begin;
  if (end < text_.size() && (text_[end] == '%' || is_name_char(text_[end]))) {
    ++end;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
  } else if (end < text_.size()) {
    ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  }
  return range(begin, end);
}

std::string Scanner::token_for_message() {
  const SourceRange where = token_range();
  if (where.begin == where.end) return "end of file";
  std::string_view token = text(where.begin, where.end);
  if (token.size() > 40) token = token.substr(0, 40);
  return "`" + std::string(token) + "`";
}

bool Scanner::at_line_start() const {
  for (size_t at = at_; at > 0 && text_[at - 1] != '\n'; --at)
    if (text_[at - 1] != ' ' && text_[at - 1] != '\t') return false;
  return true;
}

void Scanner::skip_line() {
  const size_t end = text_.find('\n', at_);
  at_ = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end + 1);
}

}  // namespace sw::hlo
