// Windows that move over an input: shards exchange halos along dimensions where the window is more than one element.
#include "ops/dims_window.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

// As Shardy's isWindowPassthroughDim: dilations do not matter.
bool passes_through(const WindowDim& w) { return w.size == 1 && w.stride == 1 && w.pad_low == 0 && w.pad_high == 0; }

}  // namespace

// Sizes are those of the result: the number of windows.
RuleOutcome factors_reduce_window(const FactorInput& in, FactorRuleBuilder& rule) {
  WindowDims window;
  if (!read_window_dims(in.graph, in.id, window)) return RuleOutcome::unknown;
  const auto shape = in.result_shape(0);
  if (shape.size() != window.size()) return RuleOutcome::unknown;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (passes_through(window[d])) {
      rule.on_all(d, shape[d]);
    } else {
      rule.on_all(d, shape[d], FactorKind::permutation, in.context.conservative);
    }
  }
  return RuleOutcome::rule;
}

// Operands: input, source (one value per window), initial value. Where the window is wider than an element the source
// needs replication, and the input moves to the result.
RuleOutcome factors_select_and_scatter(const FactorInput& in, FactorRuleBuilder& rule) {
  WindowDims window;
  if (!read_window_dims(in.graph, in.id, window)) return RuleOutcome::unknown;
  const auto shape = in.result_shape(0), source = in.operand_shape(1);
  if (shape.size() != window.size() || source.size() != window.size()) return RuleOutcome::unknown;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    if (passes_through(window[d])) {
      rule.on_all(d, shape[d]);
      continue;
    }
    rule.factor({kNoDim, dim, kNoDim}, {kNoDim}, source[d], FactorKind::need_replication, in.context.conservative);
    rule.factor({dim, kNoDim, kNoDim}, {dim}, shape[d], FactorKind::permutation, in.context.conservative);
  }
  return RuleOutcome::rule;
}

}  // namespace sw
