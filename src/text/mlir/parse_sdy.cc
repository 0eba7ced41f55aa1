// Pretty forms of the ops of the sdy dialect.
#include "text/mlir/parser.h"

namespace sw::mlir {

// %x <@mesh, [{"a"}, {?}]> {attrs} : T
bool Parser::parse_sharding_constraint(OpState& op) {
  AttrId sharding;
  if (!parse_operand(op) || !parse_sharding_attr(sharding)) return false;
  add_attr(op, names_.sharding, sharding);
  return parse_attr_dict(op.attrs) && parse_same_type(op);
}

// %x group_id=3 {attrs} : T
bool Parser::parse_sharding_group(OpState& op) {
  int64_t id = 0;
  if (!parse_operand(op) || !expect_keyword("group_id") || !expect(TokenKind::equal, "`=`") || !parse_integer(id))
    return false;
  add_attr(op, names_.group_id, builder_.attr_table().integer(id, scalar_i64_));
  if (!parse_attr_dict(op.attrs) || !parse_same_type(op)) return false;
  op.result_types.clear();
  return true;
}

// %x allowed_direction=FORWARD {attrs} : T
bool Parser::parse_propagation_barrier(OpState& op) {
  AttrId direction;
  if (!parse_operand(op) || !expect_keyword("allowed_direction") || !expect(TokenKind::equal, "`=`") ||
      !parse_enum("sdy<propagation_direction", direction))
    return false;
  add_attr(op, names_.allowed_direction, direction);
  return parse_attr_dict(op.attrs) && parse_same_type(op);
}

// %x sharding=<@mesh, [...]> {attrs} : T; the sharding is optional
bool Parser::parse_data_flow_edge(OpState& op) {
  if (!parse_operand(op)) return false;
  if (accept_keyword("sharding")) {
    AttrId sharding;
    if (!expect(TokenKind::equal, "`=`") || !parse_sharding_attr(sharding)) return false;
    add_attr(op, names_.sharding, sharding);
  }
  return parse_attr_dict(op.attrs) && parse_same_type(op);
}

// in_shardings=[<...>] out_shardings=[<...>]
bool Parser::parse_in_out_shardings(OpState& op) {
  for (const bool in : {true, false}) {
    if (!accept_keyword(in ? "in_shardings" : "out_shardings")) continue;
    AttrId list;
    if (!expect(TokenKind::equal, "`=`") || !parse_sharding_list(list)) return false;
    add_attr(op, in ? names_.in_shardings : names_.out_shardings, list);
  }
  return true;
}

// (%arg2: T, %arg3: T) {...} {attrs} : (T, T) -> T
bool Parser::parse_region_arguments_and_body(OpState& op) {
  std::vector<Argument> arguments;
  return parse_arguments(arguments, /*names_optional=*/false) && parse_region(op, /*isolated=*/true, arguments) &&
         parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// (%a, %b) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%arg2: T, ...) {...} {attrs} : (T, T) -> T
bool Parser::parse_manual_computation(OpState& op) {
  AttrId axes;
  if (!parse_paren_operands(op) || !parse_in_out_shardings(op) || !expect_keyword("manual_axes") ||
      !expect(TokenKind::equal, "`=`") || !parse_axes_text("manual_axes", TokenKind::left_brace, axes))
    return false;
  add_attr(op, names_.manual_axes, axes);
  return parse_region_arguments_and_body(op);
}

// <"name">(%a) in_shardings=[...] out_shardings=[...] (%arg1: T) {...} {attrs} : (T) -> T
bool Parser::parse_named_computation(OpState& op) {
  std::string name;
  if (!expect(TokenKind::less, "`<` and the name of the computation") || !parse_string(name) ||
      !expect(TokenKind::greater, "`>`"))
    return false;
  add_attr(op, names_.name, builder_.attr_table().string(name));
  return parse_paren_operands(op) && parse_in_out_shardings(op) && parse_region_arguments_and_body(op);
}

// [{"b"}, {}] %t out_sharding=<@mesh, [...]> {attrs} : T, and the like: what stands before the operand depends on the
// op.
bool Parser::parse_sdy_collective(OpState& op) {
  const SdyAxes* axes = sdy_axes_of(op.kind);
  if (axes != nullptr) {
    if (at_keyword("max") || at_keyword("min") || at_keyword("sum")) {
      add_attr(op, builder_.name("reduction_op"), enum_attr("sdy<reduction_op", text()));
      advance();
    }
    AttrId list;
    if (!parse_axes_text(axes->mnemonic, axes->braces ? TokenKind::left_brace : TokenKind::left_bracket, list))
      return false;
    add_attr(op, builder_.name(axes->attribute), list);
  }
  AttrId sharding;
  if (!parse_operand(op) || !expect_keyword("out_sharding") || !expect(TokenKind::equal, "`=`") ||
      !parse_sharding_attr(sharding))
    return false;
  add_attr(op, names_.out_sharding, sharding);
  return parse_attr_dict(op.attrs) && parse_same_type(op);
}

}  // namespace sw::mlir
