// Slices at computed positions. Rules follow the cases of the same names in Shardy's op_sharding_rule_registry.cc.
#include "ops/dims_slice.h"
#include "ops/factor_input.h"

namespace sw {

// The position is not known, so a sliced dimension needs replication and does not propagate. Indices are scalars,
// unmapped.
RuleOutcome factors_dynamic_slice(const FactorInput& in, FactorRuleBuilder& rule) {
  return factors_by_size(in.operand_shape(0), in.result_shape(0), FactorKind::need_replication, true, rule);
}

// Where the update is smaller, operand and result stay sharded and the update is needed whole by every shard; with
// constant indices it may be sharded too.
RuleOutcome factors_dynamic_update_slice(const FactorInput& in, FactorRuleBuilder& rule) {
  if (in.operands.size() < 2) return RuleOutcome::unknown;
  const auto whole = in.operand_shape(0), update = in.operand_shape(1);
  if (whole.size() != update.size()) return RuleOutcome::unknown;
  const FactorKind kind =
      update_indices_are_constant(in.graph, in.id) ? FactorKind::pass_through : FactorKind::need_replication;
  for (size_t d = 0; d < whole.size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    if (whole[d] == update[d]) {
      rule.on_all(d, whole[d]);
    } else {
      rule.factor({dim, kNoDim}, {dim}, whole[d]);
      rule.factor({kNoDim, dim}, {kNoDim}, update[d], kind);
    }
  }
  return RuleOutcome::rule;
}

}  // namespace sw
