// See the header.
#include "propagate/shardy/factor_axes.h"

#include <numeric>

namespace sw::shardy {
namespace {

// One step of the fold over tensors: `known` is what the tensors so far agree on, `next` the axes of one more. Returns
// whether later tensors may still extend the list.
bool merge_compatible(AxisList& known, const AxisList& next, bool may_extend) {
  AxisList out;
  size_t i = 0;
  for (; i < known.size() && i < next.size(); ++i) {
    const AxisRef& old_axis = known[i];
    const AxisRef& new_axis = next[i];
    if (old_axis == new_axis) {
      out.push_back(new_axis);
      continue;
    }
    // One being a prefix of the other is compatible only where nothing follows the shorter one: what follows cannot be
    // the rest of the axis, since the two parts would have been merged.
    if (prefix_of(new_axis, old_axis)) {
      const bool last = i + 1 == next.size();
      out.push_back(last ? old_axis : new_axis);
      if (last) continue;
    } else if (prefix_of(old_axis, new_axis)) {
      const bool extend = may_extend && i + 1 == known.size();
      out.push_back(extend ? new_axis : old_axis);
      if (extend) continue;
    }
    known = out;
    return false;
  }
  out.append(known.begin() + i, known.end());
  if (may_extend && i < next.size()) out.append(next.begin() + i, next.end());
  known = out;
  return may_extend;
}

}  // namespace

AxisList compatible_axes(const Visit& visit, size_t factor) {
  AxisList axes;
  const Direction direction = visit.direction(factor);
  if (direction == Direction::none) return axes;
  const Projection& projection = visit.projection;
  const size_t operands = projection.operand_count(), all = projection.tensor_count();
  bool may_extend = true;
  const auto fold = [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) {
      const FactorSharding& cell = projection.at(t, factor);
      if (cell.present) may_extend = merge_compatible(axes, cell.axes, may_extend);
    }
  };
  const bool backward = direction == Direction::backward;
  fold(backward ? operands : 0, backward ? all : operands);
  if (direction != Direction::both) may_extend = false;
  fold(backward ? 0 : operands, backward ? operands : all);
  return axes;
}

std::optional<AxisRef> prefix_across_factors(AxisRef axis, std::span<const FactorSharding> tensor, size_t factor) {
  for (size_t f = 0; f < tensor.size(); ++f) {
    if (f == factor || !tensor[f].present) continue;
    auto rest = prefix_without_overlap(axis, std::span<const AxisRef>(tensor[f].overflow));
    if (rest) rest = prefix_without_overlap(*rest, std::span<const AxisRef>(tensor[f].axes));
    if (!rest) return std::nullopt;
    axis = *rest;
  }
  return axis;
}

std::optional<AxisRef> prefix_within_factor(AxisRef axis, std::span<const AxisRef> replicated,
                                            std::span<const AxisRef> unreduced, const FactorSharding& cell,
                                            int64_t sharded, int64_t factor_size) {
  auto rest = prefix_without_overlap(axis, replicated);
  if (rest) rest = prefix_without_overlap(*rest, unreduced);
  if (!rest) return std::nullopt;
  axis = *rest;
  for (const AxisRef& has : cell.axes)
    if (contains(has, axis)) return axis;
  // From here on the factor has to grow.
  if (!cell.closed && cell.overflow.empty()) {
    if (cell.minor_most) return axis;
    if (factor_size % sharded == 0) {
      const int64_t common = std::gcd(factor_size / sharded, int64_t{axis.size});
      if (common == axis.size) return axis;
      if (common != 1) return AxisRef{axis.axis, axis.pre, static_cast<uint32_t>(common)};
    }
  }
  if (!cell.axes.empty() && prefix_of(cell.axes.back(), axis)) return cell.axes.back();
  return std::nullopt;
}

}  // namespace sw::shardy
