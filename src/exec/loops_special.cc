// Loops of what CHLO has beside StableHLO: inverse and hyperbolic functions, error functions, gamma and its relatives.
// Computed in double and rounded once.
#include <cmath>
#include <limits>
#include <numbers>

#include "exec/loop_types.h"

namespace sw {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double log_gamma(double x) {
  int sign = 0;  // std::lgamma would write it to a global
  return std::isinf(x) ? kInf : ::lgamma_r(x, &sign);
}

// Above 8 by the asymptotic series, below by psi(x) = psi(x + 1) - 1 / x, negative numbers by reflection.
double digamma(double x) {
  if (x <= 0 && x == std::floor(x)) return x == 0 ? -std::copysign(kInf, x) : kNan;
  double shift = 0;
  if (x < 0) {
    shift = -std::numbers::pi / std::tan(std::numbers::pi * x);
    x = 1 - x;
  }
  for (; x < 8; ++x) shift -= 1 / x;
  const double z = 1 / (x * x);
  const double series =
      z *
      (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return shift + std::log(x) - 0.5 / x - series;
}

// Sum of (q + k)^-s: ten terms, then Euler and Maclaurin.
double hurwitz_zeta(double s, double q) {
  if (s == 1) return kInf;
  if (s < 1 || std::isnan(s) || std::isnan(q)) return kNan;
  if (q <= 0) {
    if (q == std::floor(q)) return std::fmod(s, 2) == 0 ? kInf : kNan;
    if (s != std::floor(s)) return kNan;
  }
  double sum = 0;
  for (int k = 0; k < 10 || q < 10; ++k, ++q) sum += std::pow(q, -s);
  constexpr double kBernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                   5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};
  const double power = std::pow(q, -s);
  sum += power * q / (s - 1) + 0.5 * power;
  double factor = s * power / q, factorial = 2;
  for (int j = 0; j < 8; ++j) {
    sum += kBernoulli[j] / factorial * factor;
    const double k = 2 * j + 1;
    factor *= (s + k) * (s + k + 1) / (q * q);
    factorial *= (k + 2) * (k + 3);
  }
  return sum;
}

double polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n)) return kNan;
  if (n == 0) return digamma(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::exp(log_gamma(n + 1)) * hurwitz_zeta(n + 1, x);
}

// Newton's method on erf from a rational first guess.
double inverse_erf(double y) {
  if (std::isnan(y) || std::fabs(y) > 1) return kNan;
  if (std::fabs(y) == 1) return std::copysign(kInf, y);
  const double a = 0.147, l = std::log1p(-y * y), t = 2 / (std::numbers::pi * a) + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - l / a) - t), y);
  for (int i = 0; i < 4; ++i) {
    // Near one the complement keeps the digits.
    const double error = std::fabs(y) <= 0.5 ? std::erf(x) - y
                         : y > 0             ? (1 - y) - std::erfc(x)
                                             : std::erfc(-x) - (1 + y);
    const double slope = 2 / std::sqrt(std::numbers::pi) * std::exp(-x * x);
    if (slope == 0) break;
    x -= error / (slope + x * error);  // Halley: the second derivative is -2 x slope
  }
  return x;
}

// exp(-|x|) I1(x): the power series, from 20 on the asymptotic one.
double scaled_bessel_i1(double x) {
  const double z = std::fabs(x);
  double sum = 0;
  if (z < 20) {
    double term = z / 2;
    for (int k = 1; term > sum * 1e-18; ++k) {
      sum += term;
      term *= z * z / 4 / (k * (k + 1.0));
    }
    sum *= std::exp(-z);
  } else {
    double term = 1;
    for (int k = 1; k < 16; ++k) {
      sum += term;
      const double odd = 2 * k - 1;
      term *= -(4 - odd * odd) / (8 * z * k);
    }
    sum /= std::sqrt(2 * std::numbers::pi * z);
  }
  return std::isinf(x) ? 0 : std::copysign(sum, x);
}

#define SW_SPECIAL(Name, expression)     \
  struct Name {                          \
    template <class T>                   \
    auto operator()(T value) const {     \
      const double x = value;            \
      return static_cast<T>(expression); \
    }                                    \
  }
#define SW_BOTH(Name, function)  \
  struct Name {                  \
    template <class T>           \
    auto operator()(T x) const { \
      return std::function(x);   \
    }                            \
  }
#define SW_QUESTION(Name, expression)          \
  struct Name {                                \
    template <class T>                         \
    auto operator()(T x) const {               \
      return static_cast<uint8_t>(expression); \
    }                                          \
  }

SW_BOTH(Acos, acos);
SW_BOTH(Acosh, acosh);
SW_BOTH(Asin, asin);
SW_BOTH(Asinh, asinh);
SW_BOTH(Atan, atan);
SW_BOTH(Atanh, atanh);
SW_BOTH(Cosh, cosh);
SW_BOTH(Sinh, sinh);
SW_SPECIAL(BesselI1e, scaled_bessel_i1(x));
SW_SPECIAL(Digamma, digamma(x));
SW_SPECIAL(Erf, std::erf(x));
SW_SPECIAL(Erfc, std::erfc(x));
SW_SPECIAL(ErfInv, inverse_erf(x));
SW_SPECIAL(LogGamma, log_gamma(x));
SW_QUESTION(IsInf, std::isinf(x));
SW_QUESTION(IsPosInf, std::isinf(x) && x > 0);
SW_QUESTION(IsNegInf, std::isinf(x) && x < 0);
struct Conjugate {
  template <class T>
  auto operator()(T x) const {
    return std::conj(x);
  }
};
struct Square {
  template <class T>
  auto operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x));
    } else {
      return x * x;
    }
  }
};
struct Zeta {
  template <class T>
  auto operator()(T s, T q) const {
    return static_cast<T>(hurwitz_zeta(s, q));
  }
};
struct Polygamma {
  template <class T>
  auto operator()(T n, T x) const {
    return static_cast<T>(polygamma(n, x));
  }
};

template <class F>
LoopFn floats(ElementType e) {
  return for_floats<Unary<F>::template Of>(e);
}
template <class F>
LoopFn both(ElementType e) {
  return first_of(floats<F>(e), for_complex<Unary<F>::template Of>(e));
}

}  // namespace

LoopFn special_loop(OpKind kind, ElementType e) {
  switch (kind) {
    case OpKind::chlo_acos: return both<Acos>(e);
    case OpKind::chlo_acosh: return both<Acosh>(e);
    case OpKind::chlo_asin: return both<Asin>(e);
    case OpKind::chlo_asinh: return both<Asinh>(e);
    case OpKind::chlo_atan: return both<Atan>(e);
    case OpKind::chlo_atanh: return both<Atanh>(e);
    case OpKind::chlo_bessel_i1e: return floats<BesselI1e>(e);
    case OpKind::chlo_conj: return for_complex<Unary<Conjugate>::Of>(e);
    case OpKind::chlo_cosh: return both<Cosh>(e);
    case OpKind::chlo_digamma: return floats<Digamma>(e);
    case OpKind::erf:
    case OpKind::chlo_erf: return floats<Erf>(e);
    case OpKind::chlo_erf_inv: return floats<ErfInv>(e);
    case OpKind::chlo_erfc: return floats<Erfc>(e);
    case OpKind::chlo_is_inf: return floats<IsInf>(e);
    case OpKind::chlo_is_neg_inf: return floats<IsNegInf>(e);
    case OpKind::chlo_is_pos_inf: return floats<IsPosInf>(e);
    case OpKind::chlo_lgamma: return floats<LogGamma>(e);
    case OpKind::chlo_sinh: return both<Sinh>(e);
    case OpKind::chlo_square: return first_of(both<Square>(e), for_integers<Unary<Square>::Of>(e));
    case OpKind::chlo_polygamma: return for_floats<Binary<Polygamma>::Of>(e);
    case OpKind::chlo_zeta: return for_floats<Binary<Zeta>::Of>(e);
    default: return nullptr;
  }
}

#undef SW_SPECIAL
#undef SW_BOTH
#undef SW_QUESTION

}  // namespace sw
