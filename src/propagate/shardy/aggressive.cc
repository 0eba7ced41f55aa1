// The aggressive strategy, Shardy's default: factors first say what they want, then each tensor takes what it can, in
// an order of preference among the factors. A conflict restricts only the tensor in which it occurs.
//
// Worked example: dot ([i, k], [k, j]) -> ([i, j]) with lhs [{"a"}, {}], rhs [{}, {"a"}] (i and j both want "a"). Both
// source tensors have the same size, so i is preferred (smaller source index): the result becomes [{"a"}, {}]; the
// operands stay. If rhs were larger than lhs, j would win.
//
// The order among factors: larger source tensor first; for elementwise ops then the factor with more shards; then the
// smaller index of the source; then the smaller factor. Results are done before operands. An elementwise op does not
// shard an operand sideways further than its results are.
//
// Follows AggressiveFactorPropagation::propagateFactorShardings.
#include <algorithm>

#include "propagate/shardy/factor_axes.h"

namespace sw::shardy {
namespace {

struct Wish {
  AxisList axes;
  int64_t source_size = -1;
  int64_t source = -1;  // tensor that has these axes, or an extension of them
  int64_t shards = 0;   // elementwise ops only
  size_t factor = 0;
};

// Sizes multiply as unsigned: shapes of a strange input may overflow, and the result is only compared.
int64_t tensor_size(const Visit& visit, size_t tensor) {
  uint64_t size = 1;
  for (size_t f = 0; f < visit.rule.factor_count(); ++f)
    if (visit.projection.at(tensor, f).present) size *= static_cast<uint64_t>(visit.rule.sizes[f]);
  return static_cast<int64_t>(size);
}

void find_sources(const Visit& visit, std::span<Wish> wishes) {
  for (size_t t = 0; t < visit.projection.tensor_count(); ++t) {
    const int64_t size = tensor_size(visit, t);
    for (Wish& wish : wishes) {
      const FactorSharding& cell = visit.projection.at(t, wish.factor);
      if (wish.axes.empty() || !cell.present || !is_prefix(wish.axes, cell.axes)) continue;
      if (size > wish.source_size) {
        wish.source_size = size;
        wish.source = static_cast<int64_t>(t);
      }
    }
  }
}

bool preferred(const Wish& a, const Wish& b) {
  if (a.source_size != b.source_size) return a.source_size > b.source_size;
  if (a.shards != b.shards) return a.shards > b.shards;
  if (a.source != b.source) return a.source < b.source;
  return a.factor < b.factor;
}

// What of the wish the tensor can take, given what it has by now.
AxisList granted(const Visit& visit, const Mesh& mesh, size_t t, const Wish& wish) {
  const Projection& projection = visit.projection;
  const FactorSharding& cell = projection.at(t, wish.factor);
  AxisList axes;
  if (!cell.present) return axes;
  axes = wish.axes;
  truncate(axes, visit.conservative, mesh, [&](const AxisRef& axis, int64_t sharded) {
    return prefix_within_factor(axis, projection.replicated(t), projection.unreduced(t), cell, sharded,
                                visit.rule.sizes[wish.factor]);
  });
  if (!is_strict_prefix(cell.axes, axes)) {
    axes.clear();
    return axes;
  }
  truncate(axes, visit.conservative, mesh, [&](const AxisRef& axis, int64_t) {
    return prefix_across_factors(axis, projection.tensor(t), wish.factor);
  });
  return axes;
}

// An operand of an elementwise op takes no more of a factor than each result has.
void limit_by_results(const Visit& visit, size_t factor, AxisList& axes) {
  const Projection& projection = visit.projection;
  for (size_t t = projection.operand_count(); t < projection.tensor_count(); ++t) {
    const FactorSharding& result = projection.at(t, factor);
    if (result.present && is_strict_prefix(result.axes, axes)) axes = result.axes;
  }
}

}  // namespace

void propagate_aggressive(const Visit& visit, const Mesh& mesh, std::span<uint8_t> changed) {
  thread_local std::vector<Wish> wishes;  // kept for its storage
  const size_t factors = visit.rule.factor_count();
  wishes.resize(factors);
  bool any = false;
  for (size_t f = 0; f < factors; ++f) {
    wishes[f] = Wish{};
    wishes[f].factor = f;
    wishes[f].axes = compatible_axes(visit, f);
    wishes[f].shards = visit.elementwise ? product(wishes[f].axes) : 0;
    any = any || !wishes[f].axes.empty();
  }
  if (!any) return;
  find_sources(visit, wishes);
  std::sort(wishes.begin(), wishes.end(), preferred);
  const size_t operands = visit.projection.operand_count(), all = visit.projection.tensor_count();
  const auto serve = [&](size_t t, bool is_operand) {
    for (const Wish& wish : wishes) {
      AxisList axes = granted(visit, mesh, t, wish);
      if (axes.empty()) continue;
      if (is_operand && visit.elementwise) limit_by_results(visit, wish.factor, axes);
      if (visit.projection.expand(t, wish.factor, axes)) changed[t] = 1;
    }
  };
  for (size_t t = operands; t < all; ++t) serve(t, false);
  for (size_t t = 0; t < operands; ++t) serve(t, true);
}

}  // namespace sw::shardy
