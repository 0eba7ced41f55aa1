// The basic strategy: a factor propagates the axes that *every* tensor of the op can take. A conflict in one tensor
// therefore stops the axis for the whole op.
//
// Worked example: add of [{"a"}, {?}] and [{?}, {"a"}]. Factor i wants {"a"}, but the second operand uses "a" for j;
// factor j wants {"a"}, but the first uses it for i. Nothing propagates, neither to the result nor sideways.
//
// Follows BasicFactorPropagation::propagateFactorShardings.
#include "propagate/shardy/factor_axes.h"

namespace sw::shardy {
namespace {

// The longest prefix of `axis` that every tensor allows for the factor.
std::optional<AxisRef> prefix_for_all(AxisRef axis, const Visit& visit, size_t factor, int64_t sharded) {
  const Projection& projection = visit.projection;
  for (size_t t = 0; t < projection.tensor_count(); ++t) {
    auto rest = prefix_across_factors(axis, projection.tensor(t), factor);
    const FactorSharding& cell = projection.at(t, factor);
    if (rest && cell.present)
      rest = prefix_within_factor(*rest, projection.replicated(t), projection.unreduced(t), cell, sharded,
                                  visit.rule.sizes[factor]);
    if (!rest) return std::nullopt;
    axis = *rest;
  }
  return axis;
}

}  // namespace

void propagate_basic(const Visit& visit, const Mesh& mesh, std::span<uint8_t> changed) {
  for (size_t factor = 0; factor < visit.rule.factor_count(); ++factor) {
    AxisList axes = compatible_axes(visit, factor);
    truncate(axes, visit.conservative, mesh,
             [&](const AxisRef& axis, int64_t sharded) { return prefix_for_all(axis, visit, factor, sharded); });
    if (axes.empty()) continue;
    for (size_t t = 0; t < visit.projection.tensor_count(); ++t)
      if (visit.projection.expand(t, factor, axes)) changed[t] = 1;
  }
}

}  // namespace sw::shardy
