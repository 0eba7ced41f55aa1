// The scanner that the sharding parsers share: one byte of lookahead over a TextCursor, white space and // and /* */
// comments skipped, every failure reported once with what was seen and what was expected. Not a public header.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sharding/text.h"

namespace sw {

class Scan {
 public:
  Scan(TextCursor& in, Diagnostics& diagnostics) : in_(in), diagnostics_(diagnostics) {}

  Diagnostics& diagnostics() { return diagnostics_; }
  void skip_space();
  // Offset of the next token.
  size_t here() {
    skip_space();
    return in_.at;
  }
  // Back to an offset that here() gave.
  void rewind(size_t at) { in_.at = at; }
  SourceRange range(size_t begin, size_t end) const { return in_.range(begin, end); }
  SourceRange range_from(size_t begin) const { return in_.range(begin, in_.at); }

  // The next byte after white space; 0 at the end.
  char peek();
  bool eat(char c);
  // The bytes of `word` come next, and no letter, digit or underscore after it.
  bool peek_word(std::string_view word);
  bool eat_word(std::string_view word);
  // Exactly these bytes (`<=`, `#sdy.sharding`).
  bool eat_text(std::string_view text);
  // eat, or reports "expected `c` <context>, found ...".
  bool expect(char c, std::string_view context);

  // A decimal integer, with an optional sign where `allow_negative`. Reports what is not one, or does not fit.
  std::optional<int64_t> integer(std::string_view what, bool allow_negative = false);
  // A letter or underscore, then letters, digits, and the bytes in `extra`. Empty (and nothing reported) when there is
  // none.
  std::string_view identifier(std::string_view extra = "_");
  // "..." or '...', with MLIR's escapes (\\ \" \n \t \0A) undone.
  std::optional<std::string> quoted(std::string_view what);

  // Always false, so that it can be returned.
  bool fail(std::string_view expected);
  bool fail_at(DiagnosticKind kind, size_t begin, size_t end, std::string message);

 private:
  TextCursor& in_;
  Diagnostics& diagnostics_;
};

}  // namespace sw
