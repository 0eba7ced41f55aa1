// What is worth a user's attention in a plan: a rule, a place, the bytes it costs, a way out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "propagate/hold.h"
#include "propagate/sharding_axes.h"
#include "report/json_writer.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

enum class LintRule : uint8_t {
  under_constrained,
  silent_replication,
  axis_conflict,
  unused_axis,
  constraint_ignored,
  loop_carry_resharded,
  full_remat,
  donation_missed,
  replicated_optimizer_state,
  large_unsharded,
  tile_padding,
  miscompiled
};

struct LintRuleFacts {
  LintRule rule;
  std::string_view name;     // "silent-replication"
  std::string_view summary;  // one line
  std::string_view text;     // why it matters and what to do
};
std::span<const LintRuleFacts> lint_rules();
std::string_view lint_rule_name(LintRule rule);

// Of rule under-constrained: a sharding that a value may get, its bytes on a device, and the ways that give it.
struct FindingOutcome {
  std::string sharding;
  int64_t bytes = 0;
  std::vector<std::string> ways;
};
struct FindingValue {
  ValueId value;
  std::vector<FindingOutcome> outcomes;
};
struct FindingPin {
  ValueId value;
  std::string spec, code;
};

struct Finding {
  LintRule rule;
  ValueId value;  // invalid: the program as a whole
  std::string message;
  std::string fix;    // lines
  int64_t bytes = 0;  // more on each device than there could be
  // Rule under-constrained: all values of the group take this much on each device, by the way of propagating.
  int64_t least = 0, most = 0;
  std::vector<FindingValue> values = {};
  std::vector<FindingPin> pins = {};
};

// Of one plan; what is computed wrongly first, then the largest.
std::vector<Finding> plan_findings(const PlanReport& report);
// Of values whose sharding depends on the partitioner or on the order of propagation: one for each group, largest
// spread first.
std::vector<Finding> under_constrained_findings(const PlanReport& report, const Outcomes& outcomes, const Hold& hold);

void write_findings_text(const PlanReport& report, std::span<const Finding> findings, size_t most, TextSink& out);
// As one array.
void write_findings_json(const PlanReport& report, std::span<const Finding> findings, JsonWriter& json);

}  // namespace sw
