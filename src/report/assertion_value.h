// What the two sides of an assertion come to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/assertion.h"
#include "report/check.h"
#include "report/collective_facts.h"

namespace sw {

struct SideValue {
  double value = 0;
  std::vector<uint32_t> collectives;  // that it counts, by index into the list
};

class AssertionValues {
 public:
  // `list`: null when nothing was partitioned. `findings`: how many of each rule.
  AssertionValues(const CollectiveList* list, const PlanReport& report, std::span<const Finding> findings);

  // Errors: a measure that the target does not have.
  Result<SideValue> side(std::span<const AssertionStep> steps, const Assertion& assertion, const CheckTarget* target,
                         Diagnostics& diagnostics) const;

 private:
  bool matches(const CollectiveFacts& facts, const CollectiveFilter& filter) const;
  std::optional<double> measure(Measure measure, const CheckTarget* target) const;
  void add_loops(const PlanReport& report);

  const CollectiveList* list_;
  const PlanReport& report_;
  std::span<const Finding> findings_;
  std::vector<char> in_loop_;  // by FunctionId of the local program
};

bool holds(Comparison comparison, double left, double right);

}  // namespace sw
