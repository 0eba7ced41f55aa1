// Arithmetic written as it is meant: `f.select(x < 0.0, -x, x)` appends the ops to a computation. All operands have one
// shape; plain numbers become constants of the shape and type of what stands beside them, each made once.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "partition/emitter.h"

namespace sw {

class Formula;

// An array, or a number that has no array yet (`value` invalid).
class Num {
 public:
  Num(double written) : number(written) {}  // NOLINT: numbers are written as they are
  Num(Formula* in, ValueId array) : formula(in), value(array) {}

  Formula* formula = nullptr;
  ValueId value;
  double number = 0;
};

class Formula {
 public:
  explicit Formula(Emitter& emit) : emit_(emit) {}

  Emitter& emit() { return emit_; }
  Num of(ValueId value) { return {this, value}; }
  // A number as an array like `like`.
  ValueId array(const Num& x, const Num& like);
  Num like(double number, const Num& x) { return of(array(number, x)); }
  // An integer with these bits, exactly.
  Num whole(int64_t number, const Num& like);

  Num unary(OpKind kind, const Num& x) { return of(emit_.op(kind, type(x), {x.value})); }
  Num binary(OpKind kind, const Num& a, const Num& b) { return of(emit_.binary(kind, array(a, b), array(b, a))); }
  Num compare(std::string_view direction, const Num& a, const Num& b) {
    return of(emit_.compare(direction, array(a, b), array(b, a)));
  }
  Num select(const Num& which, const Num& yes, const Num& no) {
    return of(emit_.select(which.value, array(yes, no), array(no, yes)));
  }
  Num converted(const Num& x, ElementType element) { return of(emit_.convert(x.value, element)); }
  Num same_bits(const Num& x, ElementType element);

  // The polynomial with these coefficients, the highest power first (Horner).
  Num polynomial(const Num& x, std::span<const double> coefficients);
  // The Chebyshev series with these coefficients, the highest order first (Clenshaw).
  Num chebyshev(const Num& x, std::span<const double> coefficients);

 private:
  TypeId type(const Num& x) const { return emit_.graph().value(x.value).type; }

  Emitter& emit_;
  std::map<std::pair<uint32_t, std::string>, ValueId> constants_;  // by type and spelling
};

inline Num binary(OpKind kind, const Num& a, const Num& b) {
  return (a.formula != nullptr ? a : b).formula->binary(kind, a, b);
}
inline Num operator+(const Num& a, const Num& b) { return binary(OpKind::add, a, b); }
inline Num operator-(const Num& a, const Num& b) { return binary(OpKind::subtract, a, b); }
inline Num operator*(const Num& a, const Num& b) { return binary(OpKind::multiply, a, b); }
inline Num operator/(const Num& a, const Num& b) { return binary(OpKind::divide, a, b); }
inline Num operator&(const Num& a, const Num& b) { return binary(OpKind::and_, a, b); }
inline Num operator|(const Num& a, const Num& b) { return binary(OpKind::or_, a, b); }
inline Num operator-(const Num& x) { return x.formula->unary(OpKind::negate, x); }
inline Num operator<(const Num& a, const Num& b) { return a.formula->compare("LT", a, b); }
inline Num operator<=(const Num& a, const Num& b) { return a.formula->compare("LE", a, b); }
inline Num operator>(const Num& a, const Num& b) { return a.formula->compare("GT", a, b); }
inline Num operator>=(const Num& a, const Num& b) { return a.formula->compare("GE", a, b); }
inline Num operator==(const Num& a, const Num& b) { return a.formula->compare("EQ", a, b); }
inline Num operator!=(const Num& a, const Num& b) { return a.formula->compare("NE", a, b); }
inline Num abs(const Num& x) { return x.formula->unary(OpKind::abs, x); }
inline Num exp(const Num& x) { return x.formula->unary(OpKind::exponential, x); }
inline Num expm1(const Num& x) { return x.formula->unary(OpKind::exponential_minus_one, x); }
inline Num log(const Num& x) { return x.formula->unary(OpKind::log, x); }
inline Num log1p(const Num& x) { return x.formula->unary(OpKind::log_plus_one, x); }
inline Num sqrt(const Num& x) { return x.formula->unary(OpKind::sqrt, x); }
inline Num floor(const Num& x) { return x.formula->unary(OpKind::floor, x); }
inline Num sign(const Num& x) { return x.formula->unary(OpKind::sign, x); }
inline Num sin(const Num& x) { return x.formula->unary(OpKind::sine, x); }
inline Num cos(const Num& x) { return x.formula->unary(OpKind::cosine, x); }
inline Num power(const Num& a, const Num& b) { return binary(OpKind::power, a, b); }
inline Num remainder(const Num& a, const Num& b) { return binary(OpKind::remainder, a, b); }
inline Num atan2(const Num& a, const Num& b) { return binary(OpKind::atan2, a, b); }

}  // namespace sw
