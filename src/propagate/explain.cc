// See the header.
#include "propagate/explain.h"

#include <algorithm>

#include "ops/factors.h"
#include "sharding/axis_ref.h"

namespace sw {

namespace {

constexpr uint64_t kAllDims = ~uint64_t{0};
constexpr int kMaxCalls = 10000;  // followed in and out for one value

// Where nothing but the value is carried along; see mapped_dims().
uint64_t kept_dims(const DimAxis& added) {
  return added.axis.axis == kWholeDimension ? uint64_t{1} << std::min<uint16_t>(added.dim, 63) : kAllDims;
}

bool same_split(const AxisRef& a, const AxisRef& b) {
  return a.axis == kWholeDimension || b.axis == kWholeDimension ? a.axis == b.axis : overlaps(a, b);
}

}  // namespace

Provenance::Provenance(const Program& program, const Plan& plan)
    : program_(program), plan_(plan), axes_(program, plan) {
  last_.assign(program.graph.value_count(), kNoOrigin);
  origins_.reserve(plan.trace.steps.size() * 2);
  for (uint32_t i = 0; i < plan.trace.steps.size(); ++i) add_step(i);
}

// Where the last origin of what a step changes is kept: of its value, or of the result of main that its slot numbers.
uint32_t* Provenance::last_of(const Step& step) {
  if (step.value.valid()) return &last_[step.value.index()];
  if (!step.cause.to_slot.is_result()) return nullptr;
  const size_t output = step.cause.to_slot.number();
  if (output >= last_output_.size()) last_output_.resize(output + 1, kNoOrigin);
  return &last_output_[output];
}

void Provenance::add_step(uint32_t index) {
  const Step& step = plan_.trace.steps[index];
  uint32_t* last = last_of(step);
  if (last == nullptr) return;
  const std::span<const DimAxis> before = axes_.of_sharding(step.before);
  for (const DimAxis& added : axes_.of_sharding(step.after)) {
    const bool old = std::any_of(before.begin(), before.end(),
                                 [&](const DimAxis& b) { return b.dim == added.dim && b.axis == added.axis; });
    if (old) continue;
    AxisOrigin origin;
    origin.value = step.value;
    origin.instance = step.instance;
    origin.leaf = step.leaf;
    origin.dim = added.dim;
    origin.axis = added.axis;
    origin.step = index;
    if (!step.value.valid()) origin.output = step.cause.to_slot.number();
    const auto id = static_cast<uint32_t>(origins_.size());
    if (step.cause.kind != CauseKind::seed) origin.parent = parent_of(step, added);
    origin.root = origin.parent == kNoOrigin ? id : origins_[origin.parent].root;
    if (origin.parent != kNoOrigin) origin.depth = origins_[origin.parent].depth + 1;
    origin.earlier = *last;
    *last = id;
    origins_.push_back(origin);
  }
}

// The last origin with an overlapping axis on one of the dimensions `dims`, from `last` backwards; of this instance if
// there is one.
uint32_t Provenance::latest(uint32_t last, const ValueAt& at, const AxisRef& axis, uint64_t dims) const {
  uint32_t other_instance = kNoOrigin;
  for (uint32_t i = last; i != kNoOrigin; i = origins_[i].earlier) {
    if (origins_[i].leaf != at.leaf) continue;
    if (!same_split(origins_[i].axis, axis) || ((dims >> std::min<uint16_t>(origins_[i].dim, 63)) & 1U) == 0) continue;
    if (origins_[i].instance == at.instance) return i;
    if (other_instance == kNoOrigin) other_instance = i;
  }
  return other_instance;
}

// Splits that no axis names look all the same: there the dimension must say which one is meant. What only carries
// values, tuples and loops, has no factor rule and keeps dimensions.
uint64_t Provenance::mapped_dims(OpId op, OpSlot from, OpSlot to, const DimAxis& added) const {
  if (!op.valid()) return kAllDims;
  if (added.axis.axis == kWholeDimension) {
    FactorRule rule;
    const bool known = make_factor_rule(program_.graph, op, {}, rule) == RuleOutcome::rule;
    return known ? rule_dims(rule, from, to, added.dim) : uint64_t{1} << std::min<uint16_t>(added.dim, 63);
  }
  if (op.index() >= plan_.rule_of_op.size() || !plan_.rule_of_op[op.index()].valid()) return kAllDims;
  return rule_dims(plan_.rules[plan_.rule_of_op[op.index()].index()], from, to, added.dim);
}

uint64_t Provenance::rule_dims(const FactorRule& rule, OpSlot from, OpSlot to, uint16_t to_dim) {
  const auto tensor = [&](OpSlot slot) -> const TensorFactors* {
    const auto& list = slot.is_result() ? rule.results : rule.operands;
    return slot.known() && slot.number() < list.size() ? &list[slot.number()] : nullptr;
  };
  const TensorFactors* a = tensor(from);
  const TensorFactors* b = tensor(to);
  if (a == nullptr || b == nullptr || to_dim >= b->rank()) return kAllDims;
  uint64_t dims = 0;
  for (size_t d = 0; d < std::min<size_t>(a->rank(), 63); ++d)
    for (const FactorIndex f : a->dim(d))
      for (const FactorIndex g : b->dim(to_dim))
        if (f == g) dims |= uint64_t{1} << d;
  return dims;
}

uint32_t Provenance::parent_of(const Step& step, const DimAxis& added) const {
  const Cause& cause = step.cause;
  if (cause.from.valid()) {
    const uint64_t dims =
        cause.kind == CauseKind::rule ? mapped_dims(cause.op, cause.from_slot, cause.to_slot, added) : kept_dims(added);
    const uint32_t instance = cause.from_instance == kSameInstance ? step.instance : cause.from_instance;
    const uint32_t found = latest(last_[cause.from.index()], {cause.from, instance, cause.from_leaf}, added.axis, dims);
    if (found != kNoOrigin) return found;
  }
  if (cause.kind == CauseKind::result) {
    const size_t output = cause.from_slot.number();
    return output < last_output_.size() ? latest(last_output_[output], {{}, step.instance}, added.axis, kAllDims)
                                        : kNoOrigin;
  }
  return cause.op.valid() ? parent_at_op(step, added) : kNoOrigin;
}

// One step may bring axes of several tensors of the op, and names only one of them: the tensor that had this axis
// first, on a dimension that the rule maps to this one.
uint32_t Provenance::parent_at_op(const Step& step, const DimAxis& added) const {
  const Graph& graph = program_.graph;
  const Op& op = graph.op(step.cause.op);
  uint32_t best = kNoOrigin;
  const auto consider = [&](ValueId value, OpSlot slot) {
    if (value == step.value) return;
    const uint64_t dims = mapped_dims(step.cause.op, slot, step.cause.to_slot, added);
    const uint32_t instance = step.cause.from_instance == kSameInstance ? step.instance : step.cause.from_instance;
    const ValueAt at = home(ValueAt{value, instance});
    best = std::min(best, latest(last_[at.value.index()], at, added.axis, dims));
  };
  const auto operands = graph.operands(op);
  for (size_t i = 0; i < operands.size(); ++i) consider(operands[i], OpSlot::operand(i));
  for (uint32_t i = 0; i < op.result_count; ++i) consider(graph.result(step.cause.op, i), OpSlot::result(i));
  return best;
}

ValueAt Provenance::home(ValueId value) const {
  if (value.index() < plan_.same_as.size() && plan_.same_as[value.index()].value.valid())
    return plan_.same_as[value.index()];
  const FunctionId function = function_of(value);
  return {value, function.valid() && !plan_.instance_shown.empty() ? plan_.instance_shown[function.index()] : 0};
}

FunctionId Provenance::function_of(ValueId value) const {
  const Value& v = program_.graph.value(value);
  const BlockId block = v.def.valid() ? program_.graph.op(v.def).parent : v.block;
  return block.valid() ? program_.graph.region(program_.graph.block(block).parent).function : FunctionId{};
}

// An argument is the operand of the call, the result of a call what the function returns, and a value that was
// simplified away another one of its function.
ValueAt Provenance::home(ValueAt at) const {
  const Graph& graph = program_.graph;
  if (plan_.by != Partitioner::gspmd || plan_.instances.empty()) return at;
  for (int i = 0; i < kMaxCalls; ++i) {
    const Value& v = graph.value(at.value);
    for (uint32_t o = last_[at.value.index()]; o != kNoOrigin; o = origins_[o].earlier)
      if (origins_[o].instance == at.instance) return at;
    const FunctionInstance& instance = plan_.instances[at.instance];
    const bool argument =
        !v.def.valid() && instance.call.valid() && v.block == graph.entry_block(graph.function(instance.function).body);
    if (argument && v.index < graph.operands(graph.op(instance.call)).size()) {
      at = {graph.operands(graph.op(instance.call))[v.index], instance.caller};
      continue;
    }
    if (const uint32_t callee = called_by(v.def, at.instance); callee != 0) {
      const Block& body = graph.block(graph.entry_block(graph.function(plan_.instances[callee].function).body));
      const auto returned = graph.operands(graph.op(body.ops.back()));
      if (v.index < returned.size()) {
        at = {returned[v.index], callee};
        continue;
      }
    }
    const ValueId same = at.value.index() < plan_.same_as.size() ? plan_.same_as[at.value.index()].value : ValueId{};
    if (!same.valid() || same == at.value || function_of(same) != function_of(at.value)) return at;
    at.value = same;
  }
  return at;
}

// The instance that an op of `caller` calls; 0: it calls none.
uint32_t Provenance::called_by(OpId call, uint32_t caller) const {
  if (!call.valid()) return 0;
  const OpKind kind = program_.graph.op(call).kind;
  if (kind != OpKind::call && kind != OpKind::composite) return 0;
  for (uint32_t i = caller + 1; i < plan_.instances.size(); ++i)
    if (plan_.instances[i].call == call && plan_.instances[i].caller == caller) return i;
  return 0;
}

std::vector<uint32_t> Provenance::leaves_of(ValueId value) const {
  if (plan_.by == Partitioner::shardy)
    return {value.index() < plan_.named.size() ? plan_.named[value.index()].raw : kNoSharding};
  const TileShardingId id = value.index() < plan_.tiled.size() ? plan_.tiled[value.index()] : TileShardingId{};
  if (!id.valid() || program_.tile_shardings.get(id).kind != TileKind::tuple) return {id.raw};
  std::vector<uint32_t> leaves;
  for (const TileShardingId element : program_.tile_shardings.get(id).elements) leaves.push_back(element.raw);
  return leaves;
}

std::vector<uint32_t> Provenance::instances_of(ValueId value) const {
  const FunctionId function = function_of(value);
  if (!function.valid() || plan_.instances.empty()) return {0};
  std::vector<uint32_t> all{plan_.instance_shown[function.index()]};
  for (uint32_t i = 0; i < plan_.instances.size(); ++i)
    if (plan_.instances[i].function == function && i != all[0]) all.push_back(i);
  return all;
}

uint32_t Provenance::find(ValueAt at, const DimAxis& wanted) const {
  return last_on_dimension(last_[at.value.index()], wanted, at);
}

// One refusal for every axis of the sharding offered that the value does not have in the end.
void Provenance::expand(const Refusal& whole, std::span<const DimAxis> has, std::vector<Refusal>& out) const {
  const std::span<const DimAxis> offered = axes_.of_sharding(whole.offered);
  const size_t first = out.size();
  const DimAxis* culprit = nullptr;  // an axis that stands in the way of the others
  for (const DimAxis& wanted : offered) {
    if (std::find(has.begin(), has.end(), wanted) != has.end()) continue;
    Refusal refusal = whole;
    refusal.axis = wanted.axis.axis;
    refusal.part = wanted.axis;
    refusal.dim = wanted.dim;
    refusal.reason = RefusalReason::no_finer;
    for (const DimAxis& mine : has) {
      if (mine.dim != wanted.dim && wanted.axis.axis != kWholeDimension && same_split(mine.axis, wanted.axis)) {
        refusal.reason = RefusalReason::axis_in_use;
        refusal.blocker = whole.value;
        refusal.blocker_dim = mine.dim;
        break;
      }
      if (mine.dim != wanted.dim || refusal.reason == RefusalReason::dimension_taken) continue;
      refusal.reason = RefusalReason::dimension_taken;
      refusal.blocker_axis = mine.axis;
    }
    if (refusal.reason != RefusalReason::no_finer && culprit == nullptr) culprit = &wanted;
    out.push_back(refusal);
  }
  for (size_t i = first; i < out.size() && culprit != nullptr; ++i) {
    if (out[i].reason != RefusalReason::no_finer) continue;
    out[i].reason = RefusalReason::came_with_others;
    out[i].blocker_axis = culprit->axis;
    out[i].blocker_dim = culprit->dim;
  }
}

std::vector<Refusal> Provenance::refusals(ValueAt at) const {
  std::vector<Refusal> all, list;
  const std::span<const DimAxis> has =
      plan_.by == Partitioner::gspmd ? axes_.of_sharding(final_sharding(at)) : std::span<const DimAxis>();
  for (const Refusal& r : plan_.trace.refusals) {
    if (r.value != at.value || (r.offered != kNoSharding && (r.instance != at.instance || r.leaf != at.leaf))) continue;
    if (r.offered == kNoSharding)
      all.push_back(r);
    else
      expand(r, has, all);
  }
  for (const Refusal& r : all) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const Refusal& o) {
      return o.part == r.part && o.axis == r.axis && o.dim == r.dim && o.reason == r.reason && o.blocker == r.blocker;
    });
    if (!known) list.push_back(r);
  }
  return list;
}

uint32_t Provenance::final_sharding(ValueAt at) const {
  for (size_t i = plan_.trace.steps.size(); i-- > 0;) {
    const Step& step = plan_.trace.steps[i];
    if (step.value == at.value && step.instance == at.instance && step.leaf == at.leaf) return step.after;
  }
  return kNoSharding;
}

uint32_t Provenance::find_output(size_t output, const DimAxis& wanted) const {
  return output < last_output_.size() ? last_on_dimension(last_output_[output], wanted, {}) : kNoOrigin;
}

uint32_t Provenance::last_on_dimension(uint32_t last, const DimAxis& wanted, const ValueAt& at) const {
  uint32_t other_instance = kNoOrigin;
  for (uint32_t i = last; i != kNoOrigin; i = origins_[i].earlier) {
    if (origins_[i].leaf != at.leaf || origins_[i].dim != wanted.dim || !same_split(origins_[i].axis, wanted.axis))
      continue;
    if (origins_[i].instance == at.instance) return i;
    if (other_instance == kNoOrigin) other_instance = i;
  }
  return other_instance;
}

std::vector<uint32_t> Provenance::chain(uint32_t origin) const {
  std::vector<uint32_t> chain;
  for (; origin != kNoOrigin; origin = origins_[origin].parent) chain.push_back(origin);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace sw
