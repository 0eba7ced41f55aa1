// Ops that rearrange elements. Rules follow the cases of the same names in Shardy's op_sharding_rule_registry.cc.
#include "ops/dims_reshape.h"
#include "ops/dims_slice.h"
#include "ops/factor_input.h"

namespace sw {

// Elements of another width: the narrower side has one more, innermost dimension, and it needs replication.
RuleOutcome factors_bitcast_convert(const FactorInput& in, FactorRuleBuilder& rule) {
  const auto from = in.operand_shape(0), to = in.result_shape(0);
  const auto shared = from.size() < to.size() ? from : to;
  for (size_t d = 0; d < shared.size(); ++d) rule.on_all(d, shared[d]);
  if (from.size() < to.size()) {
    rule.factor({kNoDim}, {static_cast<int64_t>(to.size()) - 1}, to.back(), FactorKind::need_replication);
  } else if (from.size() > to.size()) {
    rule.factor({static_cast<int64_t>(from.size()) - 1}, {kNoDim}, from.back(), FactorKind::need_replication);
  }
  return RuleOutcome::rule;
}

// (2, 1) -> (2, 3, 64) by [0, 2]: i=2 shared, j=3 new, then k=1 of the operand alone and l=64 of the result alone.
RuleOutcome factors_broadcast_in_dim(const FactorInput& in, FactorRuleBuilder& rule) {
  DimList map;
  if (!read_broadcast_dims(in.graph, in.id, map)) return RuleOutcome::unknown;
  const auto from = in.operand_shape(0), to = in.result_shape(0);
  DimList operand_dim(to.size(), kNoDim);
  for (size_t i = 0; i < map.size(); ++i) operand_dim[static_cast<size_t>(map[i])] = static_cast<int64_t>(i);
  for (size_t d = 0; d < to.size(); ++d) {
    int64_t operand = operand_dim[d];
    if (operand != kNoDim && from[static_cast<size_t>(operand)] == 1 && to[d] != 1) {
      rule.factor({operand}, {kNoDim}, 1);
      operand = kNoDim;
    }
    rule.factor({operand}, {static_cast<int64_t>(d)}, to[d]);
  }
  return RuleOutcome::rule;
}

// See dims_reshape.cc. A tensor without elements has no rule.
RuleOutcome factors_reshape(const FactorInput& in, FactorRuleBuilder& rule) {
  ReshapeFactors factors;
  if (!reshape_factors(in.operand_shape(0), in.result_shape(0), factors)) return RuleOutcome::none;
  for (const ReshapeFactor& f : factors) rule.factor({f.in}, {f.out}, f.size);
  return RuleOutcome::rule;
}

RuleOutcome factors_transpose(const FactorInput& in, FactorRuleBuilder& rule) {
  DimList permutation;
  if (!read_transpose_dims(in.graph, in.id, permutation)) return RuleOutcome::unknown;
  const auto from = in.operand_shape(0);
  for (size_t d = 0; d < permutation.size(); ++d)
    rule.factor({permutation[d]}, {static_cast<int64_t>(d)}, from[static_cast<size_t>(permutation[d])]);
  return RuleOutcome::rule;
}

RuleOutcome factors_reverse(const FactorInput& in, FactorRuleBuilder& rule) {
  DimList reversed;
  if (!read_reverse_dims(in.graph, in.id, reversed)) return RuleOutcome::unknown;
  const auto shape = in.result_shape(0);
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool moves = contains(reversed, static_cast<int64_t>(d));
    rule.on_all(d, shape[d], moves ? FactorKind::permutation : FactorKind::pass_through);
  }
  return RuleOutcome::rule;
}

// Start indices are known, so sharding along a sliced dimension stays possible: neighbours exchange the rest.
RuleOutcome factors_slice(const FactorInput& in, FactorRuleBuilder& rule) {
  return factors_by_size(in.operand_shape(0), in.result_shape(0), FactorKind::permutation, in.context.conservative,
                         rule);
}

RuleOutcome factors_pad(const FactorInput& in, FactorRuleBuilder& rule) { return factors_slice(in, rule); }

// concatenate(slice(a), slice(b)) and concatenate(slice(x), x, ...) shift data between neighbours; other concatenations
// need the whole dimension.
RuleOutcome factors_concatenate(const FactorInput& in, FactorRuleBuilder& rule) {
  int64_t joined = 0;
  if (!read_concatenate_dim(in.graph, in.id, joined)) return RuleOutcome::unknown;
  const ConcatenatePieces pieces = concatenate_pieces(in.graph, in.id);
  const bool shifts = pieces.all_sliced || pieces.one_source;
  const auto shape = in.result_shape(0);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (static_cast<int64_t>(d) != joined) {
      rule.on_all(d, shape[d]);
    } else if (!in.context.conservative) {
      rule.on_all(d, shape[d], shifts ? FactorKind::permutation : FactorKind::need_replication);
    }
  }
  return RuleOutcome::rule;
}

}  // namespace sw
