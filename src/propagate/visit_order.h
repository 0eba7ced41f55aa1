// Other orders in which a partitioner may look at a program than its own: for finding what depends on the order (lint).
//
// A partitioner asks every op and its neighbours until nothing changes. Where the program leaves no choice, the answer
// is the same in any order; where two shardings compete for a value, the one that is looked at first often wins.
// `own` is the real partitioner's order, in which alone its answers are reproduced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/split_mix.h"

namespace sw {

struct VisitOrder {
  enum class Kind : uint8_t {
    own,
    reversed,        // from the last op to the first
    seeded,          // shuffled, by `seed`
    backward_first,  // from results to operands before from operands to results
  };
  Kind kind = Kind::own;
  uint64_t seed = 0;
};

class OrderRandom {
 public:
  explicit OrderRandom(uint64_t seed) : mix_(seed) {}
  // In [0, bound); bound > 0.
  size_t below(size_t bound) { return static_cast<size_t>(mix_.next() % bound); }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  SplitMix mix_;
};

}  // namespace sw
