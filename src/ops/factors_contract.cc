// Products. Factors in the order batch, free of the left, free of the right, contracting, as the result's dimensions
// stand.
#include "ops/dims_dot.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

int64_t at(std::span<const int64_t> shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; }

}  // namespace

// ([i, j, l], [i, l, k])->([i, j, k]) reduction={l}
RuleOutcome factors_dot_general(const FactorInput& in, FactorRuleBuilder& rule) {
  DotDims dims;
  if (!read_dot_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const auto lhs = in.operand_shape(0), rhs = in.operand_shape(1);
  int64_t out = 0;
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i)
    rule.factor({dims.lhs_batch[i], dims.rhs_batch[i]}, {out++}, at(lhs, dims.lhs_batch[i]));
  for (int64_t d : dims.lhs_free) rule.factor({d, kNoDim}, {out++}, at(lhs, d));
  for (int64_t d : dims.rhs_free) rule.factor({kNoDim, d}, {out++}, at(rhs, d));
  for (size_t i = 0; i < dims.lhs_contract.size(); ++i)
    rule.factor({dims.lhs_contract[i], dims.rhs_contract[i]}, {kNoDim}, at(lhs, dims.lhs_contract[i]),
                FactorKind::reduction);
  return RuleOutcome::rule;
}

// StableHLO's old dot of vectors and matrices: the same factors without batch dimensions.
RuleOutcome factors_dot(const FactorInput& in, FactorRuleBuilder& rule) { return factors_dot_general(in, rule); }

// Follows RaggedDotShardingRuleOpInterface of XLA's spmd/shardy/extensions/mhlo_extensions.cc. Groups of rows (or of
// the contracting dimension, or of batches) of the left operand meet different matrices of the right one; group_sizes
// says how many. By mode:
//   non_contracting  [b, m, k], [g, b, k, n], [b, g] -> [b, m, n]
//   contracting      [b, m, k], [b, k, n],    [b, g] -> [g, b, m, n]
//   batch            [b, m, k], [b, k, n],    [g]    -> [b, m, n]
// The ragged and the group dimension need replication. Dimensions of the left operand before the ragged one of its
// class, and batch dimensions (but in mode batch), are dimensions of group_sizes too.
RuleOutcome factors_ragged_dot(const FactorInput& in, FactorRuleBuilder& rule) {
  RaggedDotDims dims;
  if (in.operands.size() < 3 || !read_ragged_dot_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const DotDims& dot = dims.dot;
  const auto lhs = in.operand_shape(0), rhs = in.operand_shape(1), groups = in.operand_shape(2);
  int64_t out = dims.mode == RaggedMode::contracting ? 1 : 0;
  int64_t group = 0;
  // How many dimensions of group_sizes precede its last, the groups: check before mapping any.
  size_t leading = dims.mode == RaggedMode::batch ? 0 : dot.lhs_batch.size();
  const DimList& ragged_class = dims.mode == RaggedMode::contracting ? dot.lhs_contract : dot.lhs_free;
  if (dims.mode != RaggedMode::batch)
    for (size_t i = 0; i < ragged_class.size() && ragged_class[i] != dims.lhs_ragged; ++i) ++leading;
  if (groups.size() != leading + 1) return RuleOutcome::unknown;
  const size_t out_rank = static_cast<size_t>(out) + dot.lhs_batch.size() + dot.lhs_free.size() + dot.rhs_free.size();
  if (in.result_shape(0).size() != out_rank) return RuleOutcome::unknown;

  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
    const int64_t g = dims.mode == RaggedMode::batch ? kNoDim : group++;
    rule.factor({dot.lhs_batch[i], dot.rhs_batch[i], g}, {out++}, at(lhs, dot.lhs_batch[i]));
  }
  bool before = dims.mode == RaggedMode::non_contracting;
  for (int64_t d : dot.lhs_free) {
    const bool ragged = d == dims.lhs_ragged;
    if (ragged) before = false;
    rule.factor({d, kNoDim, before ? group++ : kNoDim}, {out++}, at(lhs, d),
                ragged ? FactorKind::need_replication : FactorKind::pass_through);
  }
  for (int64_t d : dot.rhs_free) rule.factor({kNoDim, d, kNoDim}, {out++}, at(rhs, d));
  before = dims.mode == RaggedMode::contracting;
  for (size_t i = 0; i < dot.lhs_contract.size(); ++i) {
    const bool ragged = dot.lhs_contract[i] == dims.lhs_ragged;
    if (ragged) before = false;
    rule.factor({dot.lhs_contract[i], dot.rhs_contract[i], before ? group++ : kNoDim}, {kNoDim},
                at(lhs, dot.lhs_contract[i]), ragged ? FactorKind::need_replication : FactorKind::reduction);
  }
  if (dims.mode == RaggedMode::non_contracting)
    rule.factor({kNoDim, dims.rhs_group[0], group}, {kNoDim}, at(rhs, dims.rhs_group[0]), FactorKind::need_replication);
  if (dims.mode == RaggedMode::contracting)
    rule.factor({kNoDim, kNoDim, group}, {0}, at(groups, group), FactorKind::need_replication);
  return RuleOutcome::rule;
}

}  // namespace sw
