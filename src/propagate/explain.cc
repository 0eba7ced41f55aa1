// See the header.
#include "propagate/explain.h"

#include <algorithm>

#include "sharding/axis_ref.h"

namespace sw {

namespace {

constexpr uint64_t kAllDims = ~uint64_t{0};
constexpr uint8_t kNoSlot = 0xff;
constexpr uint8_t kResultSlot = 0x80;  // plus the number of the result

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
  const size_t output = step.cause.to_slot & 0x7fU;
  if (step.cause.to_slot < 0x80 || step.cause.to_slot == 0xff) return nullptr;
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
    origin.dim = added.dim;
    origin.axis = added.axis;
    origin.step = index;
    if (!step.value.valid()) origin.output = step.cause.to_slot & 0x7fU;
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
uint32_t Provenance::latest(uint32_t last, uint32_t instance, const AxisRef& axis, uint64_t dims) const {
  uint32_t other_instance = kNoOrigin;
  for (uint32_t i = last; i != kNoOrigin; i = origins_[i].earlier) {
    if (!same_split(origins_[i].axis, axis) || ((dims >> std::min<uint16_t>(origins_[i].dim, 63)) & 1U) == 0) continue;
    if (origins_[i].instance == instance) return i;
    if (other_instance == kNoOrigin) other_instance = i;
  }
  return other_instance;
}

uint64_t Provenance::mapped_dims(OpId op, uint8_t from, uint8_t to, uint16_t to_dim) const {
  if (!op.valid() || op.index() >= plan_.rule_of_op.size() || !plan_.rule_of_op[op.index()].valid()) return kAllDims;
  const FactorRule& rule = plan_.rules[plan_.rule_of_op[op.index()].index()];
  const auto tensor = [&](uint8_t slot) -> const TensorFactors* {
    const auto& list = slot >= kResultSlot ? rule.results : rule.operands;
    const size_t index = slot & 0x7fU;
    return slot != kNoSlot && index < list.size() ? &list[index] : nullptr;
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
        cause.kind == CauseKind::rule ? mapped_dims(cause.op, cause.from_slot, cause.to_slot, added.dim) : kAllDims;
    const uint32_t found = latest(last_[cause.from.index()], step.instance, added.axis, dims);
    if (found != kNoOrigin) return found;
  }
  if (cause.kind == CauseKind::result) {
    const size_t output = cause.from_slot & 0x7fU;
    return output < last_output_.size() ? latest(last_output_[output], step.instance, added.axis, kAllDims) : kNoOrigin;
  }
  return cause.op.valid() ? parent_at_op(step, added) : kNoOrigin;
}

// One step may bring axes of several tensors of the op, and names only one of them: the tensor that had this axis
// first, on a dimension that the rule maps to this one.
uint32_t Provenance::parent_at_op(const Step& step, const DimAxis& added) const {
  const Graph& graph = program_.graph;
  const Op& op = graph.op(step.cause.op);
  uint32_t best = kNoOrigin;
  const auto consider = [&](ValueId value, uint8_t slot) {
    if (value == step.value) return;
    const uint64_t dims = mapped_dims(step.cause.op, slot, step.cause.to_slot, added.dim);
    best = std::min(best, latest(last_[value.index()], step.instance, added.axis, dims));
  };
  const auto operands = graph.operands(op);
  for (size_t i = 0; i < operands.size(); ++i) consider(operands[i], static_cast<uint8_t>(std::min<size_t>(i, 0x7e)));
  for (uint32_t i = 0; i < op.result_count; ++i)
    consider(graph.result(step.cause.op, i), static_cast<uint8_t>(kResultSlot + std::min(i, 0x7eU)));
  return best;
}

uint32_t Provenance::find(ValueId value, const DimAxis& wanted) const {
  return last_on_dimension(last_[value.index()], wanted);
}

uint32_t Provenance::find_output(size_t output, const DimAxis& wanted) const {
  return output < last_output_.size() ? last_on_dimension(last_output_[output], wanted) : kNoOrigin;
}

uint32_t Provenance::last_on_dimension(uint32_t last, const DimAxis& wanted) const {
  for (uint32_t i = last; i != kNoOrigin; i = origins_[i].earlier)
    if (origins_[i].dim == wanted.dim && same_split(origins_[i].axis, wanted.axis)) return i;
  return kNoOrigin;
}

std::vector<uint32_t> Provenance::chain(uint32_t origin) const {
  std::vector<uint32_t> chain;
  for (; origin != kNoOrigin; origin = origins_[origin].parent) chain.push_back(origin);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace sw
