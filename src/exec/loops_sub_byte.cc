// Loops of ops that look at the bits of integers of 1, 2 and 4 bits: those are stored in a byte, the high bits copies
// of the sign, which are no bits of theirs. What results is cut to the width afterwards (to_stored).
#include <bit>

#include "exec/element_loop.h"

namespace sw {

namespace {

uint8_t low_bits(uint8_t x, int64_t width) { return static_cast<uint8_t>(x & ((1U << width) - 1)); }

void popcnt(const void* const* in, void* out, size_t n, int64_t width) {
  const auto* a = static_cast<const uint8_t*>(in[0]);
  auto* r = static_cast<uint8_t*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = static_cast<uint8_t>(std::popcount(low_bits(a[i], width)));
}

void leading_zeros(const void* const* in, void* out, size_t n, int64_t width) {
  const auto* a = static_cast<const uint8_t*>(in[0]);
  auto* r = static_cast<uint8_t*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = static_cast<uint8_t>(std::countl_zero(low_bits(a[i], width)) - (8 - width));
}

// By the width or more, a negative number of places included: everything is shifted out.
template <OpKind kKind>
void shift(const void* const* in, void* out, size_t n, int64_t width) {
  const auto* a = static_cast<const uint8_t*>(in[0]);
  const auto* b = static_cast<const uint8_t*>(in[1]);
  auto* r = static_cast<uint8_t*>(out);
  for (size_t i = 0; i < n; ++i) {
    const unsigned x = low_bits(a[i], width);
    const bool negative = (x >> (width - 1) & 1U) != 0, too_far = b[i] >= width;
    if constexpr (kKind == OpKind::shift_left) {
      r[i] = too_far ? uint8_t{0} : static_cast<uint8_t>(x << b[i]);
    } else if constexpr (kKind == OpKind::shift_right_logical) {
      r[i] = too_far ? uint8_t{0} : static_cast<uint8_t>(x >> b[i]);
    } else {
      const unsigned whole = negative ? x | (~0U << width) : x;
      r[i] = static_cast<uint8_t>(too_far ? (negative ? ~0U : 0U)
                                          : static_cast<unsigned>(static_cast<int>(whole) >> b[i]));
    }
  }
}

}  // namespace

LoopFn sub_byte_loop(OpKind kind) {
  switch (kind) {
    case OpKind::popcnt: return popcnt;
    case OpKind::count_leading_zeros: return leading_zeros;
    case OpKind::shift_left: return shift<OpKind::shift_left>;
    case OpKind::shift_right_logical: return shift<OpKind::shift_right_logical>;
    case OpKind::shift_right_arithmetic: return shift<OpKind::shift_right_arithmetic>;
    default: return nullptr;
  }
}

}  // namespace sw
