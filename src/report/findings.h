// What is worth a user's attention in a plan: a rule, a place, the bytes it costs, a way out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "propagate/settle.h"
#include "propagate/sharding_axes.h"
#include "report/json_writer.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

enum class LintRule : uint8_t {
  under_constrained,
  silent_replication,
  unused_axis,
  constraint_ignored,
  loop_carry_resharded
};

struct LintRuleFacts {
  LintRule rule;
  std::string_view name;     // "silent-replication"
  std::string_view summary;  // one line
  std::string_view text;     // why it matters and what to do
};
std::span<const LintRuleFacts> lint_rules();
std::string_view lint_rule_name(LintRule rule);

struct Finding {
  LintRule rule;
  ValueId value;  // invalid: the program as a whole
  std::string message;
  std::string fix;
  int64_t bytes = 0;  // more on each device than there could be
};

// Of one plan; largest first.
std::vector<Finding> plan_findings(const PlanReport& report);
// Of values whose sharding depends on the partitioner or on the order of propagation: one for each place where the
// outcomes part. `others` are comparisons of the plan of `report` with other outcomes; `settlement` holds the pins that
// make the two partitioners agree.
std::vector<Finding> under_constrained_findings(const PlanReport& report, std::span<const ComparedPlans* const> others,
                                                const Settlement* settlement);

void write_findings_text(const PlanReport& report, std::span<const Finding> findings, size_t most, TextSink& out);
// As one array.
void write_findings_json(const PlanReport& report, std::span<const Finding> findings, JsonWriter& json);

}  // namespace sw
