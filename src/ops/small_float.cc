#include "ops/small_float.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "base/check.h"

namespace sw {

bool small_float_format(ElementType element, FloatFormat& out) {
  switch (element) {
    case ElementType::f16: out = {16, 5, 10, 15}; return true;
    case ElementType::bf16: out = {16, 8, 7, 127}; return true;
    case ElementType::f8e5m2: out = {8, 5, 2, 15}; return true;
    case ElementType::f8e4m3: out = {8, 4, 3, 7}; return true;
    case ElementType::f8e3m4: out = {8, 3, 4, 3}; return true;
    case ElementType::f8e4m3fn: out = {8, 4, 3, 7, true, false}; return true;
    case ElementType::f8e4m3b11fnuz: out = {8, 4, 3, 11, true, false, true}; return true;
    case ElementType::f8e4m3fnuz: out = {8, 4, 3, 8, true, false, true}; return true;
    case ElementType::f8e5m2fnuz: out = {8, 5, 2, 16, true, false, true}; return true;
    case ElementType::f8e8m0fnu: out = {8, 8, 0, 127, false, false}; return true;
    case ElementType::f4e2m1fn: out = {4, 2, 1, 1, true, false, false, false}; return true;
    case ElementType::f6e2m3fn: out = {6, 2, 3, 1, true, false, false, false}; return true;
    case ElementType::f6e3m2fn: out = {6, 3, 2, 3, true, false, false, false}; return true;
    default: return false;
  }
}

namespace {

constexpr uint32_t ones(int count) { return (uint32_t{1} << count) - 1; }

uint32_t sign_bit(const FloatFormat& f) { return f.has_sign ? uint32_t{1} << (f.bits - 1) : 0; }

uint32_t nan_bits(const FloatFormat& f) {
  if (f.nan_is_negative_zero) return sign_bit(f);
  if (!f.has_nan) return 0;
  const uint32_t exponent = ones(f.exponent_bits) << f.mantissa_bits;
  if (!f.has_infinity) return exponent | ones(f.mantissa_bits);
  return exponent | (uint32_t{1} << (f.mantissa_bits - 1));
}

// The largest finite magnitude, as bits.
uint32_t largest(const FloatFormat& f) {
  const uint32_t all = ones(f.exponent_bits + f.mantissa_bits);
  if (f.has_infinity) return (ones(f.exponent_bits) << f.mantissa_bits) - 1;
  return f.has_nan && !f.nan_is_negative_zero ? all - 1 : all;
}

uint32_t overflow_bits(const FloatFormat& f) {
  if (f.has_infinity) return ones(f.exponent_bits) << f.mantissa_bits;
  return f.has_nan ? nan_bits(f) : largest(f);
}

// Magnitudes as units of the last place at their exponent; the rounding of std::nearbyint is to even.
uint32_t encode_magnitude(double value, const FloatFormat& f) {
  const int smallest = f.has_sign ? 1 - f.bias : -f.bias;  // exponent of subnormals; e8m0 has none
  int exponent = 0;
  if (value == 0) return 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 1, smallest);
  const double units = std::nearbyint(std::ldexp(value, f.mantissa_bits - exponent));
  const auto mantissa = static_cast<int64_t>(units);
  // A mantissa that has rounded up to the next power of two carries into the exponent by itself.
  const int64_t offset = f.has_sign ? exponent - smallest : exponent + f.bias;
  const int64_t hidden = f.has_sign ? int64_t{0} : -1;
  const int64_t code = (offset << f.mantissa_bits) + mantissa + hidden;
  return code > static_cast<int64_t>(largest(f)) ? overflow_bits(f) : static_cast<uint32_t>(std::max<int64_t>(code, 0));
}

}  // namespace

uint32_t encode_float(double value, const FloatFormat& f) {
  if (std::isnan(value)) return nan_bits(f) | (f.has_infinity && std::signbit(value) ? sign_bit(f) : 0);
  const bool negative = std::signbit(value);
  if (negative && !f.has_sign) return nan_bits(f);
  const uint32_t sign = negative ? sign_bit(f) : 0;
  if (std::isinf(value)) return f.has_infinity || !f.nan_is_negative_zero ? overflow_bits(f) | sign : nan_bits(f);
  const uint32_t magnitude = encode_magnitude(std::fabs(value), f);
  if (f.nan_is_negative_zero && (magnitude == 0 || magnitude == nan_bits(f))) return magnitude;
  return magnitude | sign;
}

double decode_float(uint32_t code, const FloatFormat& f) {
  const bool negative = f.has_sign && (code & sign_bit(f)) != 0;
  const uint32_t magnitude = code & ones(f.exponent_bits + f.mantissa_bits);
  const double sign = negative ? -1.0 : 1.0;
  if (f.nan_is_negative_zero && code == nan_bits(f)) return std::numeric_limits<double>::quiet_NaN();
  const uint32_t exponent = magnitude >> f.mantissa_bits, mantissa = magnitude & ones(f.mantissa_bits);
  if (!f.has_sign) {  // a power of two
    return magnitude == nan_bits(f) ? std::numeric_limits<double>::quiet_NaN()
                                    : std::ldexp(1.0, static_cast<int>(exponent) - f.bias);
  }
  if (f.has_infinity && exponent == ones(f.exponent_bits))
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (!f.has_infinity && f.has_nan && !f.nan_is_negative_zero && magnitude == nan_bits(f))
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
  return sign *
         std::ldexp(mantissa + (uint32_t{1} << f.mantissa_bits), static_cast<int>(exponent) - f.bias - f.mantissa_bits);
}

namespace {

uint16_t to_bf16(float value) {
  const auto code = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((code >> 16 & 0x8000U) | 0x7fc0U);
  return static_cast<uint16_t>((code + 0x7fffU + (code >> 16 & 1U)) >> 16);
}

// All values of a format; 2^16 of them at most.
const float* decoded(ElementType element) {
  static std::array<std::unique_ptr<float[]>, 64> tables;
  static std::array<std::once_flag, 64> made;
  const auto i = static_cast<size_t>(element);
  SW_CHECK(i < tables.size(), "more element types than tables");
  std::call_once(made[i], [&] {
    FloatFormat format;
    SW_CHECK(small_float_format(element, format), "not a small float");
    const size_t count = size_t{1} << (format.bits <= 8 ? 8 : 16);
    tables[i] = std::make_unique<float[]>(count);
    for (size_t code = 0; code < count; ++code)
      tables[i][code] = static_cast<float>(decode_float(static_cast<uint32_t>(code), format));
  });
  return tables[i].get();
}

}  // namespace

void widen_floats(ElementType element, const void* from, float* to, size_t count) {
  if (element == ElementType::bf16) {
    const auto* in = static_cast<const uint16_t*>(from);
    for (size_t i = 0; i < count; ++i) to[i] = std::bit_cast<float>(static_cast<uint32_t>(in[i]) << 16);
    return;
  }
  const float* table = decoded(element);
  if (bits(element) > 8) {
    const auto* in = static_cast<const uint16_t*>(from);
    for (size_t i = 0; i < count; ++i) to[i] = table[in[i]];
  } else {
    const auto* in = static_cast<const uint8_t*>(from);
    for (size_t i = 0; i < count; ++i) to[i] = table[in[i]];
  }
}

void narrow_floats(ElementType element, const float* from, void* to, size_t count) {
  if (element == ElementType::bf16) {
    auto* out = static_cast<uint16_t*>(to);
    for (size_t i = 0; i < count; ++i) out[i] = to_bf16(from[i]);
    return;
  }
  FloatFormat format;
  SW_CHECK(small_float_format(element, format), "not a small float");
  if (format.bits > 8) {
    auto* out = static_cast<uint16_t*>(to);
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<uint16_t>(encode_float(from[i], format));
  } else {
    auto* out = static_cast<uint8_t*>(to);
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(encode_float(from[i], format));
  }
}

}  // namespace sw
