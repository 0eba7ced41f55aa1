// Loops of ops with two and three operands: arithmetic, bits, comparison, selection, clamping.
//
// Integers wrap. Division by zero gives all ones (-1), the remainder its dividend; the smallest number divided by -1
// gives itself. Shifts by the width or more shift everything out. Maximum, minimum and clamp give NaN when they see
// one.
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "exec/loop_types.h"

namespace sw {

namespace {

#define SW_FUNCTOR(Name, ...)                   \
  struct Name {                                 \
    template <class T>                          \
    auto operator()(T a, T b) const __VA_ARGS__ \
  }
// Arithmetic on unsigned numbers at least as wide as int, so that nothing overflows.
#define SW_WRAPPING(op)                                                            \
  {                                                                                \
    if constexpr (std::is_integral_v<T>) {                                         \
      return static_cast<T>(static_cast<uint64_t>(a) op static_cast<uint64_t>(b)); \
    } else {                                                                       \
      return a op b;                                                               \
    }                                                                              \
  }

SW_FUNCTOR(Add, SW_WRAPPING(+));
SW_FUNCTOR(Subtract, SW_WRAPPING(-));
// Complex numbers by the formula, without C's repair of infinities, as XLA does.
SW_FUNCTOR(Multiply, {
  if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>)
    SW_WRAPPING(*)
  else
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
});
SW_FUNCTOR(Divide, {
  if constexpr (!std::is_integral_v<T>) {
    return a / b;
  } else {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a));
    return static_cast<T>(a / b);
  }
});
// The upper half of the product, which is as wide as both together: of 64 bits from the products of halves, less what
// a negative factor has counted as 2^64 too much.
uint64_t upper_half(uint64_t a, uint64_t b) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (a & kLow) * (b & kLow), across = (a >> 32) * (b & kLow) + (low >> 32);
  const uint64_t other = (a & kLow) * (b >> 32) + (across & kLow);
  return (a >> 32) * (b >> 32) + (across >> 32) + (other >> 32);
}
SW_FUNCTOR(MultiplyHigh, {
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
  } else {
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    uint64_t upper = upper_half(x, y);
    if constexpr (std::is_signed_v<T>) upper -= (a < 0 ? y : 0) + (b < 0 ? x : 0);
    return static_cast<T>(upper);
  }
});
SW_FUNCTOR(Remainder, {
  if constexpr (!std::is_integral_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return T(0);
    return static_cast<T>(a % b);
  }
});
SW_FUNCTOR(Maximum, {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  return a < b ? b : a;
});
SW_FUNCTOR(Minimum, {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  return b < a ? b : a;
});
SW_FUNCTOR(Power, {
  if constexpr (!std::is_integral_v<T>) {
    return T(std::pow(a, b));
  } else {
    if constexpr (std::is_signed_v<T>)
      if (b < 0) return static_cast<T>(a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
    uint64_t result = 1, base = static_cast<uint64_t>(a);
    for (auto e = static_cast<uint64_t>(b); e > 0; e >>= 1, base *= base)
      if ((e & 1) != 0) result *= base;
    return static_cast<T>(result);
  }
});
SW_FUNCTOR(Atan2, { return std::atan2(a, b); });
SW_FUNCTOR(MakeComplex, { return std::complex<T>(a, b); });
SW_FUNCTOR(And, { return static_cast<T>(a & b); });
SW_FUNCTOR(Or, { return static_cast<T>(a | b); });
SW_FUNCTOR(Xor, { return static_cast<T>(a ^ b); });
SW_FUNCTOR(NextAfter, { return std::nextafter(a, b); });

template <class T>
bool too_far(T shift) {
  return static_cast<uint64_t>(shift) >= sizeof(T) * 8;  // a negative one too
}
SW_FUNCTOR(ShiftLeft, {
  using U = std::make_unsigned_t<T>;
  return too_far(b) ? T(0) : static_cast<T>(static_cast<U>(static_cast<uint64_t>(static_cast<U>(a)) << b));
});
SW_FUNCTOR(ShiftRightLogical, {
  using U = std::make_unsigned_t<T>;
  return too_far(b) ? T(0) : static_cast<T>(static_cast<U>(a) >> b);
});
SW_FUNCTOR(ShiftRightArithmetic, {
  using S = std::make_signed_t<T>;
  const auto s = static_cast<S>(a);
  return static_cast<T>(too_far(b) ? (s < 0 ? S(-1) : S(0)) : static_cast<S>(s >> b));
});

SW_FUNCTOR(Equal, { return static_cast<uint8_t>(a == b); });
SW_FUNCTOR(NotEqual, { return static_cast<uint8_t>(a != b); });
SW_FUNCTOR(Less, { return static_cast<uint8_t>(a < b); });
SW_FUNCTOR(LessEqual, { return static_cast<uint8_t>(a <= b); });
SW_FUNCTOR(Greater, { return static_cast<uint8_t>(a > b); });
SW_FUNCTOR(GreaterEqual, { return static_cast<uint8_t>(a >= b); });

// -NaN < -inf < ... < -0 < +0 < ... < inf < NaN, as integers.
template <class T>
auto ordered_bits(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    using S = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    const S code = std::bit_cast<S>(x);
    return code < 0 ? static_cast<S>(code ^ std::numeric_limits<S>::max()) : code;
  } else {
    return x;
  }
}
template <class F>
struct Ordered {
  template <class T>
  auto operator()(T a, T b) const {
    return F{}(ordered_bits(a), ordered_bits(b));
  }
};

template <class F>
LoopFn floats(ElementType e) {
  return for_floats<Binary<F>::template Of>(e);
}
template <class F>
LoopFn complexes(ElementType e) {
  return for_complex<Binary<F>::template Of>(e);
}
template <class F>
LoopFn integers(ElementType e) {
  return for_integers<Binary<F>::template Of>(e);
}
template <class F>
LoopFn numbers(ElementType e) {
  return first_of(floats<F>(e), integers<F>(e), complexes<F>(e));
}
// As for numbers; on predicates what `P` does.
template <class F, class P>
LoopFn numbers_or(ElementType e) {
  return e == ElementType::pred ? loop2<P, uint8_t> : numbers<F>(e);
}
template <class F>
LoopFn bitwise(ElementType e) {
  return e == ElementType::pred ? loop2<F, uint8_t> : integers<F>(e);
}

template <class F>
LoopFn comparison(ElementType e) {
  return e == ElementType::pred ? loop2<F, uint8_t> : first_of(floats<F>(e), integers<F>(e));
}
template <class F>
LoopFn comparison(bool total_order, ElementType e) {
  return total_order && is_floating(e) ? floats<Ordered<F>>(e) : comparison<F>(e);
}

template <class T>
void select(const void* const* in, void* out, size_t n, int64_t) {
  const auto* which = static_cast<const uint8_t*>(in[0]);
  const T* a = static_cast<const T*>(in[1]);
  const T* b = static_cast<const T*>(in[2]);
  T* r = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = which[i] != 0 ? a[i] : b[i];
}

template <class T>
void clamp(const void* const* in, void* out, size_t n, int64_t) {
  const T* low = static_cast<const T*>(in[0]);
  const T* x = static_cast<const T*>(in[1]);
  const T* high = static_cast<const T*>(in[2]);
  T* r = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = Minimum{}(Maximum{}(low[i], x[i]), high[i]);
}
template <class T>
struct Clamp {
  static constexpr LoopFn fn = clamp<T>;
};

}  // namespace

LoopFn binary_loop(OpKind kind, ElementType e) {
  switch (kind) {
    case OpKind::add: return numbers_or<Add, Or>(e);
    case OpKind::and_: return bitwise<And>(e);
    case OpKind::atan2: return floats<Atan2>(e);
    case OpKind::complex: return floats<MakeComplex>(e);
    case OpKind::divide: return numbers<Divide>(e);
    case OpKind::maximum:
      return e == ElementType::pred ? loop2<Or, uint8_t> : first_of(floats<Maximum>(e), integers<Maximum>(e));
    case OpKind::minimum:
      return e == ElementType::pred ? loop2<And, uint8_t> : first_of(floats<Minimum>(e), integers<Minimum>(e));
    case OpKind::multiply: return numbers_or<Multiply, And>(e);
    case OpKind::or_: return bitwise<Or>(e);
    case OpKind::power: return numbers<Power>(e);
    case OpKind::remainder: return first_of(floats<Remainder>(e), integers<Remainder>(e));
    case OpKind::shift_left: return integers<ShiftLeft>(e);
    case OpKind::shift_right_arithmetic: return integers<ShiftRightArithmetic>(e);
    case OpKind::shift_right_logical: return integers<ShiftRightLogical>(e);
    case OpKind::subtract: return numbers<Subtract>(e);
    case OpKind::xor_: return bitwise<Xor>(e);
    case OpKind::chlo_mulhi: return integers<MultiplyHigh>(e);
    case OpKind::chlo_next_after: return floats<NextAfter>(e);
    default: return special_loop(kind, e);
  }
}

LoopFn compare_loop(std::string_view direction, bool total_order, ElementType e) {
  if (direction == "EQ") return first_of(comparison<Equal>(total_order, e), complexes<Equal>(e));
  if (direction == "NE") return first_of(comparison<NotEqual>(total_order, e), complexes<NotEqual>(e));
  if (direction == "LT") return comparison<Less>(total_order, e);
  if (direction == "LE") return comparison<LessEqual>(total_order, e);
  if (direction == "GT") return comparison<Greater>(total_order, e);
  return direction == "GE" ? comparison<GreaterEqual>(total_order, e) : nullptr;
}

LoopFn select_loop(size_t width) {
  struct Wide {
    uint64_t low, high;
  };
  switch (width) {
    case 1: return select<uint8_t>;
    case 2: return select<uint16_t>;
    case 4: return select<uint32_t>;
    case 8: return select<uint64_t>;
    case 16: return select<Wide>;
    default: return nullptr;
  }
}

LoopFn clamp_loop(ElementType e) {
  return e == ElementType::pred ? clamp<uint8_t> : first_of(for_floats<Clamp>(e), for_integers<Clamp>(e));
}

#undef SW_FUNCTOR
#undef SW_WRAPPING

}  // namespace sw
