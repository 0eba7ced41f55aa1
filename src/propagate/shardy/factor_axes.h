// What both strategies ask about one factor: which axes do its tensors agree on, and how much of a list of axes fits.
// Follows basic_factor_propagation.cc of Shardy.
#pragma once

#include <optional>

#include "propagate/shardy/project.h"

namespace sw::shardy {

// In which direction a factor may propagate through an op: FORWARD lets only operands extend, BACKWARD only results.
enum class Direction : uint8_t { none, forward, backward, both };

// Union: forward and backward make both, otherwise the larger.
constexpr Direction join(Direction a, Direction b) {
  return static_cast<Direction>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
static_assert(join(Direction::forward, Direction::backward) == Direction::both);
// What both allow.
constexpr Direction meet(Direction a, Direction b) {
  return static_cast<Direction>(static_cast<uint8_t>(a) & static_cast<uint8_t>(b));
}
static_assert(meet(Direction::forward, Direction::both) == Direction::forward);
static_assert(meet(Direction::forward, Direction::backward) == Direction::none);

// How a visit to an op propagates: `pass_through` factors and all others have one direction each.
struct Directions {
  Direction pass_through = Direction::both;
  Direction other = Direction::both;
};

// One op visit, as the strategies see it.
struct Visit {
  const FactorRule& rule;
  Projection& projection;
  Directions directions;
  bool elementwise = false;   // the op counts as elementwise in op priorities
  bool conservative = false;  // no sub-axis may come about
  Direction direction(size_t factor) const {
    if (rule.blocked[factor]) return Direction::none;
    return rule.kinds[factor] == FactorKind::pass_through ? directions.pass_through : directions.other;
  }
};

// The axes that all tensors with the factor are compatible with, ignoring every other factor. {"a"} and {"a", "b"} give
// {"a", "b"}; {"a", "b"} and {"a", "c"} give {"a"}. Tensors that may not extend can only shorten the list.
AxisList compatible_axes(const Visit& visit, size_t factor);

// The longest prefix of `axis` that no *other* factor of the tensor uses.
std::optional<AxisRef> prefix_across_factors(AxisRef axis, std::span<const FactorSharding> tensor, size_t factor);

// The longest prefix of `axis` by which the factor of the tensor may be sharded, after axes of total size `sharded`:
// not replicated or unreduced explicitly, and either there already or the factor can grow.
std::optional<AxisRef> prefix_within_factor(AxisRef axis, std::span<const AxisRef> replicated,
                                            std::span<const AxisRef> unreduced, const FactorSharding& cell,
                                            int64_t sharded, int64_t factor_size);

// Cuts `axes` at the first one that `prefix(axis, size of the axes before)` does not return as it is.
template <class Prefix>
void truncate(AxisList& axes, bool conservative, const Mesh& mesh, Prefix&& prefix) {
  int64_t sharded = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::optional<AxisRef> kept = prefix(axes[i], sharded);
    if (!kept || (conservative && kept->size != mesh.axes[kept->axis].size)) {
      axes.resize(i);
      return;
    }
    if (*kept != axes[i]) {
      axes[i] = *kept;
      axes.resize(i + 1);
      return;
    }
    sharded *= kept->size;
  }
}

// The strategies: extend the factor shardings of the projection. `changed` has an entry per tensor.
void propagate_basic(const Visit& visit, const Mesh& mesh, std::span<uint8_t> changed);
void propagate_aggressive(const Visit& visit, const Mesh& mesh, std::span<uint8_t> changed);

}  // namespace sw::shardy
