// Sharding rules in Shardy's form: an op described as an einsum over factors. A factor is an independent loop of the op; a
// dimension is the product of its factors, major to minor. Worked example: reshape (8)->(2,4) is `([ij])->([i, j]) {i=2, j=4}`.
//
// The text form is what Shardy prints and what tests compare:
//   <([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/small_vector.h"

namespace sw {

enum class FactorKind : uint8_t { pass_through, reduction, need_replication, permutation };

using FactorIndex = uint16_t;

// The factors of every dimension of one operand or result.
struct TensorFactors {
  // Factors of dimension d: factors[dim_begins[d]] .. factors[dim_begins[d + 1]); dim_begins has rank + 1 entries.
  SmallVector<FactorIndex, 6> factors;
  SmallVector<uint16_t, 6> dim_begins;
  size_t rank() const { return dim_begins.empty() ? 0 : dim_begins.size() - 1; }
  std::span<const FactorIndex> dim(size_t d) const {
    return std::span<const FactorIndex>(factors).subspan(dim_begins[d], size_t{dim_begins[d + 1]} - dim_begins[d]);
  }
  friend bool operator==(const TensorFactors&, const TensorFactors&) = default;
};

struct FactorRule {
  SmallVector<int64_t, 8> sizes;          // by factor
  SmallVector<FactorKind, 8> kinds;       // by factor
  SmallVector<bool, 8> blocked;           // by factor: does not propagate (blocked_propagation={...})
  std::vector<TensorFactors> operands, results;
  bool custom = false;                    // given by the user on the op
  size_t factor_count() const { return sizes.size(); }
  friend bool operator==(const FactorRule&, const FactorRule&) = default;
};

}  // namespace sw
