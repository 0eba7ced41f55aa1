// See the header.
#include "report/rule_words.h"

#include <algorithm>

#include "ops/factors.h"
#include "report/names.h"
#include "report/table.h"

namespace sw {

namespace {

// The tensor of a rule that a trace slot means, or null.
const TensorFactors* tensor_of(const FactorRule& rule, OpSlot slot) {
  const auto& tensors = slot.is_result() ? rule.results : rule.operands;
  return slot.known() && slot.number() < tensors.size() ? &tensors[slot.number()] : nullptr;
}

// Slot of a value at an op, when the step does not say it.
OpSlot slot_of(const Graph& graph, OpId id, ValueId value) {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i] == value) return OpSlot::operand(i);
  if (value.raw >= op.first_result.raw && value.raw < op.first_result.raw + op.result_count)
    return OpSlot::result(value.raw - op.first_result.raw);
  return {};
}

bool holds(const TensorFactors& tensor, FactorIndex factor) {
  return std::find(tensor.factors.begin(), tensor.factors.end(), factor) != tensor.factors.end();
}

// The factor that two dimensions share; the first of several.
bool common_factor(const TensorFactors& a, size_t dim_a, const TensorFactors& b, size_t dim_b, FactorIndex& out) {
  if (dim_a >= a.rank() || dim_b >= b.rank()) return false;
  for (const FactorIndex f : a.dim(dim_a))
    for (const FactorIndex g : b.dim(dim_b))
      if (f == g) {
        out = f;
        return true;
      }
  return false;
}

std::string contract_words(const FactorRule& rule, FactorIndex factor) {
  if (rule.operands.size() < 2 || rule.results.empty()) return {};
  const bool left = holds(rule.operands[0], factor), right = holds(rule.operands[1], factor);
  const bool result = holds(rule.results[0], factor);
  if (left && right) return result ? "batch dimension" : "contracting dimension";
  return left ? "left free dimension" : "right free dimension";
}

// "1024 = 8 × 128, the major factor", when one of the two dimensions is made of several factors.
std::string factor_words(const FactorRule& rule, const TensorFactors& from, size_t from_dim, const TensorFactors& to,
                         size_t to_dim, FactorIndex factor) {
  const auto a = from.dim(from_dim), b = to.dim(to_dim);
  const auto composed = a.size() > 1 ? a : b;
  if (composed.size() < 2) return {};
  std::string text;
  int64_t product = 1;
  for (const FactorIndex f : composed) {
    text += (text.empty() ? "" : " × ") + std::to_string(rule.sizes[f]);
    product *= rule.sizes[f];
  }
  const bool major = composed.front() == factor, minor = composed.back() == factor;
  return std::to_string(product) + " = " + text + ", the " + (major ? "major" : minor ? "minor" : "middle") + " factor";
}

std::string dimension_words(size_t from, size_t to) {
  if (from == to) return "dimension " + std::to_string(to) + " kept";
  return "dimension " + std::to_string(from) + " → " + std::to_string(to);
}

std::string rule_words(const Graph& graph, const Step& step, const AxisOrigin& parent, const AxisOrigin& origin) {
  // A step names one of the tensors that gave axes; this axis may be of another.
  const bool named = step.cause.from_slot.known() && step.cause.from == parent.value;
  const OpSlot from_slot = named ? step.cause.from_slot : slot_of(graph, step.cause.op, parent.value);
  const OpSlot to_slot = step.cause.to_slot.known() ? step.cause.to_slot : slot_of(graph, step.cause.op, origin.value);
  std::string words;
  FactorRule rule;
  if (make_factor_rule(graph, step.cause.op, {}, rule) == RuleOutcome::rule) {
    const TensorFactors* from = tensor_of(rule, from_slot);
    const TensorFactors* to = tensor_of(rule, to_slot);
    FactorIndex factor = 0;
    if (from != nullptr && to != nullptr && common_factor(*from, parent.dim, *to, origin.dim, factor)) {
      if (facts(graph.op(step.cause.op).kind).family == Family::contract) words = contract_words(rule, factor);
      if (words.empty()) words = factor_words(rule, *from, parent.dim, *to, origin.dim, factor);
    }
  }
  if (words.empty()) words = dimension_words(parent.dim, origin.dim);
  if (from_slot.is_result() && to_slot.is_operand()) words += ", from its result back";
  if (from_slot.is_operand() && to_slot.is_operand()) words += ", between its operands";
  return words;
}

}  // namespace

std::string op_word(const Graph& graph, OpId id) {
  const Op& op = graph.op(id);
  const std::string name = shown(graph.strings.text(op.name));
  const AttrId callee = graph.attr(op, "callee");
  if (callee.valid()) return "@" + shown(graph.attr_table.get(callee).text);
  const size_t dot = graph.is_hlo ? std::string::npos : name.find('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::string step_words(const Program& program, const Plan& plan, const Provenance& provenance, uint32_t index) {
  const Graph& graph = program.graph;
  const AxisOrigin& origin = provenance.at(index);
  const Step& step = plan.trace.steps[origin.step];
  const std::string op = step.cause.op.valid() ? op_word(graph, step.cause.op) : "";
  switch (step.cause.kind) {
    case CauseKind::seed: return "annotated";
    case CauseKind::constraint: return "with_sharding_constraint";
    case CauseKind::group: return "in one sharding group";
    case CauseKind::edge: return op.empty() ? "carried along" : "carried through " + op;
    case CauseKind::result: return "returned by the function";
    case CauseKind::priority: return "released at its priority";
    case CauseKind::fallback: return "by default";
    case CauseKind::rule: break;
  }
  if (origin.parent == kNoOrigin || !step.cause.op.valid()) return op;
  return op + ": " + rule_words(graph, step, provenance.at(origin.parent), origin);
}

std::string round_words(const Plan& plan, const Step& step) {
  std::string words;
  if (plan.by == Partitioner::gspmd) {
    return step.round == 0 ? "" : "level " + std::to_string(step.user_round) + ", sweep " + std::to_string(step.round);
  }
  if (step.user_round > 0) words += "priority " + std::to_string(step.user_round);
  if (step.round > 0) words += (words.empty() ? "" : ", ") + std::string("round ") + std::to_string(step.round);
  return words;
}

std::string origin_name(const Program& program, const AxisOrigin& origin) {
  if (!origin.value.valid()) return shown(output_name(program.graph, origin.output));
  std::string name = shown(display_name(program.graph, origin.value));
  const OpId def = program.graph.value(origin.value).def;
  if (def.valid()) name += "  " + op_word(program.graph, def);
  return name;
}

std::string refusal_words(const Program& program, const Plan& plan, const Refusal& refusal) {
  const auto blocker = [&]() -> std::string {
    if (!refusal.blocker.valid()) return "";
    const std::string dim = "dimension " + std::to_string(refusal.blocker_dim);
    return refusal.blocker == refusal.value ? dim : dim + " of " + shown(display_name(program.graph, refusal.blocker));
  };
  const std::string by = blocker();
  switch (refusal.reason) {
    case RefusalReason::axis_in_use: return "already used" + (by.empty() ? "" : " by " + by);
    case RefusalReason::dimension_closed: return "the dimension is closed by its annotation";
    case RefusalReason::not_divisible: return "it does not divide the dimension";
    case RefusalReason::explicitly_replicated: return "its annotation keeps it replicated on that axis";
    case RefusalReason::rule_blocked: return "the operation does not let it through";
    case RefusalReason::dimension_taken:
      return "the dimension has " + axis_word(program, plan, refusal.blocker_axis) + " already";
    case RefusalReason::came_with_others:
      return "it came with " + axis_word(program, plan, refusal.blocker_axis) + " on dimension " +
             std::to_string(refusal.blocker_dim) + ", and a sharding is taken whole or not at all";
    case RefusalReason::no_finer: return "the offer neither refines what the value has nor can be merged with it";
    case RefusalReason::conflict: break;
  }
  return "another axis is wanted there" + (by.empty() ? "" : " by " + by);
}

std::string axis_word(const Program& program, const Plan& plan, const AxisRef& axis) {
  if (axis.axis == kWholeDimension) return std::to_string(axis.size) + " tiles";
  const Mesh& mesh = program.shardings.mesh(plan.mesh).mesh;
  if (axis.axis >= mesh.axes.size()) return "axis " + std::to_string(axis.axis);
  return axis_word(mesh, axis);
}

std::string axis_word(const Mesh& mesh, const AxisRef& axis) {
  std::string word = shown(mesh.axes[axis.axis].name);
  if (axis.size != mesh.axes[axis.axis].size) word += ":(" + std::to_string(axis.pre) + ")" + std::to_string(axis.size);
  return word;
}

}  // namespace sw
