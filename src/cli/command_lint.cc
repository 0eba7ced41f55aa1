// lint: findings of one plan, and of what changes when the program is propagated otherwise: by the other partitioner,
// in other orders, with Shardy's basic strategy, without the priorities among operations.
#include <algorithm>
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

// How many propagations may be spent on finding pins: thousands for a small program, a few rounds for the largest.
// Counted in operations, since the clock would make the answer depend on the machine.
size_t allowed_runs(const Program& program, size_t ways) {
  constexpr size_t kOperations = 2'500'000;
  return std::clamp<size_t>(kOperations / std::max<size_t>(program.graph.op_count(), 1), 2 * ways, 3'000);
}

// Pins to what the chosen partitioner gives; where those do not settle it, to what the other one gives.
Hold find_pins(Loaded& loaded, const Outcomes& outcomes, const RunVariation& run) {
  std::vector<Variation> ways = outcomes.ways();
  const size_t allowed = allowed_runs(loaded.program, ways.size());
  Hold hold = find_hold(loaded.program, loaded.seeds, outcomes, run, allowed);
  const auto other =
      std::find_if(ways.begin(), ways.end(), [&](const Variation& way) { return way.by != ways.front().by; });
  if (hold.left == 0 || hold.runs == 0 || other == ways.end() || allowed < hold.runs + 3 * ways.size()) return hold;
  std::rotate(ways.begin(), other, ways.end());
  const Outcomes from_other(loaded.program, loaded.seeds, ways, run);
  Hold second = find_hold(loaded.program, loaded.seeds, from_other, run, allowed - hold.runs - ways.size());
  second.runs += hold.runs + ways.size();
  return second.left < hold.left ? second : hold;
}

std::vector<Finding> under_constrained(Loaded& loaded, Partitioner chosen, const PlanReport& report) {
  const std::vector<Variation> ways = variations(loaded.program, chosen);
  if (ways.empty()) return {};
  const RunVariation run = [](Program& program, const Seeds& seeds, const Variation& variation) {
    Diagnostics refused;
    return propagate(program, seeds, variation.by, {.variation = variation}, refused);
  };
  const Outcomes outcomes(loaded.program, loaded.seeds, ways, run);
  if (outcomes.uncertain().empty()) return {};
  return under_constrained_findings(report, outcomes, find_pins(loaded, outcomes, run));
}

}  // namespace

int command_lint(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (arguments.list_rules) return list_rules(arguments, diagnostics);
  if (!arguments.explain_rule.empty()) return explain_rule(arguments, diagnostics);
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  const Partitioner chosen = chosen_partitioner(arguments, loaded->program);
  const Result<Plan> plan = propagate(loaded->program, loaded->seeds, chosen, {.lower = true}, diagnostics);
  if (!plan.has_value()) return kExitInput;
  const auto local = partition_plan(loaded->program, *plan, Backend::none, diagnostics);
  if (!local.has_value()) return local.error();

  const std::string file = shown_file(arguments.file);
  const LocalProgram* partitioned = local_of(*local);
  const PlanReport report{sources, loaded->program, *plan, file, partitioned, loaded->seeds};
  std::vector<Finding> findings = plan_findings(report);
  const std::vector<Finding> uncertain = under_constrained(*loaded, chosen, report);
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
