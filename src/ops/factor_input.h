// What a factor function of one op sees, and the functions themselves by family (factors_<family>.cc). Private to ops/.
//
// A function adds its factors to the builder, whose tensors are set up, and returns the outcome. It is called only when
// all tensors are of static shape; malformed attributes give `unknown`, since verify() has reported them.
#pragma once

#include "ops/factors.h"

namespace sw {

struct FactorInput {
  const Graph& graph;
  OpId id;
  const Op& op;
  std::span<const ValueId> operands;
  const RuleContext& context;

  std::span<const int64_t> operand_shape(size_t i) const { return graph.type_of(operands[i]).dims; }
  std::span<const int64_t> result_shape(size_t i) const { return graph.type_of(graph.result(id, i)).dims; }
};

using FactorFn = RuleOutcome (*)(const FactorInput&, FactorRuleBuilder&);

constexpr int64_t kNoDim = FactorRuleBuilder::kNoDim;

// One factor per dimension of result 0, the same dimension of every operand and result.
RuleOutcome factors_pointwise(const FactorInput& in, FactorRuleBuilder& rule);
// Per dimension of `from`: on all tensors; where `to` has another size, of kind `mismatch`, `blocked` or not.
RuleOutcome factors_by_size(std::span<const int64_t> from, std::span<const int64_t> to, FactorKind mismatch,
                            bool blocked, FactorRuleBuilder& rule);

RuleOutcome factors_bitcast_convert(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_broadcast_in_dim(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_reshape(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_transpose(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_reverse(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_slice(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_pad(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_concatenate(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_dot(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_dot_general(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_ragged_dot(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_convolution(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_reduce(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_batch_norm_inference(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_reduce_window(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_select_and_scatter(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_gather(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_scatter(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_sort(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_topk(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_dynamic_slice(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_dynamic_update_slice(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_cholesky(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_triangular_solve(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_fft(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_rng_bit_generator(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_all_gather(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_all_to_all(const FactorInput& in, FactorRuleBuilder& rule);
RuleOutcome factors_reduce_scatter(const FactorInput& in, FactorRuleBuilder& rule);

RuleOutcome factors_custom_call(const FactorInput& in, FactorRuleBuilder& rule);

}  // namespace sw
