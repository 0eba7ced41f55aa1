// lint: findings of one plan, and of what changes when the program is propagated otherwise: by the other partitioner,
// by Shardy's basic strategy, without its priorities among operations.
#include <algorithm>
#include <memory>
#include <vector>

#include "base/edit_distance.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/findings.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

namespace {

int write_text(const Arguments& arguments, Diagnostics& diagnostics, const std::string& text) {
  Output out(arguments.output, diagnostics);
  if (out.is_open()) out.sink().write(text);
  return out.finish();
}

int list_rules(const Arguments& arguments, Diagnostics& diagnostics) {
  std::string text;
  for (const LintRuleFacts& rule : lint_rules()) text += padded(rule.name, 22) + std::string(rule.summary) + "\n";
  return write_text(arguments, diagnostics, text);
}

int explain_rule(const Arguments& arguments, Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const LintRuleFacts& rule : lint_rules()) {
    if (rule.name == arguments.explain_rule)
      return write_text(
          arguments, diagnostics,
          std::string(rule.name) + ": " + std::string(rule.summary) + "\n\n" + std::string(rule.text) + "\n");
    names.push_back(rule.name);
  }
  auto builder =
      diagnostics.error(DiagnosticKind::unknown_name, {}, "unknown lint rule `" + arguments.explain_rule + "`");
  const std::string_view near = nearest_name(arguments.explain_rule, names);
  if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
  builder.help("`shardwright lint --list` names them");
  return kExitUsage;
}

// The plan against every other outcome; the first is the other partitioner's.
std::vector<std::unique_ptr<ComparedPlans>> other_outcomes(Loaded& loaded, const Plan& plan) {
  std::vector<std::unique_ptr<ComparedPlans>> outcomes;
  const auto add = [&](Partitioner by, const PropagateOptions& options) {
    Diagnostics refused;
    Result<Plan> other = propagate(loaded.program, loaded.seeds, by, options, refused);
    if (other.has_value()) outcomes.push_back(std::make_unique<ComparedPlans>(loaded.program, plan, std::move(*other)));
  };
  if (loaded.program.graph.is_hlo) return outcomes;
  if (plan.by == Partitioner::gspmd) add(Partitioner::shardy, {});
  if (plan.by == Partitioner::shardy) {
    add(Partitioner::gspmd, {});
    add(Partitioner::shardy, {.basic_strategy = true});
    add(Partitioner::shardy, {.without_op_priorities = true});
  }
  return outcomes;
}

Settlement settle_partitioners(Loaded& loaded, const ComparedPlans& start) {
  const RunPinned run = [&](const Seeds& pins) -> std::unique_ptr<ComparedPlans> {
    Diagnostics refused;
    Seeds seeds = loaded.seeds;
    seeds.insert(seeds.end(), pins.begin(), pins.end());
    Result<Plan> a = propagate(loaded.program, seeds, start.a.by, {}, refused);
    Result<Plan> b = propagate(loaded.program, seeds, start.b.by, {}, refused);
    if (!a.has_value() || !b.has_value()) return nullptr;
    return std::make_unique<ComparedPlans>(loaded.program, std::move(*a), std::move(*b));
  };
  const size_t tries = std::clamp<size_t>(400'000 / std::max<size_t>(loaded.program.graph.op_count(), 1), 2, 100);
  return settle(loaded.program, start, run, tries);
}

}  // namespace

int command_lint(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (arguments.list_rules) return list_rules(arguments, diagnostics);
  if (!arguments.explain_rule.empty()) return explain_rule(arguments, diagnostics);
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  const Result<Plan> plan =
      propagate(loaded->program, loaded->seeds, chosen_partitioner(arguments, loaded->program), {}, diagnostics);
  if (!plan.has_value()) return kExitInput;

  const auto outcomes = other_outcomes(*loaded, *plan);
  std::vector<const ComparedPlans*> others;
  for (const auto& outcome : outcomes) others.push_back(outcome.get());
  Settlement settlement;
  const bool part = !others.empty() && !others.front()->comparison.equal();
  if (part) settlement = settle_partitioners(*loaded, *others.front());

  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, loaded->program, *plan, file};
  std::vector<Finding> findings = plan_findings(report);
  const std::vector<Finding> uncertain = under_constrained_findings(report, others, part ? &settlement : nullptr);
  findings.insert(findings.end(), uncertain.begin(), uncertain.end());

  const int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      JsonWriter json(sink);
      write_findings_json(report, findings, json);
      return;
    }
    sink.write(plan_title(report) + "\n\n");
    if (findings.empty()) sink.write("  nothing to report\n");
    write_findings_text(report, findings, findings.size(), sink);
  });
  return worse(code, findings.empty() ? kExitOk : kExitFindings);
}

}  // namespace sw
