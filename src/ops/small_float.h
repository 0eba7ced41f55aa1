// Floats of 16 bits and less, as their bits. Arithmetic on them is done in f32 and rounded back (nearest, ties to
// even), as XLA's CPU compiler does it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/types.h"

namespace sw {

struct FloatFormat {
  int bits = 0, exponent_bits = 0, mantissa_bits = 0, bias = 0;
  bool has_sign = true;
  bool has_infinity = true;           // IEEE: the largest exponent is infinity and NaN; otherwise those are numbers ...
  bool nan_is_negative_zero = false;  // ... but for NaN, which is either -0 or
  bool has_nan = true;                // all ones; without NaN, overflow saturates
};
// False for f32 and wider, and for what is no float.
bool small_float_format(ElementType element, FloatFormat& out);

uint32_t encode_float(double value, const FloatFormat& format);
double decode_float(uint32_t bits, const FloatFormat& format);

// Whole runs; `element` is a small float.
void widen_floats(ElementType element, const void* from, float* to, size_t count);
void narrow_floats(ElementType element, const float* from, void* to, size_t count);

}  // namespace sw
