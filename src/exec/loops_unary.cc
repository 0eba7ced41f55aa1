// Loops of ops with one operand that XLA has itself.
#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "exec/loop_types.h"

namespace sw {

namespace {

#define SW_FUNCTOR(Name, ...)              \
  struct Name {                            \
    template <class T>                     \
    auto operator()(T x) const __VA_ARGS__ \
  }

SW_FUNCTOR(Abs, { return std::abs(x); });
SW_FUNCTOR(Cbrt, { return std::cbrt(x); });
SW_FUNCTOR(Ceil, { return std::ceil(x); });
SW_FUNCTOR(Cos, { return std::cos(x); });
SW_FUNCTOR(Exp, { return std::exp(x); });
SW_FUNCTOR(Expm1, { return std::expm1(x); });
SW_FUNCTOR(Floor, { return std::floor(x); });
SW_FUNCTOR(Log, { return std::log(x); });
SW_FUNCTOR(Log1p, { return std::log1p(x); });
SW_FUNCTOR(Logistic, { return T(1) / (T(1) + std::exp(-x)); });
SW_FUNCTOR(RoundAway, { return std::round(x); });
SW_FUNCTOR(RoundEven, { return std::nearbyint(x); });
SW_FUNCTOR(Rsqrt, { return T(1) / std::sqrt(x); });
SW_FUNCTOR(Sin, { return std::sin(x); });
SW_FUNCTOR(Sqrt, { return std::sqrt(x); });
SW_FUNCTOR(Tan, { return std::tan(x); });
SW_FUNCTOR(Tanh, { return std::tanh(x); });
SW_FUNCTOR(Negate, { return -x; });
SW_FUNCTOR(Real, { return x.real(); });
SW_FUNCTOR(Imag, { return x.imag(); });
SW_FUNCTOR(Itself, { return x; });
SW_FUNCTOR(NoImaginary, {
  static_cast<void>(x);
  return T(0);
});
SW_FUNCTOR(IsFinite, { return static_cast<uint8_t>(std::isfinite(x)); });
SW_FUNCTOR(NotPred, { return static_cast<uint8_t>(x == 0); });
// NaN and zero as they are.
SW_FUNCTOR(SignFloat, { return x > 0 ? T(1) : x < 0 ? T(-1) : x; });
SW_FUNCTOR(SignInteger, { return static_cast<T>(x > 0 ? 1 : x == 0 ? 0 : -1); });
SW_FUNCTOR(SignComplex, {
  const auto magnitude = std::abs(x);
  return magnitude == 0 ? T(0) : x / magnitude;
});
SW_FUNCTOR(NegateInteger, {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(U(0) - static_cast<U>(x)));
});
SW_FUNCTOR(AbsInteger, {
  if constexpr (std::is_signed_v<T>) {
    return x < 0 ? NegateInteger{}(x) : x;  // the smallest stays what it is
  } else {
    return x;
  }
});
SW_FUNCTOR(NotInteger, { return static_cast<T>(~x); });
SW_FUNCTOR(Popcount, { return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(x))); });
SW_FUNCTOR(LeadingZeros, { return static_cast<T>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(x))); });
SW_FUNCTOR(Log1pComplex, {
  using F = typename T::value_type;
  // Near zero the sum of squares keeps what 1 + x would lose; elsewhere it loses what 1 + x keeps, or is too large.
  const bool is_far = std::max(std::abs(x.real()), std::abs(x.imag())) > F(0.5);
  const F magnitude =
      is_far ? std::log(x + T(1)).real() : F(0.5) * std::log1p(x.real() * (F(2) + x.real()) + x.imag() * x.imag());
  return T(magnitude, std::atan2(x.imag(), F(1) + x.real()));
});
SW_FUNCTOR(Expm1Complex, {
  using F = typename T::value_type;
  const F half = std::sin(x.imag() / F(2));
  const F e = std::expm1(x.real());
  const F sine = std::sin(x.imag());
  return T(e * std::cos(x.imag()) - F(2) * half * half, sine == F(0) ? sine : (e + F(1)) * sine);
});

template <class F>
LoopFn floats(ElementType e) {
  return for_floats<Unary<F>::template Of>(e);
}
template <class F>
LoopFn complexes(ElementType e) {
  return for_complex<Unary<F>::template Of>(e);
}
template <class F>
LoopFn integers(ElementType e) {
  return for_integers<Unary<F>::template Of>(e);
}
template <class F>
LoopFn both(ElementType e) {
  return first_of(floats<F>(e), complexes<F>(e));
}

// Rounds f32 and f64 to a format of `param` = exponent bits * 64 + mantissa bits. Overflow gives infinity, numbers
// below the smallest normal one give zero.
template <class T>
void reduce_precision(const void* const* in, void* out, size_t n, int64_t param) {
  using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52, kExponent = sizeof(T) == 4 ? 8 : 11;
  const auto exponent_bits = static_cast<int>(param / 64), mantissa_bits = static_cast<int>(param % 64);
  const T* a = static_cast<const T*>(in[0]);
  T* r = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) {
    T x = a[i];
    if (std::isnan(x)) {
      r[i] = mantissa_bits > 0 ? x : std::copysign(std::numeric_limits<T>::infinity(), x);
      continue;
    }
    if (mantissa_bits < kMantissa && std::isfinite(x)) {
      const int dropped = kMantissa - mantissa_bits;
      const U code = std::bit_cast<U>(x), last = code >> dropped & U(1);
      const U rounded = code + ((U(1) << (dropped - 1)) - U(1)) + last;
      x = std::bit_cast<T>(rounded >> dropped << dropped);
    }
    if (exponent_bits < kExponent && x != 0 && std::isfinite(x)) {
      const int bias = (1 << (exponent_bits - 1)) - 1, exponent = std::ilogb(x);
      if (exponent > bias) x = std::copysign(std::numeric_limits<T>::infinity(), x);
      if (exponent < 1 - bias) x = std::copysign(T(0), x);
    }
    r[i] = x;
  }
}

template <class T>
struct ReducePrecision {
  static constexpr LoopFn fn = reduce_precision<T>;
};

}  // namespace

LoopFn unary_loop(OpKind kind, ElementType e) {
  switch (kind) {
    case OpKind::abs: return first_of(both<Abs>(e), integers<AbsInteger>(e));
    case OpKind::cbrt: return floats<Cbrt>(e);
    case OpKind::ceil: return floats<Ceil>(e);
    case OpKind::cosine: return both<Cos>(e);
    case OpKind::count_leading_zeros: return integers<LeadingZeros>(e);
    case OpKind::exponential: return both<Exp>(e);
    case OpKind::exponential_minus_one: return first_of(floats<Expm1>(e), complexes<Expm1Complex>(e));
    case OpKind::floor: return floats<Floor>(e);
    case OpKind::imag: return first_of(complexes<Imag>(e), floats<NoImaginary>(e));
    case OpKind::is_finite: return floats<IsFinite>(e);
    case OpKind::log: return both<Log>(e);
    case OpKind::log_plus_one: return first_of(floats<Log1p>(e), complexes<Log1pComplex>(e));
    case OpKind::logistic: return both<Logistic>(e);
    case OpKind::negate: return first_of(both<Negate>(e), integers<NegateInteger>(e));
    case OpKind::not_: return e == ElementType::pred ? loop1<NotPred, uint8_t> : integers<NotInteger>(e);
    case OpKind::popcnt: return integers<Popcount>(e);
    case OpKind::real: return first_of(complexes<Real>(e), floats<Itself>(e));
    case OpKind::reduce_precision: return for_floats<ReducePrecision>(e);
    case OpKind::round_nearest_afz: return floats<RoundAway>(e);
    case OpKind::round_nearest_even: return floats<RoundEven>(e);
    case OpKind::rsqrt: return both<Rsqrt>(e);
    case OpKind::sign: return first_of(floats<SignFloat>(e), complexes<SignComplex>(e), integers<SignInteger>(e));
    case OpKind::sine: return both<Sin>(e);
    case OpKind::sqrt: return both<Sqrt>(e);
    case OpKind::tan: return both<Tan>(e);
    case OpKind::tanh: return both<Tanh>(e);
    default: return special_loop(kind, e);
  }
}

#undef SW_FUNCTOR

}  // namespace sw
