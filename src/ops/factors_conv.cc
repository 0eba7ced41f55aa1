// Convolution. An input's spatial dimension is made of window positions (which the output has) and of offsets within
// the window (which the kernel has), so it gets up to two factors, the larger one first; with 3x3 kernel and 224 -> 112
// the input's 224 is 112 positions times 2 that are left of the 3.
#include "ops/dims_conv.h"
#include "ops/factor_input.h"

#include <algorithm>

namespace sw {

namespace {

// Adds the factors of one spatial dimension.
class SpatialFactors {
 public:
  SpatialFactors(FactorRuleBuilder& rule, int64_t lhs, int64_t rhs, int64_t out, int64_t lhs_size)
      : rule_(rule), lhs_(lhs), rhs_(rhs), out_(out), left_(lhs_size) {}
  void positions(int64_t count) {
    if (take(count)) rule_.factor({lhs_, kNoDim}, {out_}, count, FactorKind::permutation);
  }
  void offsets(int64_t count) {
    if (take(count)) rule_.factor({lhs_, rhs_}, {kNoDim}, count, FactorKind::reduction);
  }

 private:
  // Cuts `count` to what is left of the dimension; false when nothing worth a factor is.
  bool take(int64_t& count) {
    count = std::min(count, left_);
    if (count <= 1) return false;
    left_ /= count;
    return true;
  }
  FactorRuleBuilder& rule_;
  int64_t lhs_, rhs_, out_, left_;
};

}  // namespace

// Follows the ConvolutionOp case of op_sharding_rule_registry.cc.
RuleOutcome factors_convolution(const FactorInput& in, FactorRuleBuilder& rule) {
  ConvDims d;
  if (!read_conv_dims(in.graph, in.id, d)) return RuleOutcome::unknown;
  const auto lhs = in.operand_shape(0), rhs = in.operand_shape(1), out = in.result_shape(0);
  const auto at = [](std::span<const int64_t> shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; };

  if (d.batch_group_count > 1)
    rule.factor({d.input_batch, d.kernel_output_feature}, {d.output_feature}, d.batch_group_count);
  rule.factor({d.input_batch, kNoDim}, {d.output_batch}, at(out, d.output_batch));
  for (size_t i = 0; i < d.input_spatial.size() && !in.context.conservative; ++i) {
    SpatialFactors spatial(rule, d.input_spatial[i], d.kernel_spatial[i], d.output_spatial[i],
                           at(lhs, d.input_spatial[i]));
    const int64_t positions = at(out, d.output_spatial[i]), offsets = at(rhs, d.kernel_spatial[i]);
    if (positions >= offsets) {
      spatial.positions(positions);
      spatial.offsets(offsets);
    } else {
      spatial.offsets(offsets);
      spatial.positions(positions);
    }
  }
  if (d.feature_group_count > 1)
    rule.factor({d.input_feature, d.kernel_output_feature}, {d.output_feature}, d.feature_group_count);
  rule.factor({d.input_feature, d.kernel_input_feature}, {kNoDim}, at(rhs, d.kernel_input_feature),
              FactorKind::reduction);
  const int64_t features = at(out, d.output_feature) / d.batch_group_count / d.feature_group_count;
  if (features > 1) rule.factor({kNoDim, d.kernel_output_feature}, {d.output_feature}, features);
  return RuleOutcome::rule;
}

}  // namespace sw
