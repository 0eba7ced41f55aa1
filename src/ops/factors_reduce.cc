// Reductions and batch normalisation. Rules follow the cases of the same names in Shardy's
// op_sharding_rule_registry.cc.
#include "ops/dims_reduce.h"
#include "ops/factor_input.h"

namespace sw {

// n inputs and n initial values (scalars, unmapped). Example, n = 1: ([i, j], [])->([i]) reduction={j}.
RuleOutcome factors_reduce(const FactorInput& in, FactorRuleBuilder& rule) {
  ReduceDims dims;
  if (!read_reduce_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0);
  const size_t n = dims.input_count;
  DimList operand_dims, result_dims;
  int64_t out = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool reduced = contains(dims.reduced, static_cast<int64_t>(d));
    operand_dims.assign(n, static_cast<int64_t>(d));
    result_dims.assign(n, reduced ? kNoDim : out++);
    rule.factor(operand_dims, result_dims, shape[d], reduced ? FactorKind::reduction : FactorKind::pass_through);
  }
  return RuleOutcome::rule;
}

// Dimensions of operand 0 and the result; the feature dimension is dimension 0 of scale, offset, mean and variance.
RuleOutcome factors_batch_norm_inference(const FactorInput& in, FactorRuleBuilder& rule) {
  int64_t feature = 0;
  if (!read_batch_norm_dim(in.graph, in.id, feature)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0);
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    const int64_t other = dim == feature ? 0 : kNoDim;
    rule.factor({dim, other, other, other, other}, {dim}, shape[d]);
  }
  return RuleOutcome::rule;
}

}  // namespace sw
