// The findings of rule under-constrained: one for each group of values on which the ways of propagating do not agree.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "report/diff_report.h"
#include "report/findings.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr size_t kNamesShown = 8;

class Describer {
 public:
  Describer(const PlanReport& report, const Outcomes& outcomes, const Hold& hold)
      : report_(report), graph_(report.program.graph), outcomes_(outcomes), hold_(hold) {}

  // Groups that are alike: as many values, from an op of the same name with the same outcomes. Layers repeat, and so do
  // the steps of an optimizer for each parameter.
  std::string likeness(const std::vector<ValueId>& group) const {
    const ValueId first = group.front();
    const OpId def = graph_.value(first).def;
    std::string key = std::to_string(group.size()) + (def.valid() ? op_word(graph_, def) : "");
    for (size_t way = 0; way < outcomes_.ways().size(); ++way) key += "|" + text(way, first);
    return key;
  }

  Finding describe(const std::vector<std::vector<ValueId>>& groups) {
    Finding finding{LintRule::under_constrained, groups.front().front(), {}, {}, 0};
    std::vector<ValueId> all;
    for (const std::vector<ValueId>& group : groups) all.insert(all.end(), group.begin(), group.end());
    for (const ValueId value : all) finding.values.push_back({value, outcomes_of(value)});
    spread(all, finding);
    finding.message = count_text(static_cast<int64_t>(all.size())) + (all.size() == 1 ? " value" : " values");
    if (groups.size() > 1)
      finding.message += " in " + count_text(static_cast<int64_t>(groups.size())) + " places alike";
    finding.message += (all.size() == 1 ? " depends" : " depend") +
                       std::string(" on the partitioner or on the order of propagation: ") +
                       (all.size() == 1 ? "" : "this one is ") + alternatives(finding.values.front());
    if (all.size() > 1) finding.message += "; with it " + names(all);
    pins(all, finding);
    return finding;
  }

  // Pins outside all groups, made necessary by other pins, go with the first finding that is settled.
  void add_other_pins(std::vector<Finding>& findings) const {
    const auto settled =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return !f.pins.empty(); });
    if (settled == findings.end()) return;
    for (const Pin& pin : hold_.pins)
      if (!outcomes_.is_uncertain(pin.value)) add_pin(pin, *settled);
  }

 private:
  std::string text(size_t way, ValueId value) const {
    return outcomes_.cut(way, value) == Outcomes::kAbsent ? "-" : outcomes_.text(way, value).text;
  }

  // A way that lacks the value counts as the first that has it.
  int64_t bytes(size_t way, ValueId value) const {
    if (outcomes_.cut(way, value) == Outcomes::kAbsent)
      for (way = 0; outcomes_.cut(way, value) == Outcomes::kAbsent;) ++way;
    const Type type = graph_.type_of(value);
    return array_bytes(type, device_shape(type, outcomes_.text(way, value).tiles));
  }

  // In the order in which the ways first have them.
  std::vector<FindingOutcome> outcomes_of(ValueId value) const {
    std::vector<FindingOutcome> out;
    std::vector<uint32_t> cuts;
    for (size_t way = 0; way < outcomes_.ways().size(); ++way) {
      const uint32_t cut = outcomes_.cut(way, value);
      if (cut == Outcomes::kAbsent) continue;
      const auto at = static_cast<size_t>(std::find(cuts.begin(), cuts.end(), cut) - cuts.begin());
      if (at == cuts.size()) {
        cuts.push_back(cut);
        out.push_back({outcomes_.text(way, value).text, bytes(way, value), {}});
      }
      out[at].ways.push_back(variation_name(outcomes_.ways()[way]));
    }
    return out;
  }

  // What the values of the group take together on a device, the least and the most of any way.
  void spread(const std::vector<ValueId>& group, Finding& finding) const {
    for (size_t way = 0; way < outcomes_.ways().size(); ++way) {
      int64_t sum = 0;
      for (const ValueId value : group) sum += bytes(way, value);
      finding.least = way == 0 ? sum : std::min(finding.least, sum);
      finding.most = way == 0 ? sum : std::max(finding.most, sum);
    }
    finding.bytes = finding.most - finding.least;
  }

  // "P() by Shardy and 3 more, or P('x') by GSPMD": of each the first way, which is a partitioner's own if it can be.
  static std::string alternatives(const FindingValue& value) {
    std::string text;
    for (size_t i = 0; i < value.outcomes.size(); ++i) {
      const FindingOutcome& outcome = value.outcomes[i];
      const auto own =
          std::find_if(outcome.ways.begin(), outcome.ways.end(), [](const std::string& way) { return way == "GSPMD"; });
      const bool both = own != outcome.ways.end() && own != outcome.ways.begin();
      const size_t rest = outcome.ways.size() - (both ? 2 : 1);
      text += (i == 0                           ? ""
               : i + 1 == value.outcomes.size() ? " or "
                                                : ", ") +
              outcome.sharding + " by " + outcome.ways.front();
      if (both) text += (rest == 0 ? " and " : ", ") + *own;
      if (rest > 0) text += " and " + std::to_string(rest) + " more";
    }
    return text;
  }

  std::string names(const std::vector<ValueId>& group) const {
    std::string text;
    for (size_t i = 1; i < group.size() && i <= kNamesShown; ++i)
      text += (i == 1 ? "" : ", ") + shown(display_name(graph_, group[i]));
    if (group.size() > kNamesShown + 1)
      text += " and " + count_text(static_cast<int64_t>(group.size() - kNamesShown - 1)) + " more";
    return text;
  }

  void pins(const std::vector<ValueId>& group, Finding& finding) const {
    const auto is_left = [&](ValueId value) { return hold_.uncertain[value.index()] != 0; };
    if (std::any_of(group.begin(), group.end(), is_left)) {
      finding.fix = hold_.runs == 0
                        ? "annotate what these values are computed from; for pins, name the mesh (--mesh)"
                        : "annotate what these values are computed from: pins that settle it were not found in " +
                              std::to_string(hold_.runs) + " propagations";
      return;
    }
    const std::unordered_set<ValueId> members(group.begin(), group.end());
    for (const Pin& pin : hold_.pins)
      if (members.contains(pin.value)) add_pin(pin, finding);
    if (finding.pins.empty()) finding.fix = "settled by the other pins";
  }

  void add_pin(const Pin& pin, Finding& finding) const {
    const std::string spec = partition_spec_text(report_.program.shardings, pin.sharding)
                                 .value_or(sdy_text(report_.program.shardings, pin.sharding));
    finding.pins.push_back({pin.value, spec, pin_code(report_, pin)});
    std::string line = finding.pins.back().code;
    if (pin.value != finding.value && argument_name(graph_, pin.value).empty())
      line += ", " + shown(place_of(graph_, report_.sources, pin.value));
    finding.fix += (finding.fix.empty() ? "" : "\n") + line;
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Outcomes& outcomes_;
  const Hold& hold_;
};

}  // namespace

std::vector<Finding> under_constrained_findings(const PlanReport& report, const Outcomes& outcomes, const Hold& hold) {
  Describer describer(report, outcomes, hold);
  std::vector<std::vector<std::vector<ValueId>>> alike;
  std::unordered_map<std::string, size_t> index;
  for (std::vector<ValueId>& group : outcomes.groups()) {
    const auto [at, fresh] = index.try_emplace(describer.likeness(group), alike.size());
    if (fresh) alike.emplace_back();
    alike[at->second].push_back(std::move(group));
  }
  std::vector<Finding> findings;
  for (const auto& groups : alike) findings.push_back(describer.describe(groups));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.bytes > b.bytes; });
  describer.add_other_pins(findings);
  return findings;
}

}  // namespace sw
