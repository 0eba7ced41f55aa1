// Pointwise ops: every dimension of the result is one factor of all operands and results.
#include "ops/factor_input.h"

namespace sw {

// Follows OpShardingRuleBuilder::buildPointwise. Scalars (predicate of select, bounds of clamp) have no dimensions to
// map. Differs: a tensor of higher rank than result 0 (a malformed custom call) gives no rule instead of a broken one.
RuleOutcome factors_pointwise(const FactorInput& in, FactorRuleBuilder& rule) {
  if (in.operands.empty() || in.op.result_count == 0) return RuleOutcome::none;
  const Type result = in.graph.type_of(in.graph.result(in.id));
  if (!result.is_array()) return RuleOutcome::none;
  for (ValueId operand : in.operands)
    if (in.graph.type_of(operand).rank() > result.rank()) return RuleOutcome::unknown;
  for (size_t i = 1; i < in.op.result_count; ++i)
    if (in.result_shape(i).size() > result.rank()) return RuleOutcome::unknown;
  for (size_t d = 0; d < result.rank(); ++d) rule.on_all(d, result.dims[d]);
  return RuleOutcome::rule;
}

// Follows addPointwiseWithDiffTypeForMismatch.
RuleOutcome factors_by_size(std::span<const int64_t> from, std::span<const int64_t> to, FactorKind mismatch,
                            bool blocked, FactorRuleBuilder& rule) {
  if (from.size() != to.size()) return RuleOutcome::unknown;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == to[d]) {
      rule.on_all(d, from[d]);
    } else {
      rule.on_all(d, from[d], mismatch, blocked);
    }
  }
  return RuleOutcome::rule;
}

}  // namespace sw
