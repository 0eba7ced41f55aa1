// Locations: loc("f.py":1:2), loc("name"(...)), loc(callsite(... at ...)), loc(fused<...>[...]), loc(#loc1),
// loc(unknown).
//
// `#loc1 = loc(...)` may stand before or after its use; all aliases are found before parsing starts (find_aliases), and
// one is read when it is first asked for. They are asked for in textual order, so that a long chain of aliases, each
// naming the one before it, does not nest.
#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::parse_optional_location(OpState& op) {
  if (!at_keyword("loc")) return true;
  op.has_location = true;
  return parse_location(op.loc);
}

bool Parser::parse_location(LocationId& out) {
  advance();
  return expect(TokenKind::left_paren, "`(` after `loc`") && parse_location_body(out) &&
         expect(TokenKind::right_paren, "`)` at the end of the location");
}

bool Parser::parse_location_body(LocationId& out) {
  const Level level(*this);
  if (!level.fine) return false;
  if (at(TokenKind::attr_name)) return parse_location_alias(out);
  if (at(TokenKind::string)) return parse_named_or_file(out);
  if (accept_keyword("unknown")) {
    out = builder_.location({});
    return true;
  }
  if (accept_keyword("callsite")) return parse_call_site(out);
  if (accept_keyword("fused")) return parse_fused(out);
  return fail_expected("a location");
}

bool Parser::parse_location_alias(LocationId& out) {
  Alias* alias = alias_named(token_);
  if (alias == nullptr)
    return fail(DiagnosticKind::unknown_name, range(token_), "location `" + std::string(text()) + "` is not defined");
  if (!location_aliases_read_) {
    location_aliases_read_ = true;
    for (Alias* each : location_aliases_) read_location_alias(*each);
  }
  if (alias->state == 1)
    return fail(DiagnosticKind::bad_attribute, range(token_),
                "location `" + std::string(text()) + "` stands for itself");
  read_location_alias(*alias);
  if (alias->state == 3) return false;
  out = LocationId{alias->value};
  advance();
  return true;
}

// Reads what an alias stands for, unless that has happened, and comes back to the current token.
void Parser::read_location_alias(Alias& alias) {
  if (alias.state != 0) return;
  const Token here = token_;
  const int braces = braces_;
  const uint32_t last_end = last_end_;
  alias.state = 1;
  seek(alias.begin);
  LocationId location;
  const bool fine = at_keyword("loc") ? parse_location(location) : fail_expected("`loc(`");
  alias.state = fine ? 2 : 3;
  alias.value = location.raw;
  token_ = here;
  braces_ = braces;
  last_end_ = last_end;
}

bool Parser::parse_call_site(LocationId& out) {
  Location location;
  location.kind = LocationKind::call_site;
  if (!expect(TokenKind::left_paren, "`(` after `callsite`") || !parse_location_body(location.child) ||
      !expect_keyword("at") || !parse_location_body(location.caller) ||
      !expect(TokenKind::right_paren, "`)` at the end of the call site"))
    return false;
  out = builder_.location(std::move(location));
  return true;
}

bool Parser::parse_fused(LocationId& out) {
  Location location;
  location.kind = LocationKind::fused;
  if (at(TokenKind::less)) {
    const auto close = lexer_.skip_angles(token_.begin);
    if (!close) return fail_expected("the metadata of a fused location and `>`");
    location.text = builder_.name(lexer_.text().substr(token_.begin, *close - token_.begin));
    seek(*close);
  }
  if (!expect(TokenKind::left_bracket, "`[` and a list of locations")) return false;
  if (!at(TokenKind::right_bracket)) {
    do {
      LocationId part;
      if (!parse_location_body(part)) return false;
      location.parts.push_back(part);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` in a fused location")) return false;
  out = builder_.location(std::move(location));
  return true;
}

bool Parser::parse_named_or_file(LocationId& out) {
  Location location;
  const std::string_view quoted = text();
  const bool escaped = quoted.find('\\') != std::string_view::npos;
  location.text = escaped ? builder_.name(unescape_mlir(quoted)) : builder_.name(quoted.substr(1, quoted.size() - 2));
  advance();
  if (accept(TokenKind::left_paren)) {
    location.kind = LocationKind::name;
    if (!parse_location_body(location.child) || !expect(TokenKind::right_paren, "`)` behind the inner location"))
      return false;
  } else if (at(TokenKind::colon)) {
    location.kind = LocationKind::file;
    const auto number = [this](uint32_t& value) {
      int64_t wide = 0;
      if (!parse_integer(wide)) return false;
      value = wide < 0 || wide > 0xffffffffLL ? 0 : static_cast<uint32_t>(wide);
      return true;
    };
    advance();
    if (!number(location.line) || !expect(TokenKind::colon, "`:` and a column") || !number(location.column))
      return false;
    if (accept_keyword("to")) {
      location.end_line = location.line;
      if (at(TokenKind::integer) && !number(location.end_line)) return false;
      if (!expect(TokenKind::colon, "`:` and the last column") || !number(location.end_column)) return false;
    }
  } else {
    location.kind = LocationKind::name;
  }
  out = builder_.location(std::move(location));
  return true;
}

}  // namespace sw::mlir
