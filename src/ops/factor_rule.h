// Sharding rules in Shardy's form: an op described as an einsum over factors. A factor is an independent loop of the
// op; a dimension is the product of its factors, major to minor. Worked example: reshape (8)->(2,4) is `([ij])->([i,
// j]) {i=2, j=4}`.
//
// The text form is what Shardy prints and what tests compare:
//   <([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>
// Factors are named i .. z, then z_1, z_2, ... in the order of their indices; sizes stand in that order; the lists of
// kinds are sorted, in the order reduction, need_replication, permutation, blocked_propagation, each left out when
// empty.
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
    return std::span<const FactorIndex>(factors).subspan(dim_begins[d],
                                                         static_cast<size_t>(dim_begins[d + 1] - dim_begins[d]));
  }
  friend bool operator==(const TensorFactors&, const TensorFactors&) = default;
};

struct FactorRule {
  SmallVector<int64_t, 8> sizes;     // by factor
  SmallVector<FactorKind, 8> kinds;  // by factor
  SmallVector<bool, 8> blocked;      // by factor: does not propagate (blocked_propagation={...})
  std::vector<TensorFactors> operands, results;
  bool custom = false;  // given by the user on the op
  size_t factor_count() const { return sizes.size(); }
  friend bool operator==(const FactorRule&, const FactorRule&) = default;
};

// The most factors that a rule may have; far above any real op, and far inside FactorIndex.
constexpr size_t kMaxFactors = 32'000;

// "i" for 0, "z" for 17, "z_1" for 18.
std::string factor_symbol(FactorIndex factor);
// The text form, with its angle brackets.
std::string factor_rule_text(const FactorRule& rule);

// Why a text is no rule: bytes [begin, end) of it, and what was seen and expected.
struct FactorRuleError {
  size_t begin = 0, end = 0;
  std::string message;
};
// Reads the text form (white space allowed between tokens). Refuses what the form cannot mean: symbols that are not
// factors, sizes out of order, a factor twice in one tensor or unused, a factor of size 1 beside others in one
// dimension, lists that are unsorted, repeat a factor, or give it two kinds, reduction factors in a result. Whether it
// fits an op is fits_op().
bool parse_factor_rule(std::string_view text, FactorRule& rule, FactorRuleError& error);

// Collects "factor f is dimension d of tensor t" in any order and lays them out as a FactorRule. As Shardy's builder
// does: a factor of size 1 given by lists of dimensions is not appended to a dimension that has a factor already, and
// at the end every dimension without one gets a fresh factor of size 1, operands first. Tensors of rank 0 have no
// dimensions.
class FactorRuleBuilder {
 public:
  static constexpr int64_t kNoDim = -1;

  // Clears `rule`; its memory is used again.
  explicit FactorRuleBuilder(FactorRule& rule);
  // All operands must be added before the first result, all tensors before the first factor.
  void operand(size_t rank);
  void result(size_t rank);

  // Dimension operand_dims[i] of operand i (kNoDim: none) and result_dims[i] of result i are factor `size`. Lists may
  // be shorter than the tensors.
  void factor(std::span<const int64_t> operand_dims, std::span<const int64_t> result_dims, int64_t size,
              FactorKind kind = FactorKind::pass_through, bool blocked = false);
  void factor(std::initializer_list<int64_t> operand_dims, std::initializer_list<int64_t> result_dims, int64_t size,
              FactorKind kind = FactorKind::pass_through, bool blocked = false) {
    factor(std::span(operand_dims.begin(), operand_dims.size()), std::span(result_dims.begin(), result_dims.size()),
           size, kind, blocked);
  }
  // Dimension `dim` of every operand and result of sufficient rank.
  void on_all(size_t dim, int64_t size, FactorKind kind = FactorKind::pass_through, bool blocked = false);
  void on_operands(size_t dim, int64_t size, FactorKind kind);
  void on_results(size_t dim, int64_t size, FactorKind kind);

  // False when the rule would have more than kMaxFactors factors.
  bool finish();

 private:
  struct Entry {
    uint32_t dim;  // index into dim_counts_
    FactorIndex factor;
  };
  FactorIndex add(int64_t size, FactorKind kind, bool blocked);
  void map(size_t tensor, size_t dim, FactorIndex factor);
  void map_range(size_t first, size_t last, size_t dim, FactorIndex factor);
  void map_listed(size_t first, std::span<const int64_t> dims, FactorIndex factor, int64_t size);
  size_t rank(size_t tensor) const { return tensor_begins_[tensor + 1] - tensor_begins_[tensor]; }
  void lay_out(size_t tensor, TensorFactors& out);

  FactorRule& rule_;
  size_t operand_count_ = 0;
  bool overflow_ = false;
  SmallVector<uint32_t, 12> tensor_begins_;  // first dimension of each tensor, operands then results
  SmallVector<uint16_t, 32> dim_counts_;     // factors of each dimension so far
  SmallVector<uint16_t, 32> dim_next_;
  SmallVector<Entry, 48> entries_;
};

}  // namespace sw
