// Pretty forms with a grammar of their own, without regions.
#include <algorithm>
#include <array>

#include "text/mlir/parser.h"

namespace sw::mlir {

bool Parser::parse_custom_form(OpState& op, CustomForm form) {
  switch (form) {
    case CustomForm::compare: return parse_compare(op);
    case CustomForm::slice: return parse_slice(op);
    case CustomForm::constant: return parse_constant(op);
    case CustomForm::convolution: return parse_convolution(op);
    case CustomForm::custom_call: return parse_custom_call(op);
    case CustomForm::call: return parse_call(op);
    case CustomForm::composite: return parse_composite(op);
    case CustomForm::get_tuple_element: return parse_get_tuple_element(op);
    case CustomForm::tuple: return parse_tuple(op);
    case CustomForm::optimization_barrier: return parse_optimization_barrier(op);
    case CustomForm::return_: return parse_return(op);
    case CustomForm::top_k: return parse_top_k(op);
    case CustomForm::while_: return parse_while(op);
    case CustomForm::reduce: return parse_reduce(op);
    case CustomForm::sharding_constraint: return parse_sharding_constraint(op);
    case CustomForm::sharding_group: return parse_sharding_group(op);
    case CustomForm::propagation_barrier: return parse_propagation_barrier(op);
    case CustomForm::data_flow_edge: return parse_data_flow_edge(op);
    case CustomForm::manual_computation: return parse_manual_computation(op);
    case CustomForm::named_computation: return parse_named_computation(op);
    case CustomForm::sdy_collective: return parse_sdy_collective(op);
    case CustomForm::none:
    case CustomForm::table: break;
  }
  return false;
}

// LT, %a, %b, SIGNED : (T, T) -> T
bool Parser::parse_compare(OpState& op) {
  AttrId direction;
  if (!parse_enum("stablehlo<comparison_direction", direction)) return false;
  add_attr(op, names_.comparison_direction, direction);
  if (!expect(TokenKind::comma, "`,` and two operands") || !parse_operand(op) ||
      !expect(TokenKind::comma, "`,` and an operand") || !parse_operand(op))
    return false;
  if (accept(TokenKind::comma)) {
    AttrId type;
    if (!parse_enum("stablehlo<comparison_type", type)) return false;
    add_attr(op, names_.compare_type, type);
  }
  return parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// %a [0:8:2, 1:3] : (T) -> T
bool Parser::parse_slice(OpState& op) {
  if (!parse_operand(op) || !expect(TokenKind::left_bracket, "`[` and ranges")) return false;
  IntList starts, limits, strides;
  if (!at(TokenKind::right_bracket)) {
    do {
      int64_t start = 0, limit = 0, stride = 1;
      if (!parse_integer(start) || !expect(TokenKind::colon, "`:` and the limit of a range") || !parse_integer(limit))
        return false;
      if (accept(TokenKind::colon) && !parse_integer(stride)) return false;
      starts.push_back(start);
      limits.push_back(limit);
      strides.push_back(stride);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` behind a range")) return false;
  add_attr(op, names_.limit_indices, int_list(limits));
  add_attr(op, names_.start_indices, int_list(starts));
  add_attr(op, names_.strides, int_list(strides));
  return parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// {attrs} dense<...> : T, or () {value = dense<...> : T} : () -> U
bool Parser::parse_constant(OpState& op) {
  if (accept(TokenKind::left_paren)) {
    if (!expect(TokenKind::right_paren, "`)`")) return false;
    if (accept(TokenKind::less)) {
      if (!expect(TokenKind::left_brace, "`{` and properties") || !parse_dictionary_entries(op.attrs, /*of_op=*/true) ||
          !expect(TokenKind::greater, "`>` behind the properties"))
        return false;
    }
    return parse_attr_dict(op.attrs) && parse_functional_type(op);
  }
  if (!parse_attr_dict(op.attrs)) return false;
  const SourceRange where = range(token_);
  AttrId value;
  if (!parse_attribute(value)) return false;
  const Attr attr = builder_.attr_table().get(value);
  if (attr.kind != AttrKind::dense)
    return fail(DiagnosticKind::bad_attribute, where, "a constant is `dense<...>` or `dense_resource<...>`");
  op.result_types.push_back(attr.type);
  add_attr(op, names_.value, value);
  return true;
}

// (%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {...} {attrs} : (T, T) -> T
bool Parser::parse_convolution(OpState& op) {
  AttrId dims;
  if (!parse_paren_operands(op) || !expect_keyword("dim_numbers") || !expect(TokenKind::equal, "`=`") ||
      !parse_conv_dims(dims))
    return false;
  add_attr(op, names_.dimension_numbers, dims);
  return expect(TokenKind::comma, "`,` and `window`") && expect_keyword("window") && expect(TokenKind::equal, "`=`") &&
         expect(TokenKind::left_brace, "`{` and the window") && parse_window(op) && parse_attr_dict(op.attrs) &&
         parse_functional_type(op);
}

// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]: where each list holds the batch, feature and spatial dimensions.
bool Parser::parse_conv_dims(AttrId& out) {
  AttrList fields;
  const auto side = [&](char first, char second, std::string_view prefix, std::string_view first_name,
                        std::string_view second_name) {
    if (!expect(TokenKind::left_bracket, "`[` and dimensions")) return false;
    std::array<int64_t, 2> special{-1, -1};
    std::vector<std::pair<int64_t, int64_t>> spatial;
    int64_t position = 0;
    while (!at(TokenKind::right_bracket)) {
      if (at(TokenKind::identifier) && text().size() == 1 && (text()[0] == first || text()[0] == second)) {
        int64_t& place = special[text()[0] == first ? 0 : 1];
        if (place != -1)
          return fail(DiagnosticKind::bad_attribute, range(token_),
                      "dimension `" + std::string(text()) + "` stands twice");
        place = position;
        advance();
      } else if (accept(TokenKind::question)) {
        // a dimension of no meaning to the convolution
      } else {
        int64_t number = 0;
        if (!parse_integer(number)) return false;
        spatial.emplace_back(number, position);
      }
      ++position;
      if (!accept(TokenKind::comma)) break;
    }
    const SourceRange where = range(token_);
    if (!expect(TokenKind::right_bracket, "`,` or `]` behind a dimension")) return false;
    std::ranges::sort(spatial);
    IntList dims;
    for (const auto& [number, place] : spatial) {
      if (number != static_cast<int64_t>(dims.size()))
        return fail(DiagnosticKind::bad_attribute, where, "spatial dimensions must be 0, 1, 2, ...");
      dims.push_back(place);
    }
    if (special[0] < 0 || special[1] < 0)
      return fail(DiagnosticKind::bad_attribute, where,
                  std::string("dimension `") + (special[0] < 0 ? first : second) + "` is missing");
    const std::string start(prefix);
    fields.push_back(
        {builder_.name(start + std::string(first_name)), builder_.attr_table().integer(special[0], scalar_i64_)});
    fields.push_back(
        {builder_.name(start + std::string(second_name)), builder_.attr_table().integer(special[1], scalar_i64_)});
    fields.push_back({builder_.name(start + "spatial_dimensions"), int_list(dims)});
    return true;
  };
  if (!side('b', 'f', "input_", "batch_dimension", "feature_dimension") || !expect_keyword("x") ||
      !side('i', 'o', "kernel_", "input_feature_dimension", "output_feature_dimension") ||
      !expect(TokenKind::arrow, "`->` and the dimensions of the result") ||
      !side('b', 'f', "output_", "batch_dimension", "feature_dimension"))
    return false;
  out = builder_.attr_table().struct_("stablehlo.conv", fields);
  return true;
}

// stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}
bool Parser::parse_window(OpState& op) {
  while (!at(TokenKind::right_brace)) {
    if (!at(TokenKind::identifier)) return fail_expected("a parameter of the window");
    const std::string_view word = text();
    const bool reverse = word == "reverse";
    const bool pad = word == "pad";
    const StringId name = word == "stride"       ? names_.window_strides
                          : pad                  ? names_.padding
                          : word == "lhs_dilate" ? names_.lhs_dilation
                          : word == "rhs_dilate" ? names_.rhs_dilation
                          : reverse              ? names_.window_reversal
                                                 : StringId{};
    if (!name.valid()) return fail_expected("`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`");
    advance();
    if (!expect(TokenKind::equal, "`=`")) return false;
    IntList values;
    if (pad) {
      if (!expect(TokenKind::left_bracket, "`[` and pairs of padding")) return false;
      while (!at(TokenKind::right_bracket)) {
        const SourceRange where = range(token_);
        const size_t before = values.size();
        if (!parse_integer_list(values)) return false;
        if (values.size() != before + 2)
          return fail(DiagnosticKind::bad_attribute, where, "padding is a pair `[low, high]`");
        if (!accept(TokenKind::comma)) break;
      }
      if (!expect(TokenKind::right_bracket, "`,` or `]` behind a pair of padding")) return false;
      const int64_t shape[] = {static_cast<int64_t>(values.size() / 2), 2};
      add_attr(op, name, int_matrix(values, 2, builder_.types().tensor(ElementType::s64, shape)));
    } else {
      if (!parse_integer_list(values)) return false;
      add_attr(op, name,
               reverse ? builder_.attr_table().dense_array(builder_.types().scalar(ElementType::pred), values)
                       : int_list(values));
    }
    if (!accept(TokenKind::comma)) break;
  }
  return expect(TokenKind::right_brace, "`,` or `}` in a window");
}

// @target(%a) {attrs} : (T) -> T
bool Parser::parse_custom_call(OpState& op) {
  if (!at(TokenKind::symbol)) return fail_expected("the target of the call such as `@Sharding`");
  const std::string_view target = text().substr(1);
  add_attr(op, names_.call_target_name,
           target.starts_with('"') ? builder_.attr_table().string(unescape_mlir(target))
                                   : builder_.attr_table().string(target));
  advance();
  return parse_paren_operands(op) && parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// @f(%a) {attrs} : (T) -> T
bool Parser::parse_call(OpState& op) {
  AttrId callee;
  if (!parse_symbol(callee)) return false;
  add_attr(op, names_.callee, callee);
  return parse_paren_operands(op) && parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// "name" %a, %b {attrs} : (T, T) -> T
bool Parser::parse_composite(OpState& op) {
  std::string name;
  if (!parse_string(name)) return false;
  add_attr(op, names_.name, builder_.attr_table().string(name));
  return parse_operands(op) && parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// %a[0] : (tuple<T>) -> T
bool Parser::parse_get_tuple_element(OpState& op) {
  int64_t index = 0;
  if (!parse_operand(op) || !expect(TokenKind::left_bracket, "`[` and the number of the element") ||
      !parse_integer(index) || !expect(TokenKind::right_bracket, "`]`"))
    return false;
  add_attr(op, names_.index, integer_attr(index, ElementType::s32));
  return parse_attr_dict(op.attrs) && parse_functional_type(op);
}

// %a, %b : tuple<T, U>
bool Parser::parse_tuple(OpState& op) {
  TypeId type;
  if (!parse_operands(op) || !parse_attr_dict(op.attrs) || !expect(TokenKind::colon, "`:` and a tuple type") ||
      !parse_type(type))
    return false;
  const Type tuple = builder_.types().get(type);
  if (tuple.kind != TypeKind::tuple)
    return fail(DiagnosticKind::bad_type, range(op.name_token),
                "`stablehlo.tuple` makes a tuple, not `" + mlir_text(builder_.types(), type) + "`");
  op.operand_types.assign(tuple.elements.begin(), tuple.elements.end());
  op.result_types.push_back(type);
  return true;
}

// {attrs} %a, %b : T, U, or ()
bool Parser::parse_optimization_barrier(OpState& op) {
  if (!parse_attr_dict(op.attrs)) return false;
  if (accept(TokenKind::left_paren)) return expect(TokenKind::right_paren, "`)`");
  if (!at(TokenKind::value)) return fail_expected("operands or `()`");
  if (!parse_operands(op) || !expect(TokenKind::colon, "`:` and types") || !parse_type_list(op.operand_types))
    return false;
  op.result_types = op.operand_types;
  return true;
}

// %a, %b {attrs} : T, U; the attributes may stand before the operands too, and there may be nothing at all
bool Parser::parse_return(OpState& op) {
  if (!parse_attr_dict(op.attrs) || !parse_operands(op) || !parse_attr_dict(op.attrs)) return false;
  if (op.operands.empty()) return true;
  return expect(TokenKind::colon, "`:` and types") && parse_type_list(op.operand_types);
}

// (%a, k = 8, largest = true) {attrs} : T -> (T, U)
bool Parser::parse_top_k(OpState& op) {
  if (!expect(TokenKind::left_paren, "`(` and an operand") || !parse_operand(op)) return false;
  while (accept(TokenKind::comma)) {
    if (at_keyword("k")) {
      int64_t k = 0;
      advance();
      if (!expect(TokenKind::equal, "`=`") || !parse_integer(k)) return false;
      add_attr(op, names_.k, builder_.attr_table().integer(k, scalar_i64_));
    } else if (at_keyword("largest") || at_keyword("is_stable")) {
      const StringId name = text() == "largest" ? names_.largest : names_.is_stable;
      advance();
      if (!expect(TokenKind::equal, "`=`")) return false;
      if (!at_keyword("true") && !at_keyword("false")) return fail_expected("`true` or `false`");
      add_attr(op, name, builder_.attr_table().boolean(text() == "true"));
      advance();
    } else {
      return fail_expected("`k = ...`");
    }
  }
  return expect(TokenKind::right_paren, "`)`") && parse_attr_dict(op.attrs) &&
         expect(TokenKind::colon, "`:` and types") && parse_type_list(op.operand_types) &&
         expect(TokenKind::arrow, "`->` and the types of the results") && parse_result_types(op.result_types);
}

}  // namespace sw::mlir
