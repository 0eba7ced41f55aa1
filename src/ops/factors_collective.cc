// Collectives that stand in the program (inside manual computations, or of a partitioned module): other dimensions pass
// through, the exchanged ones need replication. Rules follow the cases of the same names in Shardy's
// op_sharding_rule_registry.cc; all_reduce, collective_permute and collective_broadcast are pointwise.
#include "ops/dims_collective.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

void exchanged(const FactorInput& in, int64_t dim, FactorRuleBuilder& rule) {
  const size_t d = static_cast<size_t>(dim);
  rule.on_operands(d, in.operand_shape(0)[d], FactorKind::need_replication);
  rule.on_results(d, in.result_shape(0)[d], FactorKind::need_replication);
}

RuleOutcome factors_exchange(const FactorInput& in, int64_t first, int64_t second, FactorRuleBuilder& rule) {
  const auto from = in.operand_shape(0), to = in.result_shape(0);
  if (from.size() != to.size()) return RuleOutcome::unknown;
  for (size_t d = 0; d < from.size(); ++d)
    if (static_cast<int64_t>(d) != first && static_cast<int64_t>(d) != second) rule.on_all(d, from[d]);
  exchanged(in, first, rule);
  if (second != first) exchanged(in, second, rule);
  return RuleOutcome::rule;
}

}  // namespace

RuleOutcome factors_all_gather(const FactorInput& in, FactorRuleBuilder& rule) {
  int64_t dim = 0;
  if (in.op.result_count == 0 || !read_all_gather_dim(in.graph, in.id, dim)) return RuleOutcome::unknown;
  return factors_exchange(in, dim, dim, rule);
}

RuleOutcome factors_reduce_scatter(const FactorInput& in, FactorRuleBuilder& rule) {
  int64_t dim = 0;
  if (in.op.result_count == 0 || !read_reduce_scatter_dim(in.graph, in.id, dim)) return RuleOutcome::unknown;
  return factors_exchange(in, dim, dim, rule);
}

RuleOutcome factors_all_to_all(const FactorInput& in, FactorRuleBuilder& rule) {
  AllToAllDims dims;
  if (in.op.result_count == 0 || !read_all_to_all_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  return factors_exchange(in, dims.split, dims.concat, rule);
}

}  // namespace sw
