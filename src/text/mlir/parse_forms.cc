// Pretty forms that the table in forms.h describes.
#include "text/mlir/parser.h"

namespace sw::mlir {

namespace {

// The word with which a field begins.
std::string_view first_word(const Field& field) {
  switch (field.kind) {
    case FieldKind::dot_dims: return "contracting_dims";
    case FieldKind::precision: return "precision";
    case FieldKind::algorithm: return "algorithm";
    default: return field.keyword;
  }
}

}  // namespace

bool Parser::parse_form(OpState& op, const Form& form) {
  bool more = true;  // nothing but a comma stands before the current token
  bool comma = false;
  while (at(TokenKind::value) && more) {
    if (!parse_operand(op)) return false;
    comma = more = accept(TokenKind::comma);
  }
  for (const Field& field : form.fields) {
    const bool here =
        at_keyword(first_word(field)) || (field.kind == FieldKind::dot_dims && at_keyword("batching_dims"));
    if (!more || !here) {
      if (field.optional) continue;
      return fail_expected((more ? "`" : "`, ") + std::string(first_word(field)) + " = ...`");
    }
    if (!parse_field(op, field)) return false;
    comma = more = accept(TokenKind::comma);
  }
  if (comma) return fail_expected("an operand or a parameter behind `,`");
  return parse_attr_dict(op.attrs) && parse_form_types(op, form.types);
}

bool Parser::parse_field(OpState& op, const Field& field) {
  switch (field.kind) {
    case FieldKind::dot_dims: return parse_dot_dims(op);
    case FieldKind::precision: return parse_precision(op);
    case FieldKind::algorithm: return parse_algorithm(op);
    default: break;
  }
  advance();
  if (!expect(TokenKind::equal, "`=`")) return false;
  AttrId value;
  switch (field.kind) {
    case FieldKind::int_list: {
      IntList list;
      if (!parse_integer_list(list)) return false;
      value = int_list(list);
      break;
    }
    case FieldKind::i64: {
      int64_t number = 0;
      if (!parse_integer(number)) return false;
      value = builder_.attr_table().integer(number, scalar_i64_);
      break;
    }
    case FieldKind::boolean:
      if (!at_keyword("true") && !at_keyword("false")) return fail_expected("`true` or `false`");
      value = builder_.attr_table().boolean(text() == "true");
      advance();
      break;
    case FieldKind::text: {
      std::string content;
      if (!parse_string(content)) return false;
      value = builder_.attr_table().string(content);
      break;
    }
    case FieldKind::fft_type:
      if (!parse_enum("stablehlo<fft_type", value)) return false;
      break;
    case FieldKind::rng_distribution:
      if (!parse_enum("stablehlo<rng_distribution", value)) return false;
      break;
    case FieldKind::rng_algorithm:
      if (!parse_enum("stablehlo<rng_algorithm", value)) return false;
      break;
    case FieldKind::exponent_mantissa: return parse_exponent_mantissa(op);
    case FieldKind::dot_dims:
    case FieldKind::precision:
    case FieldKind::algorithm: break;
  }
  add_attr(op, builder_.name(field.attribute), value);
  return true;
}

bool Parser::parse_form_types(OpState& op, TypeForm form) {
  switch (form) {
    case TypeForm::same: return parse_same_type(op);
    case TypeForm::functional: return parse_functional_type(op);
    case TypeForm::results: return expect(TokenKind::colon, "`:` and a type") && parse_type_list(op.result_types);
    case TypeForm::listed:
      return expect(TokenKind::colon, "`:` and the types of the operands") && parse_type_list(op.operand_types) &&
             expect(TokenKind::arrow, "`->` and the type of the result") && parse_result_types(op.result_types);
    case TypeForm::select: return parse_select_types(op);
    case TypeForm::complex: return parse_complex_types(op);
  }
  return false;
}

// `: tensor<2xi1>, tensor<2xf32>` (predicate, then the one type of the rest), or functional.
bool Parser::parse_select_types(OpState& op) {
  if (!expect(TokenKind::colon, "`:` and types")) return false;
  if (at(TokenKind::left_paren))
    return parse_paren_type_list(op.operand_types) && expect(TokenKind::arrow, "`->` and the type of the result") &&
           parse_result_types(op.result_types);
  TypeId predicate, type;
  if (!parse_type(predicate) || !expect(TokenKind::comma, "`,` and the type of the branches") || !parse_type(type))
    return false;
  op.operand_types.assign(op.operands.size(), type);
  if (!op.operand_types.empty()) op.operand_types[0] = predicate;
  op.result_types.push_back(type);
  return true;
}

// `: tensor<2xcomplex<f32>>` stands for operands of the real type; or functional.
bool Parser::parse_complex_types(OpState& op) {
  const SourceRange where = range(token_);
  if (!parse_same_type(op)) return false;
  const Type type = builder_.types().get(op.result_types.empty() ? scalar_i64_ : op.result_types[0]);
  if (op.operand_types.empty() || op.operand_types[0] != op.result_types[0]) return true;
  if (!type.is_tensor() || !is_complex(type.element))
    return fail(
        DiagnosticKind::bad_type, where,
        "`stablehlo.complex` makes a complex tensor, not `" + mlir_text(builder_.types(), op.result_types[0]) + "`");
  const IntList dims(type.dims);
  const std::string encoding(type.text);
  const TypeId part = builder_.types().tensor(real_part_type(type.element), dims, encoding);
  op.operand_types.assign(op.operands.size(), part);
  return true;
}

// batching_dims = [0] x [0], contracting_dims = [2] x [1]
bool Parser::parse_dot_dims(OpState& op) {
  AttrList fields;
  const auto pair = [&](std::string_view lhs, std::string_view rhs) {
    advance();
    IntList left, right;
    if (!expect(TokenKind::equal, "`=`") || !parse_integer_list(left) || !expect_keyword("x") ||
        !parse_integer_list(right))
      return false;
    fields.push_back({builder_.name(lhs), int_list(left)});
    fields.push_back({builder_.name(rhs), int_list(right)});
    return true;
  };
  if (at_keyword("batching_dims")) {
    if (!pair("lhs_batching_dimensions", "rhs_batching_dimensions")) return false;
    if (!expect(TokenKind::comma, "`,` and `contracting_dims`")) return false;
  }
  if (!at_keyword("contracting_dims")) return fail_expected("`contracting_dims = ...`");
  if (!pair("lhs_contracting_dimensions", "rhs_contracting_dimensions")) return false;
  add_attr(op, names_.dot_dimension_numbers, canonical_struct("stablehlo.dot", fields));
  return true;
}

// precision = [DEFAULT, HIGHEST]
bool Parser::parse_precision(OpState& op) {
  advance();
  if (!expect(TokenKind::equal, "`=`") || !expect(TokenKind::left_bracket, "`[` and precisions")) return false;
  SmallVector<AttrId, 4> values;
  if (!at(TokenKind::right_bracket)) {
    do {
      AttrId value;
      if (!parse_enum("stablehlo<precision", value)) return false;
      values.push_back(value);
    } while (accept(TokenKind::comma));
  }
  if (!expect(TokenKind::right_bracket, "`,` or `]` behind a precision")) return false;
  add_attr(op, names_.precision_config, builder_.attr_table().array(values));
  return true;
}

// algorithm = <lhs_precision_type = tf32, ...>
bool Parser::parse_algorithm(OpState& op) {
  advance();
  AttrId value;
  if (!expect(TokenKind::equal, "`=`") || !expect(TokenKind::less, "`<` and an algorithm") ||
      !parse_struct("stablehlo.dot_algorithm", value) || !expect(TokenKind::greater, "`,` or `>` in an algorithm"))
    return false;
  add_attr(op, names_.algorithm, value);
  return true;
}

// e8m7
bool Parser::parse_exponent_mantissa(OpState& op) {
  int64_t exponent = 0, mantissa = 0;
  size_t i = 1;
  const std::string_view word = at(TokenKind::identifier) && text().starts_with('e') ? text() : std::string_view();
  const auto number = [&](int64_t& value) {
    const size_t first = i;
    for (; i < word.size() && word[i] >= '0' && word[i] <= '9' && value < 1'000'000; ++i)
      value = value * 10 + (word[i] - '0');
    return i > first;
  };
  if (word.empty() || !number(exponent) || i >= word.size() || word[i++] != 'm' || !number(mantissa) ||
      i != word.size())
    return fail_expected("a format such as `e8m7`");
  advance();
  add_attr(op, names_.exponent_bits, integer_attr(exponent, ElementType::s32));
  add_attr(op, names_.mantissa_bits, integer_attr(mantissa, ElementType::s32));
  return true;
}

}  // namespace sw::mlir
