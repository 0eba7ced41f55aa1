// Ops on constants. Whole numbers are computed when small, floating-point ones in the precision of their type, since
// equal results make equal constants; for the rest it is only known that the result is a constant. Follows
// StablehloAggressiveFolder.
#include <algorithm>
#include <bit>
#include <cmath>

#include "propagate/gspmd/stablehlo_simplify.h"

namespace sw::gspmd {

std::optional<double> rounded_to(double value, ElementType element) {
  if (element == ElementType::f64) return value;
  const float single = static_cast<float>(value);
  if (element == ElementType::f32) return single;
  if (element != ElementType::bf16 || !std::isfinite(single)) return std::nullopt;
  // The upper half of a float, to nearest, ties to even.
  uint32_t bits = std::bit_cast<uint32_t>(single);
  bits += 0x7fffU + ((bits >> 16) & 1U);
  return std::bit_cast<float>(bits & 0xffff0000U);
}

namespace {

std::optional<double> real_binary(OpKind kind, double a, double b) {
  switch (kind) {
    case OpKind::add: return a + b;
    case OpKind::subtract: return a - b;
    case OpKind::multiply: return a * b;
    case OpKind::divide: return b == 0 ? std::nullopt : std::optional(a / b);
    case OpKind::maximum: return std::max(a, b);
    case OpKind::minimum: return std::min(a, b);
    default: return std::nullopt;
  }
}

std::optional<int64_t> whole_binary(OpKind kind, int64_t a, int64_t b) {
  switch (kind) {
    case OpKind::add: return a + b;
    case OpKind::subtract: return a - b;
    case OpKind::multiply: return a * b;
    case OpKind::maximum: return std::max(a, b);
    case OpKind::minimum: return std::min(a, b);
    case OpKind::and_: return a & b;
    case OpKind::or_: return a | b;
    case OpKind::xor_: return a ^ b;
    case OpKind::divide: return b == 0 ? std::nullopt : std::optional(a / b);
    case OpKind::remainder: return b == 0 ? std::nullopt : std::optional(a % b);
    default: return std::nullopt;
  }
}

std::optional<double> real_unary(OpKind kind, double a) {
  switch (kind) {
    case OpKind::convert: return a;
    case OpKind::negate: return -a;
    case OpKind::abs: return std::fabs(a);
    case OpKind::sign: return a == 0 ? a : (a > 0 ? 1.0 : -1.0);
    case OpKind::sqrt: return a < 0 ? std::nullopt : std::optional(std::sqrt(a));
    case OpKind::rsqrt: return a <= 0 ? std::nullopt : std::optional(1.0 / std::sqrt(a));
    case OpKind::exponential: return std::exp(a);
    case OpKind::log: return a <= 0 ? std::nullopt : std::optional(std::log(a));
    case OpKind::sine: return std::sin(a);
    case OpKind::cosine: return std::cos(a);
    case OpKind::tan: return std::tan(a);
    case OpKind::tanh: return std::tanh(a);
    default: return std::nullopt;
  }
}

constexpr int64_t kSmall = int64_t{1} << 30;
bool small(int64_t value) { return value <= kSmall && value >= -kSmall; }

}  // namespace

bool Simplifier::fold_binary(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t a = node.operands[0], b = node.operands[1];
  if (const std::optional<double> x = real_of(a), y = real_of(b); x && y) {
    const std::optional<double> value = real_binary(node.kind, *x, *y);
    return value ? become_real(id, *value) : become_some_constant(id);
  }
  if (const std::optional<int64_t> x = number_of(a), y = number_of(b); x && y && small(*x) && small(*y)) {
    const std::optional<int64_t> value = whole_binary(node.kind, *x, *y);
    if (value) return become_number(id, *value);
  }
  return become_some_constant(id);
}

bool Simplifier::fold_unary(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t operand = node.operands[0];
  const ElementType to = element_of(node.first_result);
  const std::optional<int64_t> whole = number_of(operand);
  const std::optional<double> real = real_of(operand);
  if (is_floating(to)) {
    const std::optional<double> from =
        real ? real : (whole ? std::optional(static_cast<double>(*whole)) : std::nullopt);
    const std::optional<double> value = from ? real_unary(node.kind, *from) : std::nullopt;
    return value ? become_real(id, *value) : become_some_constant(id);
  }
  if (whole && small(*whole)) {
    if (node.kind == OpKind::convert)
      return become_number(id, to == ElementType::pred ? (*whole != 0 ? 1 : 0) : *whole);
    if (node.kind == OpKind::negate) return become_number(id, -*whole);
    if (node.kind == OpKind::not_ && to == ElementType::pred) return become_number(id, 1 - *whole);
  }
  return become_some_constant(id);
}

}  // namespace sw::gspmd
