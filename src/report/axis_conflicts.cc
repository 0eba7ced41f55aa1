// The findings of rule axis-conflict: an op that would have to use one axis for two of its loops.
//
// An op is an einsum over factors (ops/factor_rule.h), and an axis can cut one factor at a time. Where two operands
// bring one axis on two factors, one of the two loses: it is gathered along the axis before the op, or, when it has
// both dimensions, exchanged from one to the other. Worked example: dot of x [i, k] cut by "a" in i, and w [k, j] cut
// by "a" in j, with a result [i, j] cut by "a" in i. The factor i wins, since the result has it; w is gathered.
//
// The winner is the factor that a result has the axis on; without one, that of the larger operand, which would cost
// more to move. Read from the final shardings, so that it holds for either partitioner. A reduction whose result is cut
// by the axis of its partial sums is no conflict: it becomes a reduce-scatter. Nor is it one when the user has pinned
// both operands and the result.
#include "report/axis_conflicts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "ops/factors.h"
#include "propagate/explain.h"
#include "propagate/live_values.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

// One axis on one dimension of one operand or result.
struct Holding {
  AxisRef axis;
  FactorIndex factor = 0;
  uint16_t dim = 0;
  ValueId value;
  bool is_result = false;
  size_t slot = 0;  // which operand or result
};

class ConflictFinder {
 public:
  explicit ConflictFinder(const PlanReport& report)
      : report_(report), graph_(report.program.graph), axes_(report.program, report.plan) {
    given_.resize(graph_.value_count());
    for (const Step& step : report.plan.trace.steps)
      if (step.value.valid() && (step.cause.kind == CauseKind::seed || step.cause.kind == CauseKind::constraint))
        given_[step.value.index()] = 1;
    for (const Seed& seed : report.seeds) given_[seed.value.index()] = 1;
  }

  std::vector<Finding> find() {
    for (size_t i = 0; i < graph_.op_count(); ++i)
      if (graph_.op(OpId{i}).parent.valid() && may_conflict(OpId{i})) look_at(OpId{i});
    for (size_t i = 0; i < findings_.size(); ++i)
      if (places_[i] > 1)
        findings_[i].message += "; so in " + count_text(static_cast<int64_t>(places_[i])) + " operations alike";
    return std::move(findings_);
  }

 private:
  // Cheap, for all ops: at least two operands that are cut, and no op whose purpose it is to change a sharding.
  bool may_conflict(OpId id) const {
    const Op& op = graph_.op(id);
    if (op.kind == OpKind::sharding_constraint || op.kind == OpKind::reshard) return false;
    size_t cut = 0;
    for (const ValueId operand : graph_.operands(op)) cut += axes_.of_value(operand).empty() ? 0 : 1;
    return cut > 1;
  }

  const FactorRule* rule_of(OpId id) {
    const Plan& plan = report_.plan;
    if (id.index() < plan.rule_of_op.size() && plan.rule_of_op[id.index()].valid())
      return &plan.rules[plan.rule_of_op[id.index()].index()];
    const FactorRuleTable::Answer answer = rules_.of(graph_, id);
    return answer.outcome == RuleOutcome::rule ? &rules_.get(answer.id) : nullptr;
  }

  void look_at(OpId id) {
    const FactorRule* rule = rule_of(id);
    if (rule == nullptr) return;
    holdings_.clear();
    const std::span<const ValueId> operands = graph_.operands(id);
    for (size_t i = 0; i < std::min(operands.size(), rule->operands.size()); ++i)
      hold(*rule, rule->operands[i], {{}, 0, 0, operands[i], false, i});
    for (size_t i = 0; i < std::min<size_t>(graph_.op(id).result_count, rule->results.size()); ++i)
      hold(*rule, rule->results[i], {{}, 0, 0, graph_.result(id, i), true, i});
    for (size_t i = 0; i < holdings_.size(); ++i)
      for (size_t j = i + 1; j < holdings_.size(); ++j) {
        const Holding &a = holdings_[i], &b = holdings_[j];
        if (a.is_result || b.is_result || a.factor == b.factor || !overlaps(a.axis, b.axis)) continue;
        if (is_live(id) && !meant(id, a, b)) report_conflict(id, *rule, a, b);
        return;  // once an op
      }
  }

  // Gives the axes of each dimension to its factors, major to minor; what does not come out even is left alone.
  void hold(const FactorRule& rule, const TensorFactors& tensor, Holding holding) {
    const size_t before = holdings_.size();
    size_t dim = kNone, at = 0;
    int64_t left = 1;
    for (const DimAxis& piece : axes_.of_value(holding.value)) {
      if (piece.axis.axis == kWholeDimension || piece.dim >= tensor.rank()) {
        holdings_.resize(before);
        return;
      }
      const std::span<const FactorIndex> factors = tensor.dim(piece.dim);
      if (piece.dim != dim) {
        dim = piece.dim;
        at = 0;
        left = factors.empty() ? 1 : rule.sizes[factors[0]];
      }
      while (left <= 1 && at + 1 < factors.size()) left = rule.sizes[factors[++at]];
      if (at >= factors.size()) continue;
      holding.axis = piece.axis;
      holding.factor = factors[at];
      holding.dim = piece.dim;
      holdings_.push_back(holding);
      left = (left + piece.axis.size - 1) / piece.axis.size;
    }
  }

  bool is_live(OpId id) {
    if (live_.empty()) live_ = live_values(graph_);
    bool any = false;
    for (uint32_t i = 0; i < graph_.op(id).result_count; ++i) any = any || live_[graph_.result(id, i).index()] != 0;
    return any;
  }

  // Both operands and all results are what the user has written: then so is what happens between them.
  bool meant(OpId id, const Holding& a, const Holding& b) const {
    bool all = given_[a.value.index()] != 0 && given_[b.value.index()] != 0;
    for (uint32_t i = 0; i < graph_.op(id).result_count; ++i) all = all && given_[graph_.result(id, i).index()] != 0;
    return all;
  }

  bool result_has(const Holding& operand) const {
    return std::any_of(holdings_.begin(), holdings_.end(), [&](const Holding& h) {
      return h.is_result && h.factor == operand.factor && overlaps(h.axis, operand.axis);
    });
  }

  int64_t device_bytes(ValueId value) const {
    const Type type = graph_.type_of(value);
    return array_bytes(type,
                       device_shape(type, tiles_of(report_.program, sharding_of(report_.plan, value), type.rank())));
  }

  void report_conflict(OpId id, const FactorRule& rule, const Holding& a, const Holding& b) {
    const bool first_wins = result_has(a) || (!result_has(b) && device_bytes(a.value) >= device_bytes(b.value));
    const Holding &winner = first_wins ? a : b, &loser = first_wins ? b : a;
    const SmallVector<FactorIndex, 6>& of_loser = rule.operands[loser.slot].factors;
    const bool has_both = std::find(of_loser.begin(), of_loser.end(), winner.factor) != of_loser.end();
    const int64_t bytes = has_both ? device_bytes(loser.value) : device_bytes(loser.value) * (loser.axis.size - 1);
    // Layers of a model repeat: the same on the same line of the user's source, or nowhere in particular.
    const Likeness key(user_place(graph_, graph_.op(id).loc), graph_.value(winner.value).type.raw,
                       graph_.value(loser.value).type.raw, winner.dim, loser.dim, loser.axis.axis);
    const auto [at, fresh] = seen_.try_emplace(key, findings_.size());
    if (!fresh) {
      findings_[at->second].bytes += bytes;
      ++places_[at->second];
      return;
    }
    const std::string axis = "`" + axis_word(report_.program, report_.plan, loser.axis) + "`";
    const auto words = [&](const Holding& h) {
      return "dimension " + std::to_string(h.dim) + " of " + shown(display_name(graph_, h.value));
    };
    Finding finding{LintRule::axis_conflict, graph_.result(id), {}, {}, bytes};
    finding.message = words(winner) + " and " + words(loser) + " both want " + axis + ", and " +
                      shown(display_name(graph_, loser.value)) +
                      (has_both ? " is exchanged between its dimensions" : " is gathered along it");
    finding.fix = "shard " + words(origin_of(loser)) + " by another axis, or not at all";
    findings_.push_back(std::move(finding));
    places_.push_back(1);
  }

  // Where the axis was annotated.
  Holding origin_of(const Holding& loser) {
    if (!provenance_) provenance_.emplace(report_.program, report_.plan);
    uint32_t at = provenance_->find(loser.value, {loser.dim, loser.axis});
    if (at == kNoOrigin) return loser;
    if (provenance_->at(at).root != kNoOrigin) at = provenance_->at(at).root;
    const AxisOrigin& origin = provenance_->at(at);
    if (!origin.value.valid()) return loser;
    return {origin.axis, 0, origin.dim, origin.value, false, 0};
  }

  static constexpr size_t kNone = static_cast<size_t>(-1);
  const PlanReport& report_;
  const Graph& graph_;
  ShardingAxes axes_;
  std::vector<char> live_;   // by ValueId, made when first asked for
  std::vector<char> given_;  // by ValueId: annotated, constrained or pinned
  FactorRuleTable rules_;
  std::optional<Provenance> provenance_;
  std::vector<Holding> holdings_;
  using Likeness = std::tuple<std::string, uint32_t, uint32_t, uint16_t, uint16_t, uint32_t>;
  std::map<Likeness, size_t> seen_;
  std::vector<Finding> findings_;
  std::vector<size_t> places_;  // of each finding: how many ops of that line
};

}  // namespace

std::vector<Finding> axis_conflict_findings(const PlanReport& report) { return ConflictFinder(report).find(); }

}  // namespace sw
