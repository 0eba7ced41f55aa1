// The attributes of the sdy and mhlo dialects that hold shardings and meshes. Their grammar is that of sharding/text.h;
// here they are only found in the text and put into attributes.
#include "sharding/text.h"

#include "text/mlir/parser.h"

namespace sw::mlir {

// Runs a reader of sharding/text.h from the current token on and goes on behind what it read.
template <class Read>
auto Parser::read_sharding_text(Read read) -> decltype(read(std::declval<TextCursor&>())) {
  TextCursor cursor{lexer_.text(), token_.begin, range(0, static_cast<uint32_t>(lexer_.text().size()))};
  const int braces = braces_ - (at(TokenKind::left_brace) ? 1 : 0);
  const size_t before = diagnostics_.error_count();
  auto result = read(cursor);
  errors_ += diagnostics_.error_count() - before;
  if (errors_ >= kMaxErrors) stopped_ = true;
  if (!result) return result;
  braces_ = braces;
  seek(static_cast<uint32_t>(cursor.at));
  return result;
}

// `begin` is the offset of `<` behind `#sdy.name`, `end` that behind its `>`.
bool Parser::parse_sdy_attribute(std::string_view name, uint32_t begin, uint32_t end, AttrId& out) {
  seek(begin);
  if (name == "sharding") return parse_sharding_attr(out);
  Attr attr;
  if (name == "sharding_per_value") {
    const auto list = read_sharding_text(
        [&](TextCursor& in) { return parse_sdy_sharding_per_value(in, program_.shardings, diagnostics_); });
    if (!list) return false;
    out = sharding_list_attr(*list);
    return true;
  }
  if (name == "mesh") {
    auto mesh = read_sharding_text([&](TextCursor& in) { return parse_sdy_mesh(in, diagnostics_); });
    if (!mesh) return false;
    attr.kind = AttrKind::mesh;
    attr.integer = program_.shardings.add_mesh({"", std::move(*mesh)}).raw;
    out = builder_.attr_table().intern(attr);
    return true;
  }
  if (name == "op_sharding_rule") {
    attr.kind = AttrKind::factor_rule;
    attr.text = lexer_.text().substr(begin, end - begin);
  } else {
    attr.kind = AttrKind::opaque;
    const auto start = static_cast<uint32_t>(begin - name.size() - 5);
    attr.text = lexer_.text().substr(start, end - start);
  }
  out = builder_.attr_table().intern(attr);
  seek(end);
  return true;
}

AttrId Parser::sharding_list_attr(std::span<const NamedShardingId> list) {
  IntList ids;
  for (const NamedShardingId id : list) ids.push_back(id.raw);
  Attr attr;
  attr.kind = AttrKind::sharding_list;
  attr.integers = ids;
  return builder_.attr_table().intern(attr);
}

// <@mesh, [...]>, also as the whole attribute `#sdy.sharding<...>`
bool Parser::parse_sharding_attr(AttrId& out) {
  if (at(TokenKind::attr_name) && text() == "#sdy.sharding") advance();
  const auto sharding =
      read_sharding_text([&](TextCursor& in) { return parse_sdy_sharding(in, program_.shardings, diagnostics_); });
  if (!sharding) return false;
  Attr attr;
  attr.kind = AttrKind::sharding;
  attr.integer = sharding->raw;
  out = builder_.attr_table().intern(attr);
  return true;
}

// [<@mesh, [...]>, <...>]
bool Parser::parse_sharding_list(AttrId& out) {
  const auto list =
      read_sharding_text([&](TextCursor& in) { return parse_sdy_sharding_list(in, program_.shardings, diagnostics_); });
  if (!list) return false;
  out = sharding_list_attr(*list);
  return true;
}

bool Parser::parse_mesh(Mesh& mesh) {
  auto read = read_sharding_text([&](TextCursor& in) { return parse_sdy_mesh(in, diagnostics_); });
  if (!read) return false;
  mesh = std::move(*read);
  return true;
}

// The string of `mhlo.sharding`; `where` is the string literal with its quotes.
bool Parser::canonical_tile_sharding(SourceRange where, AttrId& value) {
  const Attr attr = builder_.attr_table().get(value);
  if (attr.kind != AttrKind::string) return true;
  const std::string text(attr.text);
  TextCursor cursor{text, 0, range(where.begin + 1, where.end - 1)};
  const size_t before = diagnostics_.error_count();
  const auto sharding = parse_hlo_sharding(cursor, program_.tile_shardings, diagnostics_);
  errors_ += diagnostics_.error_count() - before;
  if (!sharding) return false;
  if (!cursor.at_end())
    return fail(DiagnosticKind::invalid_sharding, cursor.range(cursor.at, text.size()),
                "text behind the end of a sharding");
  Attr tile;
  tile.kind = AttrKind::tile_sharding;
  tile.integer = sharding->raw;
  value = builder_.attr_table().intern(tile);
  return true;
}

// A list of axes or of lists of axes, kept as spelled from its first bracket to the one that closes it. `mnemonic` is
// how the sdy dialect calls such a list where it stands alone.
bool Parser::parse_axes_text(std::string_view mnemonic, TokenKind open, AttrId& out) {
  if (!at(open))
    return fail_expected(open == TokenKind::left_brace ? "`{` and a list of axes" : "`[` and lists of axes");
  const uint32_t begin = token_.begin;
  uint32_t end = begin;
  int depth = 0;
  do {
    switch (token_.kind) {
      case TokenKind::left_brace:
      case TokenKind::left_bracket: ++depth; break;
      case TokenKind::right_brace:
      case TokenKind::right_bracket: --depth; break;
      case TokenKind::string:
      case TokenKind::comma:
      case TokenKind::colon:
      case TokenKind::integer:
      case TokenKind::arrow:
      case TokenKind::left_paren:
      case TokenKind::right_paren: break;
      default: return fail_expected("the end of a list of axes");
    }
    end = token_.end;
    advance();
  } while (depth > 0);
  Attr attr;
  attr.kind = AttrKind::axes;
  attr.name = mnemonic;
  attr.text = lexer_.text().substr(begin, end - begin);
  out = builder_.attr_table().intern(attr);
  return true;
}

}  // namespace sw::mlir
