// Inputs for a program whose user gives none: random numbers of a size that programs work with, and integers that are
// valid where the program uses them as positions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "exec/array.h"
#include "ir/graph.h"

namespace sw {

enum class FloatRange : uint8_t {
  symmetric,  // -1 to 1
  positive,   // 0.1 to 1, for programs that take roots and logarithms of their inputs
};

// For every argument of main (tuples by top-level element): numbers in [0, limit) are valid wherever the argument ends
// up as an index; kNoLimit: it does not.
constexpr int64_t kNoLimit = INT64_MAX;
std::vector<std::vector<int64_t>> index_limits(const Graph& graph);

// The same seed gives the same numbers on every machine.
std::vector<Datum> random_inputs(const Graph& graph, uint64_t seed, FloatRange range);

// Splits a seed into independent streams of numbers.
class RandomNumbers {
 public:
  RandomNumbers(uint64_t seed, uint64_t stream) : mix_(seed * 0x9e3779b97f4a7c15ULL + stream * 0xd1b54a32d192ed03ULL) {}
  uint64_t bits() { return mix_.next(); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  int64_t below(int64_t limit) { return limit <= 0 ? 0 : static_cast<int64_t>(bits() % static_cast<uint64_t>(limit)); }

 private:
  SplitMix mix_;
};
Array random_array(ElementType element, std::span<const int64_t> dims, int64_t limit, FloatRange range,
                   RandomNumbers& numbers);

}  // namespace sw
