// lint: findings of one plan, and of what changes when the program is propagated otherwise: by the other partitioner,
// in other orders, with Shardy's basic strategy, without the priorities among operations.
#include <algorithm>
#include <vector>

#include "base/edit_distance.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/memory_target.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/uncertain.h"
#include "report/findings.h"
#include "report/memory_findings.h"
#include "report/plan_text.h"
#include "report/table.h"
#include "text/yaml/hardware.h"

namespace sw {

namespace {

int write_text(const Arguments& arguments, Diagnostics& diagnostics, const std::string& text) {
  Output out(arguments.output, diagnostics);
  if (out.is_open()) out.sink().write(text);
  return out.finish();
}

int list_rules(const Arguments& arguments, Diagnostics& diagnostics) {
  std::string text;
  for (const LintRuleFacts& rule : lint_rules()) text += padded(rule.name, 28) + std::string(rule.summary) + "\n";
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

// What only the memory of the devices shows. Devices with the same rules for memory show the same.
bool add_padding(std::span<const Hardware> hardware, const PlanReport& report, std::vector<Finding>& findings,
                 Diagnostics& diagnostics) {
  std::vector<MemoryProfile> profiles;
  for (const Hardware& device : hardware) {
    const MemoryTarget target = memory_target(device);
    if (std::any_of(profiles.begin(), profiles.end(), [&](const MemoryProfile& p) { return p.target == target; }))
      continue;
    Result<MemoryProfile> profile = profile_memory(report.local->graph, {target}, diagnostics);
    if (!profile) return false;
    profiles.push_back(std::move(*profile));
  }
  std::vector<const MemoryProfile*> all;
  for (const MemoryProfile& profile : profiles) all.push_back(&profile);
  for (Finding& finding : padding_findings(report, all)) findings.push_back(std::move(finding));
  return true;
}

}  // namespace

int command_lint(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (arguments.list_rules) return list_rules(arguments, diagnostics);
  if (!arguments.explain_rule.empty()) return explain_rule(arguments, diagnostics);
  std::vector<Hardware> hardware;
  for (const std::string& name : arguments.hardware) {
    Result<Hardware> found = find_hardware(name, {}, sources, diagnostics);
    if (!found) return kExitUsage;
    hardware.push_back(std::move(*found));
  }
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
  if (partitioned != nullptr && !add_padding(hardware, report, findings, diagnostics)) return kExitInput;
  const std::vector<Finding> uncertain = uncertain_findings(*loaded, chosen, report);
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
