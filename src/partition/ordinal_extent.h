// Extents that depend on which shard a device holds: how much of the neighbours' data shard k needs on its left, where
// its window starts on the padded array. Each is a sum of terms
//     coefficient * trunc((multiplier * k + offset) / divisor)          k = ordinal of the shard along one dimension
// so that it can be evaluated for every shard at planning time and emitted as integer arithmetic on the device's
// ordinal.
//
// Worked example: 64 elements in 2 shards, a window of 3 with padding 1: shard k starts reading at 32k - 1, so its left
// halo is (32k) - (32k - 1) = 1 for every k; `constant()` is true and the slice after the exchange can be static.
#pragma once

#include <cstdint>

#include "base/small_vector.h"

namespace sw {

class OrdinalExtent {
 public:
  struct Term {
    int64_t coefficient = 1;
    int64_t multiplier = 0;
    int64_t offset = 0;
    int64_t divisor = 1;
    friend bool operator==(const Term&, const Term&) = default;
  };

  OrdinalExtent() = default;
  OrdinalExtent(int64_t multiplier, int64_t offset, int64_t divisor);
  static OrdinalExtent constant(int64_t value) { return {0, value, 1}; }

  OrdinalExtent operator+(const OrdinalExtent& other) const;
  OrdinalExtent operator-(const OrdinalExtent& other) const;
  OrdinalExtent times(int64_t factor) const;

  int64_t at(int64_t ordinal) const;
  // Largest value over ordinals [begin, end); begin < end.
  int64_t max_over(int64_t begin, int64_t end) const;
  // The same for every ordinal.
  bool is_constant() const;
  const SmallVector<Term, 4>& terms() const { return terms_; }

 private:
  void add_term(Term term);
  SmallVector<Term, 4> terms_;
};

}  // namespace sw
