// The outermost level: module, functions, meshes, aliases, resources.
#include <algorithm>
#include <cstring>

#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::run() {
  find_aliases_and_meshes();
  read_meshes();
  token_ = {};
  braces_ = 0;
  seek(0);
  if (at(TokenKind::end)) return fail(DiagnosticKind::empty_input, range(0, 0), "the file holds no program");
  while (!at(TokenKind::end) && !stopped_) {
    if (!parse_item()) recover_item();
  }
  if (errors_ == 0) check_module();
  program_.graph = builder_.take();
  return errors_ == 0;
}

// Aliases stand at the beginning of a line: `#loc1 = ...`, `!t = ...`; meshes are the first word of one. Found by
// looking at line beginnings only.
void Parser::find_aliases_and_meshes() {
  const std::string_view all = lexer_.text();
  for (size_t line = 0; line < all.size();) {
    if (all[line] == '#' || all[line] == '!') {
      const Token name = lexer_.token_at(static_cast<uint32_t>(line));
      const Token equal = lexer_.token_at(name.end);
      if ((name.kind == TokenKind::attr_name || name.kind == TokenKind::type_name) && equal.kind == TokenKind::equal) {
        Alias alias;
        alias.begin = lexer_.token_at(equal.end).begin;
        const auto [at, added] = aliases_.emplace(lexer_.text(name), alias);
        if (added && all.substr(alias.begin, 4) == "loc(") location_aliases_.push_back(&at->second);
      }
    } else {
      size_t word = line;
      while (word < all.size() && all[word] == ' ') ++word;
      const std::string_view start = all.substr(word, 10);
      if (start.starts_with("sdy.mesh ") || start == "\"sdy.mesh\"")
        mesh_lines_.push_back({static_cast<uint32_t>(word), 0, false});
    }
    const void* next = std::memchr(all.data() + line, '\n', all.size() - line);
    if (next == nullptr) break;
    line = static_cast<size_t>(static_cast<const char*>(next) - all.data()) + 1;
  }
}

void Parser::read_meshes() {
  for (MeshLine& line : mesh_lines_) {
    if (stopped_) return;
    seek(line.begin);
    line.fine = at(TokenKind::string) ? parse_generic_mesh_op() : parse_mesh_op();
    line.end = token_.begin;
  }
}

// A mesh at its place: it was read at the start.
bool Parser::pass_mesh() {
  const auto line = std::ranges::lower_bound(mesh_lines_, token_.begin, {}, &MeshLine::begin);
  if (line == mesh_lines_.end() || line->begin != token_.begin)
    return fail(DiagnosticKind::syntax, range(token_), "`sdy.mesh` in the middle of a line");
  if (!line->fine) return false;
  seek(line->end);
  return true;
}

bool Parser::parse_item() {
  if (at(TokenKind::attr_name) || at(TokenKind::type_name)) return parse_alias();
  if (at(TokenKind::resources_begin)) return parse_resources();
  if (at(TokenKind::string)) {
    if (text() == "\"builtin.module\"") return parse_generic_module();
    if (text() == "\"func.func\"") return parse_generic_func();
    if (text() == "\"sdy.mesh\"") return pass_mesh();
  }
  if (at_keyword("module") || at_keyword("builtin.module")) return parse_module();
  if (at_keyword("func.func") || at_keyword("func")) return parse_func();
  if (at_keyword("sdy.mesh")) return pass_mesh();
  if (at(TokenKind::identifier) && text().find('.') != std::string_view::npos)
    return fail(DiagnosticKind::unsupported, range(token_), "`" + std::string(text()) + "` outside of a function");
  if (at(TokenKind::right_brace) && errors_ > 0) {
    advance();  // closes what did not parse
    return true;
  }
  return fail_expected("`module`, `func.func` or `sdy.mesh`");
}

// Goes on at the next line that can start an item, however many braces the wrong one has left open, or at the brace
// that closes the module.
void Parser::recover_item() {
  for (bool moved = false; !at(TokenKind::end) && !stopped_; moved = true, advance()) {
    if (at(TokenKind::right_brace) && braces_ < item_braces_) return;
    if (!moved || !lexer_.starts_line(token_.begin)) continue;
    const bool item = at_keyword("func.func") || at_keyword("sdy.mesh") || at_keyword("module") ||
                      at(TokenKind::resources_begin) || (at(TokenKind::attr_name) && alias_named(token_) != nullptr);
    if (!item) continue;
    braces_ = item_braces_;
    return;
  }
}

// `#loc1 = loc(...)`: read where it stands, unless it was asked for before.
bool Parser::parse_alias() {
  const Token name = token_;
  const Alias* alias = alias_named(name);
  advance();
  if (alias == nullptr || !at(TokenKind::equal))
    return fail_expected("`=` behind the name of an alias, at the beginning of a line");
  advance();
  if (alias->begin != token_.begin)
    return fail(DiagnosticKind::duplicate_symbol, range(name),
                "`" + std::string(lexer_.text(name)) + "` is defined twice");
  if (name.kind == TokenKind::type_name) {
    TypeId type;
    return parse_type(type);
  }
  if (at_keyword("loc")) {
    token_ = name;  // evaluates the alias, then its text is read over once more to find its end
    LocationId location;
    if (!parse_location_alias(location)) return false;
    return skip_location(alias->begin);
  }
  AttrId value;
  return parse_attribute(value);
}

// Passes over `loc(...)` at `begin` without making anything of it.
bool Parser::skip_location(uint32_t begin) {
  seek(begin);
  advance();
  int parens = 0;
  do {
    if (at(TokenKind::left_paren)) ++parens;
    if (at(TokenKind::right_paren)) --parens;
    if (at(TokenKind::end)) return fail_expected("`)` at the end of a location");
    advance();
  } while (parens > 0);
  return true;
}

// {-# dialect_resources: {...} #-}: kept as text in the module attribute `{-#`.
bool Parser::parse_resources() {
  const size_t end = lexer_.text().find("#-}", token_.end);
  if (end == std::string_view::npos) {
    stopped_ = true;
    return fail(DiagnosticKind::syntax, range(token_), "resources without the closing `#-}`");
  }
  const auto close = static_cast<uint32_t>(end + 3);
  module_attrs_.push_back({builder_.name(kResourcesAttribute),
                           builder_.attr_table().opaque(lexer_.text().substr(token_.begin, close - token_.begin))});
  builder_.set_module(builder_.graph().module_name, builder_.attrs(module_attrs_));
  seek(close);
  return true;
}

// module @name attributes {...} { items } loc(...)
bool Parser::parse_module() {
  const Token word = token_;
  if (module_seen_) return fail(DiagnosticKind::unsupported, range(word), "a module inside or beside another");
  module_seen_ = true;
  advance();
  StringId name;
  if (at(TokenKind::symbol)) {
    const std::string_view quoted = text().substr(1);
    name = quoted.starts_with('"') ? builder_.name(unescape_mlir(quoted)) : builder_.name(quoted);
    advance();
  }
  if (accept_keyword("attributes")) {
    if (!expect(TokenKind::left_brace, "`{` and attributes") ||
        !parse_dictionary_entries(module_attrs_, /*of_op=*/true))
      return false;
  }
  sort_attrs(module_attrs_);
  builder_.set_module(name, builder_.attrs(module_attrs_));
  if (!expect(TokenKind::left_brace, "`{` and the contents of the module")) return false;
  return parse_items_until_brace() && parse_module_location();
}

bool Parser::parse_module_location() {
  if (!at_keyword("loc")) return true;
  LocationId location;
  return parse_location(location);
}

bool Parser::parse_items_until_brace() {
  item_braces_ = braces_ - (at(TokenKind::left_brace) ? 1 : 0) + (at(TokenKind::right_brace) ? 1 : 0);
  while (!at(TokenKind::right_brace)) {
    if (stopped_) return false;
    if (at(TokenKind::end)) return fail_expected("`}` at the end of the module");
    if (!parse_item()) recover_item();
  }
  item_braces_ = 0;
  advance();
  return true;
}

// "builtin.module"() <{sym_name = "m"}> ({ items }) {attrs} : () -> ()
bool Parser::parse_generic_module() {
  const Token word = token_;
  if (module_seen_) return fail(DiagnosticKind::unsupported, range(word), "a module inside or beside another");
  module_seen_ = true;
  advance();
  AttrList attrs;
  if (!expect(TokenKind::left_paren, "`()`") || !expect(TokenKind::right_paren, "`)`")) return false;
  if (accept(TokenKind::less)) {
    if (!expect(TokenKind::left_brace, "`{` and properties") || !parse_dictionary_entries(attrs, /*of_op=*/true) ||
        !expect(TokenKind::greater, "`>` behind the properties"))
      return false;
  }
  if (!expect(TokenKind::left_paren, "`({` and the contents of the module") || !expect(TokenKind::left_brace, "`{`"))
    return false;
  if (at(TokenKind::block_label)) {
    advance();
    if (at(TokenKind::left_paren)) {
      advance();
      if (!expect(TokenKind::right_paren, "`)`")) return false;
    }
    if (!expect(TokenKind::colon, "`:`")) return false;
  }
  if (!parse_items_until_brace() || !expect(TokenKind::right_paren, "`)` behind the contents of the module") ||
      !parse_attr_dict(attrs))
    return false;
  TypeList inputs, results;
  if (!expect(TokenKind::colon, "`: () -> ()`") || !parse_paren_type_list(inputs) ||
      !expect(TokenKind::arrow, "`->`") || !parse_result_types(results))
    return false;
  StringId name;
  for (const NamedAttr& attr : attrs) {
    if (attr.name == names_.sym_name) {
      name = builder_.name(std::string(builder_.attr_table().get(attr.value).text));
    } else {
      module_attrs_.push_back(attr);
    }
  }
  sort_attrs(module_attrs_);
  builder_.set_module(name, builder_.attrs(module_attrs_));
  return parse_module_location();
}

// sdy.mesh @name = <["x"=2]> {attrs}; the attributes repeat what the mesh says and are not kept
bool Parser::parse_mesh_op() {
  advance();
  if (!at(TokenKind::symbol)) return fail_expected("the name of the mesh such as `@mesh`");
  const Token name = token_;
  advance();
  Mesh mesh;
  if (!expect(TokenKind::equal, "`=` and a mesh") || !parse_mesh(mesh)) return false;
  AttrList attrs;
  if (!parse_attr_dict(attrs)) return false;
  if (at_keyword("loc") && !parse_module_location()) return false;
  const std::string_view quoted = lexer_.text(name).substr(1);
  return declare_mesh(quoted.starts_with('"') ? unescape_mlir(quoted) : std::string(quoted), std::move(mesh),
                      range(name));
}

bool Parser::declare_mesh(std::string name, Mesh mesh, SourceRange where) {
  if (program_.shardings.mesh_named(name).valid())
    return fail(DiagnosticKind::duplicate_symbol, where, "mesh `@" + name + "` is defined twice");
  program_.shardings.add_mesh({std::move(name), std::move(mesh)});
  return true;
}

// "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> {attrs} : () -> ()
bool Parser::parse_generic_mesh_op() {
  OpState op;
  op.name_token = token_;
  advance();
  if (!parse_generic_op(op)) return false;
  if (at_keyword("loc") && !parse_module_location()) return false;
  const AttrId name = Graph::find(op.attrs, names_.sym_name);
  const AttrId mesh = Graph::find(op.attrs, names_.mesh);
  if (!name.valid() || !mesh.valid() || builder_.attr_table().get(mesh).kind != AttrKind::mesh)
    return fail(DiagnosticKind::invalid_op, range(op.name_token), "`sdy.mesh` needs `sym_name` and `mesh`");
  const Mesh copy =
      program_.shardings.mesh(MeshId{static_cast<uint32_t>(builder_.attr_table().get(mesh).integer)}).mesh;
  return declare_mesh(std::string(builder_.attr_table().get(name).text), copy, range(op.name_token));
}

}  // namespace sw::mlir
