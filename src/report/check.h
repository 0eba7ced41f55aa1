// `check`: what must hold of a plan, and whether it does. Everything that any format shows is worked out here, once, as
// a list of items: one for the memory of each target, one for each assertion (and target, where it speaks of memory),
// one for each finding.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory/profile.h"
#include "report/advice_report.h"
#include "report/assertion.h"
#include "report/findings.h"
#include "report/plan_report.h"
#include "sharding/hardware.h"

namespace sw {

// A program on one kind of device.
struct CheckTarget {
  Hardware hardware;
  MemoryProfile profile;
  std::optional<int64_t> limit;  // bytes that it may take; none where the device has no capacity and no budget is set
  bool is_budget = false;        // the limit is of the user's making
  Advice advice;                 // where it needs more

  bool needs_more() const { return limit && profile.total() > *limit; }
};

// In the user's source where that is known, else in the input.
struct CheckPlace {
  std::string file;
  int64_t line = 0;  // 0: none
};
// One step of the way in which a sharding came to a value.
struct CheckStep {
  std::string text;
  CheckPlace place;
};

enum class CheckKind : uint8_t { memory, assertion, finding };
// `reported`: a finding below what fails. `known`: a finding that the baseline holds.
enum class CheckOutcome : uint8_t { passed, failed, reported, known };

struct CheckItem {
  CheckKind kind = CheckKind::finding;
  CheckOutcome outcome = CheckOutcome::passed;
  Severity severity = Severity::error;
  std::string rule;    // "out-of-memory", "over-budget", "assertion-failed", or the lint rule
  std::string title;   // "fits", the assertion, the lint rule
  std::string target;  // empty: the program on any device
  std::string subject;
  std::string message;
  std::vector<std::string> notes, helps;
  CheckPlace place;
  int64_t bytes = 0;
  std::vector<std::vector<CheckStep>> flows;
  std::string key;  // of findings: what it is known by in a baseline
};

// How often each key may occur.
using Baseline = std::map<std::string, int64_t>;

struct CheckRequest {
  std::span<const Assertion> assertions;
  std::optional<Severity> fail_on = Severity::error;  // none: no finding fails
  const Baseline* baseline = nullptr;
};

struct CheckReport {
  const PlanReport& plan;
  std::vector<CheckTarget> targets;
  std::vector<CheckItem> items;
  std::vector<LintRule> skipped;  // rules that were not looked for
  bool has_baseline = false;
  int exit_code = 0;

  bool any_failed(CheckKind kind) const;
  size_t count(CheckOutcome outcome) const;
};

// Fills in the items. Errors: a measure that a target does not have.
bool evaluate(CheckReport& report, std::span<const Finding> findings, const CheckRequest& request,
              Diagnostics& diagnostics);

}  // namespace sw
