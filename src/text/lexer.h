// Tokens of MLIR text. A hand-written scanner over the buffer: a token is a kind and two offsets, nothing is copied or
// allocated. Types, dense literals and attributes of unknown dialects are not tokenized; the parser skips them as whole
// pieces of text with `skip_angles` and looks them up by their spelling.
//
// Invariant: the scanner never reads at or past the end of the buffer, whatever bytes the buffer holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sw {

enum class TokenKind : uint8_t {
  end,
  bad_character,  // a run of bytes that start no token
  unterminated_string,
  identifier,   // add, stablehlo.add, i32, cond
  value,        // %0, %arg1 (a result number `#1` after it is not part of the token)
  symbol,       // @main, @"a b"
  block_label,  // ^bb0
  attr_name,    // #loc1, #sdy.sharding
  type_name,    // !alias, !stablehlo.token
  integer,      // 12, 0x1F; a sign is a token of its own
  floating,     // 1.0, 2.5e-3
  string,       // "..." with its quotes
  arrow,
  colon,
  comma,
  equal,
  left_paren,
  right_paren,
  left_brace,
  right_brace,
  left_bracket,
  right_bracket,
  less,
  greater,
  question,
  star,
  plus,
  minus,
  bar,
  slash,
  resources_begin,  // {-#
  resources_end,    // #-}
};

struct Token {
  TokenKind kind = TokenKind::end;
  uint32_t begin = 0;
  uint32_t end = 0;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // The first token at or after `offset`, behind white space and `//` comments.
  Token token_at(uint32_t offset) const;

  std::string_view text() const { return text_; }
  std::string_view text(Token token) const { return text_.substr(token.begin, token.end - token.begin); }
  // The byte at `offset`; NUL at and past the end.
  char at(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  // With `open` the offset of a `<`: the offset behind the `>` that closes it, or nothing when there is none before the
  // end of the text. Strings and `->` are passed over; other brackets may nest inside in any way.
  std::optional<uint32_t> skip_angles(uint32_t open) const;
  // True when nothing but blanks stand before `offset` on its line.
  bool starts_line(uint32_t offset) const;

 private:
  uint32_t skip_blanks(uint32_t at) const;
  uint32_t string_end(uint32_t open) const;  // behind the closing quote; 0: there is none on this line
  Token number(uint32_t begin) const;
  Token prefixed(TokenKind kind, uint32_t begin) const;

  std::string_view text_;
};

// The contents of a string token without quotes, escapes resolved: \" \\ \n \t and two hexadecimal digits.
std::string unescape_mlir(std::string_view quoted);
// The reverse, with quotes; other than printable ASCII is written in hexadecimal, as MLIR does.
std::string escape_mlir(std::string_view text);

}  // namespace sw
