// Regions and blocks, and the pretty forms that hold regions: while, reduce, and the ops of the sdy dialect.
#include <algorithm>

#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::parse_region(OpState& op, bool isolated, const std::vector<Argument>& arguments) {
  const Level level(*this);
  if (!level.fine) return false;
  if (!at(TokenKind::left_brace)) return fail_expected("`{` and a region");
  const RegionId region = builder_.add_region(op.id, function_);
  op.regions.push_back(region);
  values_.push(isolated);
  advance();
  BlockId block;
  if (!arguments.empty() || !at(TokenKind::block_label)) {
    block = builder_.add_block(region);
    for (const Argument& argument : arguments) add_argument(block, argument);
  }
  const bool fine = parse_region_rest(region, block);
  values_.pop();
  return fine;
}

// Ops and labels up to the closing brace, which is consumed. An op that does not parse is reported and left out; the
// region goes on.
bool Parser::parse_region_rest(RegionId region, BlockId block) {
  while (!at(TokenKind::right_brace)) {
    if (stopped_) return false;
    if (at(TokenKind::end)) return fail_expected("`}` at the end of the region");
    if (at(TokenKind::block_label)) {
      const int braces = braces_;
      if (!parse_block_label(region, block)) recover(braces);
    } else {
      parse_op(block);
    }
  }
  if (stopped_) return false;
  advance();
  return true;
}

// ^bb0(%a: T loc(...), %b: T):
bool Parser::parse_block_label(RegionId region, BlockId& block) {
  // The first block is known without its label.
  const bool entry = builder_.graph().region(region).blocks.empty();
  block = builder_.add_block(region, entry ? StringId{} : builder_.name(text()));
  advance();
  if (at(TokenKind::left_paren)) {
    std::vector<Argument> arguments;
    if (!parse_arguments(arguments, /*names_optional=*/false)) return false;
    for (const Argument& argument : arguments) add_argument(block, argument);
  }
  return expect(TokenKind::colon, "`:` behind the label of a block");
}

void Parser::add_argument(BlockId block, const Argument& argument) {
  const StringId name =
      argument.name.end > argument.name.begin ? values_.name_id(lexer_.text(argument.name)) : StringId{};
  const ValueId value = builder_.add_arg(block, argument.type, name, range(argument.name), argument.loc);
  if (name.valid()) define(argument.name, value, 1);
}

// (%a: T {attrs} loc(...), ...); `names_optional`: (T {attrs}, ...) as well, in declarations.
bool Parser::parse_arguments(std::vector<Argument>& arguments, bool names_optional) {
  if (!expect(TokenKind::left_paren, "`(` and arguments")) return false;
  if (accept(TokenKind::right_paren)) return true;
  do {
    Argument argument;
    if (at(TokenKind::value)) {
      argument.name = token_;
      advance();
      if (!expect(TokenKind::colon, "`:` and the type of the argument")) return false;
    } else if (!names_optional) {
      return fail_expected("an argument such as `%arg0: tensor<f32>`");
    }
    if (!parse_type(argument.type)) return false;
    AttrList attrs;
    if (!parse_attr_dict(attrs)) return false;
    sort_attrs(attrs);
    argument.attrs = builder_.attrs(attrs);
    if (at_keyword("loc") && !parse_location(argument.loc)) return false;
    arguments.push_back(argument);
  } while (accept(TokenKind::comma));
  return expect(TokenKind::right_paren, "`,` or `)` behind an argument");
}

// (%iterArg = %0, ...) : T, ... attributes {attrs} cond {...} do {...}
bool Parser::parse_while(OpState& op) {
  if (!expect(TokenKind::left_paren, "`(` and the arguments of the loop")) return false;
  std::vector<Argument> arguments;
  if (!at(TokenKind::right_paren)) {
    do {
      Argument argument;
      argument.name = token_;
      if (!expect(TokenKind::value, "an argument such as `%iterArg`") ||
          !expect(TokenKind::equal, "`=` and its first value") || !parse_operand(op))
        return false;
      arguments.push_back(argument);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_paren, "`,` or `)` behind an argument of the loop")) return false;
  if (!arguments.empty() || at(TokenKind::colon)) {
    if (!expect(TokenKind::colon, "`:` and the types of the arguments")) return false;
    if (!arguments.empty() && !parse_type_list(op.operand_types)) return false;
  }
  if (op.operand_types.size() != arguments.size())
    return fail(DiagnosticKind::wrong_arity, range(op.name_token),
                "`stablehlo.while` has " + plural(arguments.size(), "argument") + ", but lists " +
                    plural(op.operand_types.size(), "type"));
  for (size_t i = 0; i < arguments.size(); ++i) arguments[i].type = op.operand_types[i];
  op.result_types = op.operand_types;
  if (accept_keyword("attributes") && !parse_attr_dict(op.attrs)) return false;
  return expect_keyword("cond") && parse_region(op, /*isolated=*/false, arguments) && expect_keyword("do") &&
         parse_region(op, /*isolated=*/false, arguments);
}

// (%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [0] {attrs} : types
// (%a init: %b), ... across dimensions = [0] {attrs} : types reducer(%x: T, %y: T) (...) {...}
bool Parser::parse_reduce(OpState& op) {
  SmallVector<ValueId, 8> inits;
  SmallVector<uint32_t, 8> init_at;
  do {
    if (!expect(TokenKind::left_paren, "`(` and an operand") || !parse_operand(op) || !expect_keyword("init") ||
        !expect(TokenKind::colon, "`:` and the initial value") || !parse_operand(op) ||
        !expect(TokenKind::right_paren, "`)`"))
      return false;
    inits.push_back(op.operands.back());
    init_at.push_back(op.operand_at.back());
    op.operands.pop_back();
    op.operand_at.pop_back();
  } while (accept(TokenKind::comma));
  const size_t inputs = op.operands.size();
  op.operands.append(inits.begin(), inits.end());
  op.operand_at.append(init_at.begin(), init_at.end());
  Token inner;
  const bool applied = accept_keyword("applies");
  if (applied) {
    inner = token_;
    if (!expect(TokenKind::identifier, "the op to reduce with such as `stablehlo.add`")) return false;
  }
  IntList dims;
  if (!expect_keyword("across") || !expect_keyword("dimensions") || !expect(TokenKind::equal, "`=`") ||
      !parse_integer_list(dims))
    return false;
  add_attr(op, names_.dimensions, int_list(dims));
  if (!parse_attr_dict(op.attrs) || !parse_functional_type(op)) return false;
  return applied ? make_applied_region(op, inner) : parse_reducer(op, inputs);
}

// The region that `applies stablehlo.add` stands for: two scalars, the op, a return, at the place of the reduce.
bool Parser::make_applied_region(OpState& op, Token inner) {
  const std::string_view name = lexer_.text(inner);
  const OpKind kind = kind_named(name);
  if (kind == OpKind::unknown || facts(kind).operands != 2 || facts(kind).results != 1)
    return fail(DiagnosticKind::invalid_op, range(inner),
                "`" + std::string(name) + "` takes no two operands, so nothing can be reduced with it");
  if (op.operand_types.empty())
    return fail(DiagnosticKind::wrong_arity, range(op.name_token), "`stablehlo.reduce` without operand types");
  if (!parse_optional_location(op)) return false;
  const Type input = builder_.types().get(op.operand_types[0]);
  const std::string element_text(input.element_text);
  const TypeId scalar = builder_.types().tensor(input.element, {}, {}, element_text);
  const RegionId region = builder_.add_region(op.id, function_);
  const BlockId block = builder_.add_block(region);
  const ValueId operands[] = {builder_.add_arg(block, scalar, {}, range(inner), op.loc),
                              builder_.add_arg(block, scalar, {}, range(inner), op.loc)};
  GraphBuilder::OpSpec spec;
  spec.kind = kind;
  spec.name = builder_.name(name);
  spec.operands = operands;
  spec.result_types = {&scalar, 1};
  spec.loc = op.loc;
  spec.where = range(inner);
  const OpId applied = builder_.add_op(block, spec);
  const ValueId result[] = {builder_.graph().result(applied)};
  spec.kind = OpKind::return_;
  spec.name = builder_.name(facts(OpKind::return_).mlir);
  spec.operands = result;
  spec.result_types = {};
  builder_.add_op(block, spec);
  op.regions.push_back(region);
  return true;
}

// reducer(%a: T, %b: T) (%c: U, %d: U) {...}: a pair per operand; the block has all first ones, then all second ones.
bool Parser::parse_reducer(OpState& op, size_t inputs) {
  if (!expect_keyword("reducer")) return false;
  std::vector<Argument> firsts, seconds;
  for (size_t i = 0; i < inputs; ++i) {
    std::vector<Argument> pair;
    const SourceRange where = range(token_);
    if (!parse_arguments(pair, /*names_optional=*/false)) return false;
    if (pair.size() != 2) return fail(DiagnosticKind::wrong_arity, where, "a reducer takes two values per operand");
    firsts.push_back(pair[0]);
    seconds.push_back(pair[1]);
  }
  firsts.insert(firsts.end(), seconds.begin(), seconds.end());
  return parse_region(op, /*isolated=*/false, firsts);
}

}  // namespace sw::mlir
