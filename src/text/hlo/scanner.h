// Cursor over HLO text: white space and comments, names, numbers, quoted strings, balanced groups. No token list is
// made; the parser asks for what the grammar allows next, so a module is read in one pass over its bytes.
//
// Invariant: position() <= end of the text; every function either consumes what it returns or leaves the cursor alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "source/source_manager.h"

namespace sw::hlo {

class Scanner {
 public:
  Scanner(FileId file, std::string_view text) : file_(file), text_(text) {}

  // Skips spaces, line breaks, `/* */` and `//` comments. An unterminated comment runs to the end.
  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '/' && !skip_comment()) {
        return;
      } else if (c != '/') {
        return;
      }
    }
  }
  // The next character after white space, 0 at the end.
  char peek() {
    skip_space();
    return raw_peek();
  }
  char raw_peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool at_end() { return peek() == '\0' && at_ >= text_.size(); }
  // Consumes `c` (after white space) if it is next.
  bool eat(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool eat(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += static_cast<uint32_t>(word.size());
    return true;
  }
  // Consumes the keyword if it is next and not part of a longer name.
  bool eat_keyword(std::string_view word);
  // [A-Za-z_][A-Za-z0-9_.-]*, empty when something else is next.
  std::string_view identifier();
  // Any run of letters, digits and `_ . - ? : +`: words that are not names (patterns, numbers).
  std::string_view word();
  // [-]?[0-9]+ within int64_t; values from 2^63 to 2^64-1 wrap as XLA's do. False: no number, or too large.
  bool integer(int64_t& out);
  // "..." or '...', C-escaped; false when none is next or it is not closed.
  bool quoted(std::string& out);
  // The text of a group from its opening bracket to the matching closing one, strings inside respected; empty when it
  // is not closed or brackets do not match. Nesting may be as deep as the text is long.
  std::string_view group();
  // A value whose grammar is not looked into: up to a comma or white space at depth 0, groups and strings included.
  std::string_view raw_value();

  uint32_t position() const { return at_; }
  void reset(uint32_t position) { at_ = position; }
  std::string_view text() const { return text_; }
  std::string_view text(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
  SourceRange range(uint32_t begin, uint32_t end) const { return {file_, begin, end}; }
  SourceRange range(std::string_view part) const {
    const auto begin = static_cast<uint32_t>(part.data() - text_.data());
    return {file_, begin, begin + static_cast<uint32_t>(part.size())};
  }
  // Whether so much of the text has been searched in vain for the ends of strings and groups that it is better to stop.
  bool exhausted() const { return wasted_ / 8 > text_.size(); }
  // The token at the cursor, for messages: a word, a string, one character; `end of file` at the end.
  SourceRange token_range();
  std::string token_for_message();
  // Moves to the line after the cursor's.
  void skip_line();
  // Nothing but white space stands before the cursor on its line.
  bool at_line_start() const;

 private:
  bool skip_comment();
  size_t end_of_string(size_t at);

  FileId file_;
  std::string_view text_;
  uint32_t at_ = 0;
  // Bytes looked at for ends that were not there. A search that fails has seen all the rest of the text, so that
  // without a bound a text of many such places would take quadratic time.
  uint64_t wasted_ = 0;
};

inline bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name_char(char c) { return is_name_start(c) || is_digit(c) || c == '.' || c == '-'; }

}  // namespace sw::hlo
