// From dimensions to factors and back. Propagation does not move axes between dimensions of tensors but between the
// factors of a rule (ops/factor_rule.h): a sharding is projected onto the factors, factors are extended, and the result
// is read back as a sharding.
//
// A dimension with factors f1..fk (major to minor) hands out its axes from the left: f1 takes axes until it is fully
// sharded, splitting an axis where its size does not fit, then f2, and so on; the last one takes whatever is left. Axes
// that f1 cannot take although it is not full (their sizes have no common divisor) are its *overflow*: they stay in the
// sharding but block the dimension. Worked example, mesh x=4, dimension 8 of factors i=2, j=4, sharded {"x"}:
//   i takes "x":(1)2, j takes "x":(2)2; back again: "x":(1)2 + "x":(2)2 = "x".
// With i=3, j=4 and {"x"}: gcd(3, 4) = 1, so "x" is overflow of i.
//
// Follows sharding_projection.cc of Shardy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/factor_rule.h"
#include "sharding/axis_ref.h"
#include "sharding/named_sharding.h"

namespace sw::shardy {

struct FactorSharding {
  AxisList axes;
  AxisList overflow;
  bool present = false;  // the tensor has the factor
  bool closed = false;
  bool minor_most = false;
};

// All tensors of one op, operands then results. Storage is kept between uses.
class Projection {
 public:
  // Shardings are by tensor; an invalid id stands for a missing sharding (open, nothing said).
  void build(const FactorRule& rule, std::span<const NamedShardingId> shardings, const ShardingTable& table);

  size_t tensor_count() const { return operand_count_ + result_count_; }
  size_t operand_count() const { return operand_count_; }
  size_t factor_count() const { return factor_count_; }
  FactorSharding& at(size_t tensor, size_t factor) { return factors_[tensor * factor_count_ + factor]; }
  const FactorSharding& at(size_t tensor, size_t factor) const { return factors_[tensor * factor_count_ + factor]; }
  std::span<FactorSharding> tensor(size_t t) {
    return std::span<FactorSharding>(factors_).subspan(t * factor_count_, factor_count_);
  }
  std::span<const FactorSharding> tensor(size_t t) const {
    return std::span<const FactorSharding>(factors_).subspan(t * factor_count_, factor_count_);
  }
  std::span<const AxisRef> replicated(size_t t) const { return replicated_[t]; }
  std::span<const AxisRef> unreduced(size_t t) const { return unreduced_[t]; }

  // The factor gets `axes` if what it has is a strict prefix of them.
  bool expand(size_t tensor, size_t factor, std::span<const AxisRef> axes);

  // The sharding that the factors of a tensor now say; `before` gives replicated and unreduced axes (invalid: none).
  NamedShardingId read_back(const FactorRule& rule, size_t tensor, MeshId mesh, NamedShardingId before,
                            ShardingTable& table) const;

 private:
  void project(const FactorRule& rule, const TensorFactors& dims, NamedShardingId sharding, const ShardingTable& table,
               size_t tensor);

  size_t operand_count_ = 0, result_count_ = 0, factor_count_ = 0;
  std::vector<FactorSharding> factors_;
  std::vector<AxisList> replicated_, unreduced_;
};

// The tensor mapping of operand or result `tensor`.
inline const TensorFactors& tensor_factors(const FactorRule& rule, size_t tensor) {
  return tensor < rule.operands.size() ? rule.operands[tensor] : rule.results[tensor - rule.operands.size()];
}

}  // namespace sw::shardy
