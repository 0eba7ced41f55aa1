#include "partition/hlo_form/formula.h"

#include <string>

#include "ops/literal.h"

namespace sw {

ValueId Formula::array(const Num& x, const Num& like) {
  if (x.value.valid()) return x.value;
  const ArrayShape shape = emit_.shape(like.value);
  Literal number;
  number.element = shape.element;
  number.splat = true;
  number.real = {rounded(x.number, shape.element).value_or(x.number), 0.0};
  const std::string text = hlo_element(number);
  const auto [at, fresh] = constants_.try_emplace({type(like).raw, text});
  if (fresh) at->second = emit_.splat(emit_.scalar_text(shape.element, text), shape);
  return at->second;
}

Num Formula::whole(int64_t number, const Num& like) {
  const ArrayShape shape = emit_.shape(like.value);
  const auto [at, fresh] = constants_.try_emplace({type(like).raw, std::to_string(number)});
  if (fresh) at->second = emit_.splat(emit_.scalar(shape.element, number), shape);
  return of(at->second);
}

Num Formula::same_bits(const Num& x, ElementType element) {
  ArrayShape shape = emit_.shape(x.value);
  shape.element = element;
  return of(emit_.op(OpKind::bitcast_convert, emit_.type(shape), {x.value}));
}

Num Formula::polynomial(const Num& x, std::span<const double> coefficients) {
  Num sum = coefficients.front();
  for (const double c : coefficients.subspan(1)) sum = sum * x + c;
  return sum;
}

// b0 = c0, b1 = x*b0 + c1, bn = x*bn-1 - bn-2 + cn; the series is half of what the last differs from the one before the
// one before it.
Num Formula::chebyshev(const Num& x, std::span<const double> coefficients) {
  const Num zero = of(array(0.0, x));
  Num last = zero, before = zero, two_before = zero;
  for (const double c : coefficients) {
    two_before = before;
    before = last;
    last = x * before - two_before + c;
  }
  return (last - two_before) * 0.5;
}

}  // namespace sw
