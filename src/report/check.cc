// See the header.
#include "report/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "propagate/cuts.h"
#include "propagate/explain.h"
#include "report/assertion_value.h"
#include "report/explain_report.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kEvidence = 3;    // collectives named under an assertion that failed
constexpr size_t kCategories = 4;  // of memory, named at the worst moment
constexpr size_t kMostFlowSteps = 1000;
constexpr size_t kMostFlows = 8;  // of one finding

// The working directory with a slash, or nothing where that is not known.
std::string working_directory() {
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string();
  return here.empty() ? "" : here + "/";
}

// What findings are known by in a baseline. Nothing in it changes when lines are added elsewhere: the rule, the user's
// file and function, the operation, its type and the name of an argument.
std::string finding_key(const PlanReport& report, const Finding& finding) {
  const Graph& graph = report.program.graph;
  std::string key(lint_rule_name(finding.rule));
  if (!finding.value.valid()) return key + "|" + finding.message;
  const UserPosition position = user_position(graph, location_of(graph, finding.value));
  const OpId def = graph.value(finding.value).def;
  key += "|" + std::string(file_name(position.file)) + "|" + std::string(function_name(position));
  key += "|" + (def.valid() ? op_word(graph, def) : argument_name(graph, finding.value));
  return key + "|" + type_label(graph, graph.value(finding.value).type);
}

class Evaluator {
 public:
  Evaluator(CheckReport& report, std::span<const Finding> findings, const CheckRequest& request,
            Diagnostics& diagnostics)
      : report_(report),
        plan_(report.plan),
        graph_(report.plan.program.graph),
        findings_(findings),
        request_(request),
        diagnostics_(diagnostics) {
    if (plan_.local != nullptr) list_.emplace(plan_);
  }

  bool run() {
    mark_known();
    for (const CheckTarget& target : report_.targets) memory(target);
    if (!assertions()) return false;
    for (size_t i = 0; i < findings_.size(); ++i) finding(i);
    return true;
  }

 private:
  // ---- Memory

  void memory(const CheckTarget& target) {
    const int64_t needed = target.profile.total();
    CheckItem item;
    item.kind = CheckKind::memory;
    item.target = target.hardware.name;
    item.title = "fits";
    item.bytes = needed;
    item.place = input_place({});
    const std::optional<int64_t> usable = target.hardware.usable();
    const bool beyond = usable && needed > *usable;
    item.rule = beyond || !target.is_budget ? "out-of-memory" : "over-budget";
    const std::string limits =
        (target.limit ? bytes_text(*target.limit) + (target.is_budget ? " allowed" : " usable") : "no limit known") +
        (target.is_budget && usable ? ", " + bytes_text(*usable) + " usable" : "");
    item.message = bytes_text(needed) + " needed, " + limits + " on " + target.hardware.name;
    if (!target.needs_more()) {
      report_.items.push_back(std::move(item));
      return;
    }
    item.outcome = CheckOutcome::failed;
    item.message = (beyond ? "does not fit: " : "over the budget: ") + item.message;
    worst_moment(target, item);
    if (!target.advice.found) what_findings_give_back(item);
    for (std::string& line : advice_lines(plan_, target.advice)) item.helps.push_back(std::move(line));
    report_.items.push_back(std::move(item));
  }

  // Where nothing was tried: what the findings about memory would give back, most first.
  void what_findings_give_back(CheckItem& item) const {
    std::vector<const Finding*> ways;
    for (const Finding& f : findings_)
      if (f.rule == LintRule::donation_missed || f.rule == LintRule::replicated_optimizer_state ||
          f.rule == LintRule::large_unsharded || f.rule == LintRule::tile_padding)
        ways.push_back(&f);
    std::stable_sort(ways.begin(), ways.end(), [](const Finding* a, const Finding* b) { return a->bytes > b->bytes; });
    for (size_t i = 0; i < std::min(ways.size(), kEvidence); ++i)
      item.helps.push_back(fmt::format("{} ({}): {}", lint_rule_name(ways[i]->rule), bytes_text(ways[i]->bytes),
                                       subject(*ways[i]) + ways[i]->fix.substr(0, ways[i]->fix.find('\n'))));
  }

  void worst_moment(const CheckTarget& target, CheckItem& item) {
    const MemoryProfile& profile = target.profile;
    std::string note = "worst moment: ";
    const OpId op = profile.worst_op();
    if (op.valid() && plan_.local != nullptr) {
      const Graph& local = plan_.local->graph;
      const UserPosition position = user_position(local, local.op(op).loc);
      note += op_word(local, op) + (position.line > 0 ? ", " + user_place(local, local.op(op).loc) : "") + "; ";
      if (position.line > 0) item.place = {relative_path(position.file), position.line};
    }
    std::vector<std::pair<int64_t, MemoryCategory>> sums(kMemoryCategoryCount);
    const auto bytes = profile.worst_by_category();
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = {bytes[i], static_cast<MemoryCategory>(i)};
    std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    note += "alive then:";
    for (size_t i = 0; i < kCategories && sums[i].first > 0; ++i)
      note += fmt::format("{} {} {}", i == 0 ? "" : ",", category_name(sums[i].second), bytes_text(sums[i].first));
    item.notes.push_back(std::move(note));
  }

  // ---- Assertions

  bool assertions() {
    const AssertionValues values(list_ ? &*list_ : nullptr, plan_, findings_);
    for (const Assertion& assertion : request_.assertions) {
      if (assertion.kind == Assertion::Kind::no_finding) {
        no_finding(assertion);
      } else if (assertion.kind == Assertion::Kind::spec) {
        spec(assertion);
      } else if (!assertion.needs_target) {
        if (!compare(assertion, values, nullptr)) return false;
      } else {
        for (const CheckTarget& target : report_.targets)
          if (!compare(assertion, values, &target)) return false;
      }
    }
    return true;
  }

  CheckItem item_of(const Assertion& assertion, bool passed) const {
    CheckItem item;
    item.kind = CheckKind::assertion;
    item.rule = "assertion-failed";
    item.title = assertion.text;
    item.outcome = passed ? CheckOutcome::passed : CheckOutcome::failed;
    item.place = input_place({});
    return item;
  }

  bool compare(const Assertion& assertion, const AssertionValues& values, const CheckTarget* target) {
    const Result<SideValue> left = values.side(assertion.left, assertion, target, diagnostics_);
    const Result<SideValue> right = left ? values.side(assertion.right, assertion, target, diagnostics_) : reported();
    if (!right) return false;
    CheckItem item = item_of(assertion, holds(assertion.comparison, left->value, right->value));
    if (target != nullptr) item.target = target->hardware.name;
    item.message =
        fmt::format("{} {} {}", side_text(left->value, assertion),
                    kComparisons[static_cast<size_t>(assertion.comparison)], side_text(right->value, assertion));
    if (item.outcome == CheckOutcome::failed) {
      item.message = "not so: " + item.message;
      std::vector<uint32_t> all = left->collectives;
      all.insert(all.end(), right->collectives.begin(), right->collectives.end());
      evidence(std::move(all), item);
    }
    report_.items.push_back(std::move(item));
    return true;
  }

  static std::string side_text(double value, const Assertion& assertion) {
    if (!assertion.in_bytes || !std::isfinite(value)) return fmt::format("{}", value);
    return value < 0 ? "-" + bytes_text(static_cast<int64_t>(std::min(-value, 9e18)))
                     : bytes_text(static_cast<int64_t>(std::min(value, 9e18)));
  }

  // The collectives that were counted, those with most bytes first; the item stands where the first does.
  void evidence(std::vector<uint32_t> counted, CheckItem& item) {
    std::stable_sort(counted.begin(), counted.end(),
                     [&](uint32_t a, uint32_t b) { return list_->all()[a].bytes > list_->all()[b].bytes; });
    for (size_t i = 0; i < std::min(counted.size(), kEvidence); ++i) {
      const CollectiveFacts& facts = list_->all()[counted[i]];
      item.notes.push_back(
          fmt::format("{} {} {}, {}{}: {}", facts.kind, facts.groups->over, facts.shape, shown(facts.place),
                      facts.runs > 1 ? ", " + count_text(facts.runs) + " times a step" : "", facts.cause));
    }
    if (counted.size() > kEvidence)
      item.notes.push_back(count_text(static_cast<int64_t>(counted.size() - kEvidence)) + " more");
    if (counted.empty()) return;
    const CollectiveCause& cause = list_->all()[counted.front()].collective->cause;
    if (cause.value.valid())
      item.place = place(cause.value);
    else if (cause.op.valid() && graph_.op(cause.op).result_count > 0)
      item.place = place(graph_.result(cause.op));
  }

  void no_finding(const Assertion& assertion) {
    std::vector<const Finding*> found;
    for (size_t i = 0; i < findings_.size(); ++i)
      if (known_[i] == 0 && (!assertion.rule || findings_[i].rule == *assertion.rule)) found.push_back(&findings_[i]);
    CheckItem item = item_of(assertion, found.empty());
    item.message =
        found.empty() ? "none" : fmt::format("not so: {} {}", found.size(), found.size() == 1 ? "finding" : "findings");
    for (size_t i = 0; i < std::min(found.size(), kEvidence); ++i)
      item.notes.push_back(std::string(lint_rule_name(found[i]->rule)) + ": " + subject(*found[i]) + found[i]->message);
    if (found.size() > kEvidence)
      item.notes.push_back(count_text(static_cast<int64_t>(found.size() - kEvidence)) + " more");
    if (!found.empty() && found.front()->value.valid()) item.place = place(found.front()->value);
    report_.items.push_back(std::move(item));
  }

  // All values of that name must have it; a result of main has a sharding of its own.
  void spec(const Assertion& assertion) {
    if (!cuts_) {
      axes_.emplace(plan_.program, plan_.plan);
      texts_.emplace(plan_);
      cuts_.emplace(plan_.program, plan_.plan, *axes_, cut_table_);
    }
    const uint32_t wanted = cuts_->of_sharding(assertion.wanted);
    const bool equal = assertion.comparison == Comparison::equal;
    const std::vector<TypeId> outputs = output_types(graph_);
    CheckItem item = item_of(assertion, true);
    const auto look = [&](uint32_t cut, const ShardingText& text, ValueId value) {
      const std::string got = !text.spec.empty() ? text.spec : !text.hlo.empty() ? text.hlo : "P()";
      if (item.message.empty()) item.message = got;
      if ((cut == wanted) == equal) return;
      item.outcome = CheckOutcome::failed;
      item.message = "not so: it is " + got;
      item.place = place(value);
      item.flows = flows(value);
    };
    if (!assertion.subject.output.empty()) {
      for (size_t i = 0; i < outputs.size(); ++i)
        if (output_name(graph_, i) == assertion.subject.output)
          look(cuts_->of_output(i), texts_->of_output(i), assertion.subject.values.front());
    } else {
      // The variables of loops may share the name of an argument.
      const bool argument = is_main_argument(graph_, assertion.subject.values.front());
      for (const ValueId value : assertion.subject.values)
        if (!argument || is_main_argument(graph_, value)) look(cuts_->of_value(value), texts_->of_value(value), value);
    }
    report_.items.push_back(std::move(item));
  }

  // ---- Findings

  void mark_known() {
    known_.assign(findings_.size(), 0);
    if (request_.baseline == nullptr) return;
    Baseline left = *request_.baseline;
    for (size_t i = 0; i < findings_.size(); ++i)
      if (const auto at = left.find(finding_key(plan_, findings_[i])); at != left.end() && at->second-- > 0)
        known_[i] = 1;
  }

  void finding(size_t index) {
    const Finding& f = findings_[index];
    CheckItem item;
    item.kind = CheckKind::finding;
    item.severity = Severity::warning;
    item.rule = item.title = lint_rule_name(f.rule);
    item.message = f.message;
    item.bytes = f.most > 0 ? f.most : f.bytes;
    item.key = finding_key(plan_, f);
    item.place = f.value.valid() ? place(f.value) : input_place({});
    if (f.value.valid()) {
      item.subject = display_name(graph_, f.value);
      item.flows = flows(f.value);
    }
    for (size_t begin = 0; begin < f.fix.size();) {
      const size_t end = std::min(f.fix.find('\n', begin), f.fix.size());
      if (end > begin) item.helps.push_back(f.fix.substr(begin, end - begin));
      begin = end + 1;
    }
    const bool fails = request_.fail_on && item.severity >= *request_.fail_on;
    item.outcome = known_[index] != 0 ? CheckOutcome::known : fails ? CheckOutcome::failed : CheckOutcome::reported;
    report_.items.push_back(std::move(item));
  }

  std::string subject(const Finding& f) const {
    return f.value.valid() ? shown(display_name(graph_, f.value)) + ": " : "";
  }

  // ---- Places and ways

  // As the user's tools find it: below the working directory without that, elsewhere by its last part.
  std::string relative_path(std::string_view path) const {
    if (!path.starts_with('/')) return std::string(path);
    if (!here_.empty() && path.starts_with(here_)) return std::string(path.substr(here_.size()));
    return std::string(file_name(path));
  }

  CheckPlace input_place(SourceRange range) const {
    return {std::string(plan_.file), range.valid() ? static_cast<int64_t>(line_of(plan_.sources, range)) : 1};
  }
  CheckPlace place(ValueId value) const {
    const UserPosition position = user_position(graph_, location_of(graph_, value));
    if (position.line > 0) return {relative_path(position.file), position.line};
    return input_place(range_of(graph_, value));
  }

  // How each axis came to the value, from the annotation on.
  std::vector<std::vector<CheckStep>> flows(ValueId value) {
    if (!provenance_) provenance_.emplace(plan_.program, plan_.plan);
    std::vector<std::vector<CheckStep>> all;
    for (const ExplainedAxes& group : explain_axes(*provenance_, value)) {
      if (group.chain.empty() || all.size() == kMostFlows) continue;
      std::vector<CheckStep> flow;
      std::string axes;
      for (const AxisRef& axis : group.axes)
        axes += (axes.empty() ? "`" : ", `") + axis_word(plan_.program, plan_.plan, axis) + "`";
      // A long way keeps its ends.
      const size_t count = group.chain.size(), skipped = count > kMostFlowSteps ? count - kMostFlowSteps : 0;
      for (size_t i = 0; i < count; ++i) {
        if (skipped > 0 && i == kMostFlowSteps / 2) i += skipped;
        const AxisOrigin& origin = provenance_->at(group.chain[i]);
        flow.push_back({fmt::format("{}: {} on dimension {}, {}", origin_name(plan_.program, origin), axes, origin.dim,
                                    step_words(plan_.program, plan_.plan, *provenance_, group.chain[i])),
                        origin.value.valid() ? place(origin.value) : input_place({})});
      }
      all.push_back(std::move(flow));
    }
    return all;
  }

  CheckReport& report_;
  const PlanReport& plan_;
  const Graph& graph_;
  std::span<const Finding> findings_;
  const CheckRequest& request_;
  Diagnostics& diagnostics_;
  const std::string here_ = working_directory();
  std::optional<CollectiveList> list_;
  std::optional<Provenance> provenance_;
  std::optional<ShardingAxes> axes_;
  std::optional<ShardingTexts> texts_;
  CutTable cut_table_;
  std::optional<Cuts> cuts_;
  std::vector<char> known_;  // by finding: the baseline holds it
};

}  // namespace

bool CheckReport::any_failed(CheckKind kind) const {
  return std::any_of(items.begin(), items.end(),
                     [&](const CheckItem& item) { return item.kind == kind && item.outcome == CheckOutcome::failed; });
}

size_t CheckReport::count(CheckOutcome outcome) const {
  return static_cast<size_t>(
      std::count_if(items.begin(), items.end(), [&](const CheckItem& item) { return item.outcome == outcome; }));
}

bool evaluate(CheckReport& report, std::span<const Finding> findings, const CheckRequest& request,
              Diagnostics& diagnostics) {
  report.has_baseline = request.baseline != nullptr;
  return Evaluator(report, findings, request, diagnostics).run();
}

}  // namespace sw
