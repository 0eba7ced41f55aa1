// Pointwise ops: one shape for all, and element types by op. An op whose types are all one id is right at once.
#include "ops/verify_check.h"

namespace sw {

namespace {

bool check_shapes(const OpCheck& check, size_t first) {
  const Type result = check.result();
  for (size_t i = first; i < check.operands.size(); ++i) {
    if (check.operand_id(i) == check.result_id()) continue;
    if (!same_dims(check.operand(i).dims, result.dims))
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(check.operand(i).dims) +
                            ", the result " + dims_text(result.dims) + ", expected equal shapes");
  }
  return true;
}

bool one_type(const OpCheck& check) {
  for (size_t i = 0; i < check.operands.size(); ++i)
    if (check.operand_id(i) != check.result_id()) return false;
  return check.result().is_array();
}

}  // namespace

// add_c1 and its like: same type for operands and result.
bool verify_pointwise(const OpCheck& check) {
  if (one_type(check)) return true;
  if (!check.arrays() || !check_shapes(check, 0)) return false;
  for (size_t i = 0; i < check.operands.size(); ++i)
    if (!check.elements(check.operand(i), check.result(), "operand " + std::to_string(i) + " and result")) return false;
  return true;
}

bool verify_compare(const OpCheck& check) {
  if (!check.arrays() || !check_shapes(check, 0)) return false;
  if (!check.elements(check.operand(0), check.operand(1), "the operands")) return false;  // compare_c1
  if (check.result().element != ElementType::pred)                                        // compare_c2
    return check.mismatch("the result is " + check.text(check.result_id()) +
                          ", expected elements that are true or false");
  std::string_view direction;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  if (!attrs.enumerator("comparison_direction", direction)) return check.bad_attribute(why);
  for (std::string_view known : {"EQ", "NE", "GE", "GT", "LE", "LT"})
    if (direction == known) return true;
  return check.bad_attribute("comparison direction `" + std::string(direction) +
                             "`, expected EQ, NE, GE, GT, LE or LT");
}

bool verify_select(const OpCheck& check) {
  if (!check.arrays() || !check_shapes(check, 1)) return false;
  const Type predicate = check.operand(0);
  if (predicate.element != ElementType::pred)
    return check.mismatch("the predicate is " + check.text(check.operand_id(0)) +
                          ", expected elements that are true or false");
  if (predicate.rank() != 0 && !same_dims(predicate.dims, check.result().dims))  // select_c1
    return check.mismatch("the predicate has shape " + dims_text(predicate.dims) + ", expected a scalar or " +
                          dims_text(check.result().dims));
  return check.elements(check.operand(1), check.operand(2), "the alternatives") &&
         check.elements(check.operand(1), check.result(), "operand 1 and result");  // select_c2
}

bool verify_clamp(const OpCheck& check) {
  if (one_type(check)) return true;
  if (!check.arrays()) return false;
  const Type operand = check.operand(1), result = check.result();
  if (!same_dims(operand.dims, result.dims))  // clamp_c4
    return check.mismatch("operand 1 has shape " + dims_text(operand.dims) + ", the result " + dims_text(result.dims) +
                          ", expected equal shapes");
  for (size_t i : {size_t{0}, size_t{2}}) {  // clamp_c1, c2
    const Type bound = check.operand(i);
    if (bound.rank() != 0 && !same_dims(bound.dims, operand.dims))
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(bound.dims) +
                            ", expected a scalar or " + dims_text(operand.dims));
    if (!check.elements(bound, operand, "bound and operand")) return false;  // clamp_c3
  }
  return check.elements(operand, result, "operand and result");
}

// Only the shape stays: convert, reduce_precision's relatives, is_finite, uniform_quantize, ...
bool verify_convert(const OpCheck& check) { return check.arrays() && check_shapes(check, 0); }

bool verify_complex(const OpCheck& check) {
  if (!check.arrays() || !check_shapes(check, 0)) return false;
  const ElementType element = check.operand(0).element;
  if (!check.elements(check.operand(0), check.operand(1), "real and imaginary parts")) return false;
  if (is_complex(check.result().element) && real_part_type(check.result().element) == element)
    return true;  // complex_c3
  return check.mismatch("the result is " + check.text(check.result_id()) +
                        ", expected complex elements with parts as in " + check.text(check.operand_id(0)));
}

// abs, real, imag: complex elements give their real type, others stay.
bool verify_real(const OpCheck& check) {
  if (one_type(check) && !is_complex(check.result().element)) return true;
  if (!check.arrays() || !check_shapes(check, 0)) return false;
  Type expected = check.operand(0);
  expected.element = real_part_type(expected.element);
  if (same_element(expected, check.result())) return true;
  return check.mismatch("the result is " + check.text(check.result_id()) + ", expected elements of the real type of " +
                        check.text(check.operand_id(0)));
}

bool verify_map(const OpCheck& check) {
  if (!check.arrays() || !check_shapes(check, 0)) return false;
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");
  return check_scalar_body(check, 0, check.operands.size(), 1);
}

}  // namespace sw
