// One op: `%0:2 = name ... loc(...)`, its generic form, its operands, what is checked of every op, and how parsing goes
// on after an error.
#include <algorithm>

#include "base/edit_distance.h"
#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::parse_op(BlockId block) {
  const Level level(*this);
  if (!level.fine) return false;
  OpState op;
  op.begin = op_begin_ = token_.begin;
  const int braces = braces_;
  op.id = builder_.reserve_op(block);
  SmallVector<ResultName, 4> names;
  if (parse_result_names(names) && parse_op_body(op) && parse_optional_location(op) && finish_op(op, names))
    return true;
  define_poisoned(names);
  if (token_.begin == op.begin) advance();
  recover(braces);
  return false;
}

bool Parser::parse_result_names(SmallVector<ResultName, 4>& names) {
  if (!at(TokenKind::value)) return true;
  do {
    ResultName name;
    name.token = token_;
    if (!expect(TokenKind::value, "the name of a result such as `%0`")) return false;
    if (accept(TokenKind::colon)) {
      static constexpr int64_t kMaxResults = 1 << 20;
      int64_t count = 0;
      const SourceRange where = range(token_);
      if (!parse_integer(count)) return false;
      if (count < 1 || count > kMaxResults)
        return fail(DiagnosticKind::syntax, where, "number of results out of range");
      name.count = static_cast<uint32_t>(count);
    }
    names.push_back(name);
  } while (accept(TokenKind::comma));
  return expect(TokenKind::equal, "`=` behind the results");
}

OpKind Parser::kind_named(std::string_view name) const {
  if (name == "return") return OpKind::func_return;
  if (name == "call") return OpKind::call;
  const OpKind kind = op_kind_from_mlir(name);
  // Ops of mhlo that are not in the table are those of StableHLO under another name.
  if (kind == OpKind::unknown && name.starts_with("mhlo."))
    return op_kind_from_mlir("stablehlo." + std::string(name.substr(5)));
  return kind;
}

bool Parser::parse_op_body(OpState& op) {
  op.name_token = token_;
  if (at(TokenKind::string)) {
    const std::string_view quoted = text();
    const std::string_view name = quoted.substr(1, quoted.size() - 2);
    op.kind = kind_named(name);
    op.name = builder_.name(name);
    op.generic = true;
    advance();
    return parse_generic_op(op);
  }
  if (!at(TokenKind::identifier)) return fail_expected("an operation");
  const std::string_view name = text();
  op.kind = kind_named(name);
  const bool canonical = op.kind != OpKind::unknown && (facts(op.kind).mlir == name);
  if (canonical || op.kind == OpKind::func_return || op.kind == OpKind::call) {
    StringId& id = kind_names_[static_cast<size_t>(op.kind)];
    if (!id.valid()) id = builder_.name(facts(op.kind).mlir);
    op.name = id;
  } else {
    op.name = builder_.name(name);
  }
  return parse_pretty_op(op);
}

// The current token names an op that cannot be read in short form: generic only, misspelled, or of another dialect.
bool Parser::fail_no_short_form(const OpState& op) {
  const std::string name(text());
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return fail_expected("an operation");
  const std::string generic = "write it in generic form: `\"" + name + "\"(%operands) {attributes} : (types) -> types`";
  if (op.kind != OpKind::unknown) {
    report(DiagnosticKind::syntax, range(token_), "`" + name + "` has no short form").help(generic);
    return false;
  }
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kOpKindCount; ++i)
    if (facts(static_cast<OpKind>(i)).mlir.starts_with(name.substr(0, dot + 1)))
      names.push_back(facts(static_cast<OpKind>(i)).mlir);
  const std::string_view near = nearest_name(name, names);
  if (!near.empty()) {
    report(DiagnosticKind::unknown_name, range(token_), "`" + name + "` is no operation that is known")
        .help("did you mean `" + std::string(near) + "`?");
  } else {
    report(DiagnosticKind::unsupported, range(token_), "the short form of `" + name + "` is not known").help(generic);
  }
  return false;
}

bool Parser::parse_pretty_op(OpState& op) {
  const Form* by_name = op.kind == OpKind::unknown ? form_named(text()) : nullptr;
  const Form& form = by_name != nullptr ? *by_name : form_of(op.kind);
  if (form.custom == CustomForm::none) return fail_no_short_form(op);
  advance();
  if (form.custom == CustomForm::table) return parse_form(op, form);
  return parse_custom_form(op, form.custom);
}

// "name"(%a, %b) <{properties}> ({regions}) {attributes} : (types) -> types
bool Parser::parse_generic_op(OpState& op) {
  if (!parse_paren_operands(op)) return false;
  if (at(TokenKind::left_bracket))
    return fail(DiagnosticKind::unsupported, range(token_), "branches between blocks are not supported");
  if (accept(TokenKind::less)) {
    if (!expect(TokenKind::left_brace, "`{` and properties") || !parse_dictionary_entries(op.attrs, /*of_op=*/true) ||
        !expect(TokenKind::greater, "`>` behind the properties"))
      return false;
  }
  if (at(TokenKind::left_paren)) {
    const bool isolated = op.kind == OpKind::manual_computation || op.kind == OpKind::named_computation;
    do {
      advance();
      if (!parse_region(op, isolated)) return false;
    } while (at(TokenKind::comma));
    if (!expect(TokenKind::right_paren, "`,` or `)` behind the regions")) return false;
  }
  return parse_attr_dict(op.attrs) && parse_functional_type(op);
}

bool Parser::parse_operand(OpState& op) {
  if (!at(TokenKind::value)) return fail_expected("an operand such as `%0`");
  const Token token = token_;
  const std::string_view name = text();
  uint32_t end = token.end;
  uint64_t number = 0;
  if (lexer_.at(end) == '#') {
    for (++end; lexer_.at(end) >= '0' && lexer_.at(end) <= '9'; ++end)
      if (number < (1U << 30)) number = number * 10 + static_cast<uint64_t>(lexer_.at(end) - '0');
    if (end == token.end + 1)
      return fail(DiagnosticKind::syntax, range(token.begin, end), "expected the number of a result behind `#`");
  }
  const Definition* definition = values_.find(name);
  ValueId value;
  if (definition == nullptr) {
    auto message = report(DiagnosticKind::undefined_value, range(token), "`" + std::string(name) + "` is not defined");
    const std::string near = values_.nearest(name);
    if (!near.empty()) message.help("did you mean `" + near + "`?");
  } else if (number >= definition->count) {
    report(DiagnosticKind::undefined_value, range(token.begin, end),
           "`" + std::string(lexer_.text().substr(token.begin, std::min<size_t>(end - token.begin, 40))) + "`, but `" +
               std::string(name) + "` has " + plural(definition->count, "result"))
        .note(range(definition->where, definition->where + static_cast<uint32_t>(name.size())), "defined here");
  } else if (definition->first.valid()) {
    value = ValueId{definition->first.raw + static_cast<uint32_t>(number)};
  }
  if (!value.valid()) op.poisoned = true;
  op.operands.push_back(value);
  op.operand_at.push_back(token.begin);
  seek(end);
  return true;
}

bool Parser::parse_operands(OpState& op) {
  if (!at(TokenKind::value)) return true;
  do {
    if (!parse_operand(op)) return false;
  } while (accept(TokenKind::comma));
  return true;
}

bool Parser::parse_paren_operands(OpState& op) {
  return expect(TokenKind::left_paren, "`(` and operands") && parse_operands(op) &&
         expect(TokenKind::right_paren, "`,` or `)` behind the operands");
}

// : (T, U) -> V
bool Parser::parse_functional_type(OpState& op) {
  return expect(TokenKind::colon, "`:` and the types of operands and results") &&
         parse_paren_type_list(op.operand_types) && expect(TokenKind::arrow, "`->` and the types of the results") &&
         parse_result_types(op.result_types);
}

bool Parser::parse_same_type(OpState& op) {
  if (!expect(TokenKind::colon, "`:` and a type")) return false;
  if (at(TokenKind::left_paren))
    return parse_paren_type_list(op.operand_types) && expect(TokenKind::arrow, "`->` and the types of the results") &&
           parse_result_types(op.result_types);
  TypeId type;
  if (!parse_type(type)) return false;
  op.operand_types.assign(op.operands.size(), type);
  op.result_types.push_back(type);
  return true;
}

void Parser::add_attr(OpState& op, StringId name, AttrId value) { op.attrs.push_back({name, value}); }

// Attributes stand in the order of their names, whatever form they were read from.
void Parser::sort_attrs(AttrList& attrs) {
  const StringInterner& strings = builder_.strings();
  for (size_t i = 1; i < attrs.size(); ++i) {
    const NamedAttr moved = attrs[i];
    size_t to = i;
    while (to > 0 && strings.text(moved.name) < strings.text(attrs[to - 1].name)) --to;
    std::copy_backward(attrs.begin() + to, attrs.begin() + i, attrs.begin() + i + 1);
    attrs[to] = moved;
  }
}

// The generic form spells attributes that have their default value, the short form does not; both mean the same.
void Parser::drop_defaults(OpState& op) {
  const auto is_default = [&](const NamedAttr& named) {
    if (role_of(named.name) != AttrRole::has_default) return false;
    const std::string_view name = builder_.strings().text(named.name);
    const AttrTable& table = builder_.attr_table();
    const Attr attr = table.get(named.value);
    const bool is_false = attr.kind == AttrKind::boolean && attr.integer == 0;
    const bool is_empty = attr.kind == AttrKind::array && attr.elements.empty();
    switch (op.kind) {
      case OpKind::custom_call:
        return (name == "has_side_effect" && is_false) || is_empty ||
               (name == "api_version" && attr.kind == AttrKind::integer && attr.integer == 1);
      case OpKind::composite: return name == "version" && attr.kind == AttrKind::integer && attr.integer == 0;
      case OpKind::cholesky: return name == "lower" && is_false;
      default: break;
    }
    return name == "result_accuracy" && attr.kind == AttrKind::struct_ &&
           std::ranges::all_of(attr.fields, [&](const NamedAttr& field) {
             const Attr value = table.get(field.value);
             if (value.kind == AttrKind::enum_) return value.text == "DEFAULT";
             if (value.kind == AttrKind::integer) return value.integer == 0;
             return value.kind == AttrKind::floating &&
                    value.text.substr(0, value.text.find('e')).find_first_not_of("0.") == std::string_view::npos;
           });
  };
  op.attrs.erase(std::remove_if(op.attrs.begin(), op.attrs.end(), is_default), op.attrs.end());
}

bool Parser::check_arity(const OpState& op) {
  const OpFacts& row = facts(op.kind);
  if (row.operands < 0 || op.operands.size() == static_cast<size_t>(row.operands)) return true;
  return fail(DiagnosticKind::wrong_arity, range(op.name_token),
              "`" + std::string(builder_.strings().text(op.name)) + "` takes " +
                  plural(static_cast<size_t>(row.operands), "operand") + ", but has " +
                  std::to_string(op.operands.size()));
}

// The types that the op lists against those that its operands have.
bool Parser::check_operands(OpState& op) {
  if (op.operand_types.size() != op.operands.size())
    return fail(DiagnosticKind::wrong_arity, range(op.name_token),
                "`" + std::string(builder_.strings().text(op.name)) + "` has " + plural(op.operands.size(), "operand") +
                    ", but lists " + plural(op.operand_types.size(), "operand type"));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId value = op.operands[i];
    if (!value.valid() || builder_.graph().value(value).type == op.operand_types[i]) continue;
    const Token token = lexer_.token_at(op.operand_at[i]);
    const Value& v = builder_.graph().value(value);
    auto message =
        report(DiagnosticKind::type_mismatch, range(token),
               "operand " + std::to_string(i) + " of `" + std::string(builder_.strings().text(op.name)) + "` is `" +
                   std::string(lexer_.text(token)) + "` of type `" + mlir_text(builder_.types(), v.type) +
                   "`, but the op lists `" + mlir_text(builder_.types(), op.operand_types[i]) + "`");
    if (v.where.valid()) message.note(v.where, "defined here");
    return false;
  }
  return true;
}

bool Parser::finish_op(OpState& op, const SmallVector<ResultName, 4>& names) {
  if (!check_arity(op)) return false;
  size_t named = 0;
  for (const ResultName& name : names) named += name.count;
  if (!names.empty() && named != op.result_types.size())
    return fail(DiagnosticKind::wrong_arity, range(names[0].token.begin, op.name_token.end),
                "`" + std::string(builder_.strings().text(op.name)) + "` has " +
                    plural(op.result_types.size(), "result") + ", but " + std::to_string(named) +
                    (named == 1 ? " is" : " are") + " named");
  if (!check_operands(op)) return false;
  drop_defaults(op);
  sort_attrs(op.attrs);
  GraphBuilder::OpSpec spec;
  spec.kind = op.kind;
  spec.name = op.name;
  if (!op.poisoned) spec.operands = op.operands;
  spec.result_types = op.result_types;
  spec.attrs = op.attrs;
  if (!names.empty()) spec.result_name = values_.name_id(lexer_.text(names[0].token));
  spec.loc = op.loc;
  spec.where = range(op.begin, last_end_);
  spec.generic_form = op.generic;
  builder_.fill_op(op.id, spec);
  if (!op.regions.empty()) builder_.set_regions(op.id, op.regions);
  define_results(op, names);
  return true;
}

void Parser::define_results(const OpState& op, const SmallVector<ResultName, 4>& names) {
  uint32_t value = builder_.graph().op(op.id).first_result.raw;
  for (const ResultName& name : names) {
    define(name.token, ValueId{value}, name.count);
    if (names.size() > 1) {
      const StringId id = values_.name_id(lexer_.text(name.token));
      for (uint32_t i = 0; i < name.count; ++i) builder_.set_result_name(ValueId{value + i}, id);
    }
    value += name.count;
  }
}

void Parser::define(Token name, ValueId first, uint32_t count) {
  const Definition* earlier = values_.define(lexer_.text(name), first, count, name.begin);
  if (earlier == nullptr) return;
  const std::string spelling(lexer_.text(name));
  report(DiagnosticKind::redefined_value, range(name), "`" + spelling + "` is defined twice")
      .note(range(earlier->where, earlier->where + (name.end - name.begin)), "first defined here");
}

void Parser::define_poisoned(const SmallVector<ResultName, 4>& names) {
  for (const ResultName& name : names) values_.define(lexer_.text(name.token), ValueId{}, name.count, name.token.begin);
}

// The current token is the first of its line and can start an op.
bool Parser::starts_op() const {
  switch (token_.kind) {
    case TokenKind::value:
    case TokenKind::string:
    case TokenKind::block_label: break;
    case TokenKind::identifier:
      if (text().find('.') == std::string_view::npos && text() != "return" && text() != "call") return false;
      break;
    default: return false;
  }
  return lexer_.starts_line(token_.begin);
}

// Goes to the next line of the same region that can start an op, or to the brace that closes the region. `braces` is
// how many were open where the op began.
void Parser::recover(int braces) {
  for (; !at(TokenKind::end) && !stopped_; advance()) {
    if (at(TokenKind::right_brace) && braces_ < braces) return;
    if (braces_ == braces && starts_op()) return;
  }
}

}  // namespace sw::mlir
