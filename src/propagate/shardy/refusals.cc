// Why not? After propagation every op is looked at once more: where one of its tensors has an axis on a factor and
// another tensor with the same factor does not, the other one has refused it, and here is why. Asked for by `explain`,
// never on the way: there are more refusals than changes.
//
// Worked example: add of %a [{"x"}, {}] and %b [{}, {"x"}] with result [{"x"}, {}]. %b was offered "x" for dimension 0
// and uses it for dimension 1 (axis_in_use, blocker %b dimension 1); the result was offered "x" for dimension 1
// likewise.
#include <algorithm>

#include "propagate/shardy/engine.h"

namespace sw::shardy {
namespace {

// The dimension of a tensor that a factor belongs to.
uint16_t dim_of(const FactorRule& rule, size_t tensor, size_t factor) {
  const TensorFactors& dims = tensor_factors(rule, tensor);
  for (size_t d = 0; d < dims.rank(); ++d)
    for (const FactorIndex f : dims.dim(d))
      if (f == factor) return static_cast<uint16_t>(d);
  return 0;
}

// The first axis of `offered` that `has` neither holds nor holds a part of; nullptr: none.
const AxisRef* first_missing(const AxisList& has, const AxisList& offered) {
  for (size_t i = 0; i < offered.size(); ++i)
    if (i >= has.size() || has[i] != offered[i]) return &offered[i];
  return nullptr;
}

struct Reason {
  RefusalReason reason = RefusalReason::conflict;
  size_t factor = 0;  // axis_in_use: the factor that has the axis
};

Reason reason_for(const Visit& visit, size_t tensor, size_t factor, const AxisRef& axis) {
  const Projection& projection = visit.projection;
  const FactorSharding& cell = projection.at(tensor, factor);
  for (size_t f = 0; f < visit.rule.factor_count(); ++f) {
    if (f == factor) continue;
    const FactorSharding& other = projection.at(tensor, f);
    if (first_overlapping(other.axes, axis) >= 0 || first_overlapping(other.overflow, axis) >= 0)
      return {RefusalReason::axis_in_use, f};
  }
  if (cell.closed) return {RefusalReason::dimension_closed};
  if (first_overlapping(projection.replicated(tensor), axis) >= 0 ||
      first_overlapping(projection.unreduced(tensor), axis) >= 0)
    return {RefusalReason::explicitly_replicated};
  if (visit.rule.blocked[factor]) return {RefusalReason::rule_blocked};
  if (!cell.axes.empty()) return {RefusalReason::conflict};
  if (!cell.minor_most && visit.rule.sizes[factor] % axis.size != 0) return {RefusalReason::not_divisible};
  return {RefusalReason::conflict};
}

}  // namespace

void Engine::record_refusals() {
  Projection projection;
  std::vector<NamedShardingId> tensors;
  module_.for_each_body([&](WorkBlockId body) {
    walk_preorder(ir_, body, [&](WorkOpId id) {
      const OpVisit& op = visits_[id.index()];
      if (op.kind != Kind::rule && op.kind != Kind::edge) return true;
      tensors.clear();
      for (uint32_t t = 0; t < op.tensor_count; ++t) {
        const uint32_t slot = tensors_[op.first_tensor + t];
        tensors.push_back(slot == kNoSlot ? NamedShardingId{} : NamedShardingId{state_.sharding(slot)});
      }
      const FactorRule& rule = rules_.get(op.rule);
      projection.build(rule, tensors, shardings_);
      const Visit visit{rule, projection, {}, false, false};
      for (size_t f = 0; f < rule.factor_count(); ++f) refuse_factor(id, op, visit, f);
      return true;
    });
  });
}

// Each tensor is compared with the one that has the most shards on the factor.
void Engine::refuse_factor(WorkOpId id, const OpVisit& op, const Visit& visit, size_t factor) {
  const Projection& projection = visit.projection;
  size_t most = projection.tensor_count();
  int64_t shards = 1;
  for (size_t t = 0; t < projection.tensor_count(); ++t) {
    const FactorSharding& cell = projection.at(t, factor);
    if (!cell.present || product(cell.axes) <= shards) continue;
    most = t;
    shards = product(cell.axes);
  }
  if (most == projection.tensor_count()) return;
  const AxisList& offered = projection.at(most, factor).axes;
  for (size_t t = 0; t < projection.tensor_count(); ++t) {
    const FactorSharding& cell = projection.at(t, factor);
    const AxisRef* axis = cell.present ? first_missing(cell.axes, offered) : nullptr;
    if (axis == nullptr) continue;
    const WorkValueId value = tensor_value(id, op, static_cast<uint32_t>(t));
    if (!value.valid() || !state_.place(value.raw).value.valid()) continue;
    const Reason reason = reason_for(visit, t, factor, *axis);
    Refusal refusal;
    refusal.value = state_.place(value.raw).value;
    refusal.op = ir_.op(id).origin;
    if (op.kind == Kind::edge) refusal.op = ir_.op(ir_.owning_op(ir_.operand(id, 0))).origin;
    refusal.axis = axis->axis;
    refusal.dim = dim_of(visit.rule, t, factor);
    refusal.reason = reason.reason;
    if (reason.reason == RefusalReason::axis_in_use) {
      refusal.blocker = refusal.value;
      refusal.blocker_dim = dim_of(visit.rule, t, reason.factor);
    } else if (reason.reason == RefusalReason::conflict) {
      const WorkValueId other = tensor_value(id, op, static_cast<uint32_t>(most));
      if (other.valid()) refusal.blocker = state_.place(other.raw).value;
      refusal.blocker_dim = dim_of(visit.rule, most, factor);
    }
    state_.add_refusal(refusal);
  }
}

}  // namespace sw::shardy
