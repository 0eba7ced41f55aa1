// Dense linear algebra: batch dimensions pass through, the matrix itself needs replication. Rules follow the cases of
// the same names in Shardy's op_sharding_rule_registry.cc.
#include "ops/dims_linalg.h"
#include "ops/factor_input.h"

namespace sw {

RuleOutcome factors_cholesky(const FactorInput& in, FactorRuleBuilder& rule) {
  const auto shape = in.operand_shape(0);
  for (size_t d = 0; d < shape.size(); ++d)
    rule.on_all(d, shape[d], d + 2 < shape.size() ? FactorKind::pass_through : FactorKind::need_replication);
  return RuleOutcome::rule;
}

// Left side: op(a) x = b, so a's free dimension meets b's rows, its contracting dimension x's rows, and columns are
// shared by b and x. Right side: x op(a) = b, mirrored.
RuleOutcome factors_triangular_solve(const FactorInput& in, FactorRuleBuilder& rule) {
  TriangularSolveDims dims;
  if (!read_triangular_solve_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const auto a = in.operand_shape(0), b = in.operand_shape(1);
  for (size_t d = 0; d + 2 < a.size(); ++d) rule.on_all(d, a[d]);
  const int64_t row = static_cast<int64_t>(a.size()) - 2, column = row + 1;
  const auto at = [](std::span<const int64_t> shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; };
  const int64_t free = dims.transposed == dims.left_side ? column : row;
  const int64_t contracted = free == row ? column : row;
  constexpr FactorKind kind = FactorKind::need_replication;
  if (dims.left_side) {
    rule.factor({free, row}, {kNoDim}, at(a, free), kind);
    rule.factor({kNoDim, column}, {column}, at(b, column), kind);
    rule.factor({contracted, kNoDim}, {row}, at(a, contracted), kind);
  } else {
    rule.factor({kNoDim, row}, {row}, at(b, row), kind);
    rule.factor({free, column}, {kNoDim}, at(a, free), kind);
    rule.factor({contracted, kNoDim}, {column}, at(a, contracted), kind);
  }
  return RuleOutcome::rule;
}

// The last dimension does not propagate when a real transform cuts or extends it.
RuleOutcome factors_fft(const FactorInput& in, FactorRuleBuilder& rule) {
  FftDims dims;
  if (!read_fft_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const auto from = in.operand_shape(0), to = in.result_shape(0);
  for (size_t d = 0; d < from.size(); ++d) {
    if (d + dims.lengths.size() < from.size()) {
      rule.on_all(d, from[d]);
    } else {
      rule.on_all(d, from[d], FactorKind::need_replication, d + 1 == from.size() && from.back() != to.back());
    }
  }
  return RuleOutcome::rule;
}

// Results: the next state and the random bits. Every device keeps the state.
RuleOutcome factors_rng_bit_generator(const FactorInput& in, FactorRuleBuilder& rule) {
  if (in.op.result_count != 2) return RuleOutcome::unknown;
  const auto state = in.operand_shape(0), bits = in.result_shape(1);
  for (size_t d = 0; d < state.size(); ++d)
    rule.factor({static_cast<int64_t>(d)}, {static_cast<int64_t>(d), kNoDim}, state[d], FactorKind::need_replication,
                true);
  for (size_t d = 0; d < bits.size(); ++d) rule.factor({kNoDim}, {kNoDim, static_cast<int64_t>(d)}, bits[d]);
  return RuleOutcome::rule;
}

}  // namespace sw
