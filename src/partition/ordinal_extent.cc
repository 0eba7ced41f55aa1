#include "partition/ordinal_extent.h"

#include <algorithm>
#include <numeric>

namespace sw {

OrdinalExtent::OrdinalExtent(int64_t multiplier, int64_t offset, int64_t divisor) {
  add_term({1, multiplier, offset, divisor});
}

// Terms that differ only in their coefficient are one term; a constant or exactly divisible numerator loses its
// divisor, so that differences of equal slopes cancel and `is_constant` sees it.
void OrdinalExtent::add_term(Term term) {
  if (term.divisor != 1 && term.multiplier % term.divisor == 0 && term.offset % term.divisor == 0) {
    term.multiplier /= term.divisor;
    term.offset /= term.divisor;
    term.divisor = 1;
  }
  if (term.divisor == 1) {
    for (Term& t : terms_) {
      if (t.divisor != 1) continue;
      t.multiplier = t.coefficient * t.multiplier + term.coefficient * term.multiplier;
      t.offset = t.coefficient * t.offset + term.coefficient * term.offset;
      t.coefficient = 1;
      return;
    }
    terms_.push_back({1, term.coefficient * term.multiplier, term.coefficient * term.offset, 1});
    return;
  }
  for (Term& t : terms_) {
    if (t.multiplier != term.multiplier || t.offset != term.offset || t.divisor != term.divisor) continue;
    t.coefficient += term.coefficient;
    return;
  }
  terms_.push_back(term);
}

OrdinalExtent OrdinalExtent::operator+(const OrdinalExtent& other) const {
  OrdinalExtent sum = *this;
  for (const Term& t : other.terms_) sum.add_term(t);
  return sum;
}

OrdinalExtent OrdinalExtent::operator-(const OrdinalExtent& other) const { return *this + other.times(-1); }

OrdinalExtent OrdinalExtent::times(int64_t factor) const {
  OrdinalExtent product;
  for (Term t : terms_) {
    t.coefficient *= factor;
    product.add_term(t);
  }
  return product;
}

int64_t OrdinalExtent::at(int64_t ordinal) const {
  int64_t sum = 0;
  for (const Term& t : terms_) sum += t.coefficient * ((t.multiplier * ordinal + t.offset) / t.divisor);
  return sum;
}

int64_t OrdinalExtent::max_over(int64_t begin, int64_t end) const {
  int64_t best = at(begin);
  // A linear extent has its maximum at an end, so that the number of shards costs nothing.
  const bool linear = std::all_of(terms_.begin(), terms_.end(), [](const Term& t) { return t.divisor == 1; });
  if (linear) return std::max(best, at(end - 1));
  for (int64_t k = begin + 1; k < end; ++k) best = std::max(best, at(k));
  return best;
}

bool OrdinalExtent::is_constant() const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const Term& t) { return t.coefficient == 0 || t.multiplier == 0; });
}

}  // namespace sw
