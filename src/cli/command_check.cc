// check: the gate. What the command line asks for is read first, then the program is planned and partitioned once, its
// memory is worked out for each target, and everything that must hold is looked at.
#include <algorithm>

#include "base/quantity.h"
#include "cli/advise.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/memory_target.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/uncertain.h"
#include "memory/arguments.h"
#include "report/baseline.h"
#include "report/check_formats.h"
#include "report/memory_findings.h"
#include "source/input.h"
#include "text/yaml/hardware.h"

namespace sw {

namespace {

// --max-memory: a share of the capacity, or bytes.
struct Budget {
  double share = 0;  // 0: `bytes` hold
  int64_t bytes = 0;
};

Result<std::optional<Budget>> read_budget(const std::string& text, SourceManager& sources, Diagnostics& diagnostics) {
  if (text.empty()) return std::nullopt;
  const SourceRange where{sources.add("--max-memory", text), 0, static_cast<uint32_t>(text.size())};
  const std::optional<double> number = parse_number(text);
  if (number && *number > 0 && *number <= 1) return Budget{*number, 0};
  constexpr int64_t kSmallest = 1 << 20;
  const std::optional<int64_t> bytes = parse_bytes(text);
  if (bytes && *bytes >= kSmallest) return Budget{0, *bytes};
  diagnostics
      .error(DiagnosticKind::bad_configuration, where,
             bytes ? "`" + text + "` is neither a share of the capacity, up to 1, nor a megabyte or more"
                   : "`" + text + "` is neither a share of the capacity nor a number of bytes")
      .help("`0.9` is nine tenths of the capacity, `14GiB` and `80 GB` are bytes");
  return reported();
}

// What the command line asks for, beside the program.
struct Request {
  std::vector<Hardware> hardware;
  std::optional<Budget> budget;
  std::vector<FileId> assertions;
  std::optional<Baseline> baseline;
};

Result<Request> read_request(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  Request request;
  bool ok = true;
  for (const std::string& name : arguments.hardware) {
    Result<Hardware> found = find_hardware(name, {}, sources, diagnostics);
    ok = ok && found.has_value();
    if (found) request.hardware.push_back(std::move(*found));
  }
  const Result<std::optional<Budget>> budget = read_budget(arguments.max_memory, sources, diagnostics);
  ok = ok && budget.has_value();
  if (budget) request.budget = *budget;
  if (!arguments.max_memory.empty() && arguments.hardware.empty()) {
    diagnostics
        .error(DiagnosticKind::bad_configuration, {},
               "`--max-memory` says how much of a device, and no device is given")
        .help("`--hardware h100`; `shardwright hardware` names what is known");
    ok = false;
  }
  for (const std::string& text : arguments.assertions) request.assertions.push_back(sources.add("--assert", text));
  if (!arguments.baseline.empty()) {
    const Result<FileId> file = load_input(arguments.baseline, sources, diagnostics);
    Result<Baseline> baseline = file ? read_baseline(*file, sources, diagnostics) : reported();
    ok = ok && baseline.has_value();
    if (baseline) request.baseline = std::move(*baseline);
  }
  if (!ok) return reported();
  return request;
}

// `mesh`: null before the program is known.
Result<std::vector<Assertion>> read_assertions(const Request& request, const Mesh* mesh, const SourceManager& sources,
                                               Diagnostics& diagnostics) {
  std::vector<Assertion> assertions;
  bool ok = true;
  for (const FileId file : request.assertions) {
    Result<Assertion> read = read_assertion(file, sources, mesh, diagnostics);
    ok = ok && read.has_value();
    if (!read) continue;
    if (read->needs_target && request.hardware.empty()) {
      diagnostics
          .error(DiagnosticKind::bad_configuration, read->where,
                 "this is about the memory of a device, and no device is given")
          .help("`--hardware h100`; `shardwright hardware` names what is known");
      ok = false;
    }
    assertions.push_back(std::move(*read));
  }
  if (!ok) return reported();
  return assertions;
}

// Devices with the same rules for memory share one profile.
bool add_targets(const Request& request, const LocalProgram& local, CheckReport& report, Diagnostics& diagnostics) {
  for (const Hardware& hardware : request.hardware) {
    CheckTarget target{hardware, {}, hardware.usable(), request.budget.has_value(), {}};
    const MemoryTarget model = memory_target(hardware);
    const CheckTarget* same = nullptr;
    for (const CheckTarget& other : report.targets)
      if (other.profile.target == model) same = &other;
    Result<MemoryProfile> profile =
        same != nullptr ? Result<MemoryProfile>(same->profile) : profile_memory(local.graph, {model}, diagnostics);
    if (!profile) return false;
    target.profile = std::move(*profile);
    if (request.budget && request.budget->share > 0)
      target.limit =
          hardware.capacity
              ? std::optional(static_cast<int64_t>(request.budget->share * static_cast<double>(*hardware.capacity)))
              : std::nullopt;
    else if (request.budget)
      target.limit = request.budget->bytes;
    report.targets.push_back(std::move(target));
  }
  return true;
}

// Looked for once for devices with the same rules and the same limit.
void add_advice(const Arguments& arguments, Loaded& loaded, CheckReport& report) {
  std::vector<CheckTarget*> searched;
  const auto same = [](const CheckTarget& a, const CheckTarget& b) {
    return a.profile.target == b.profile.target && a.limit == b.limit;
  };
  for (CheckTarget& target : report.targets)
    if (target.needs_more() &&
        std::none_of(searched.begin(), searched.end(), [&](const CheckTarget* t) { return same(*t, target); }))
      searched.push_back(&target);
  for (CheckTarget* target : searched)
    target->advice = advise(arguments, loaded, report.plan.plan, *report.plan.local, target->profile, target->limit,
                            searched.size());
  for (CheckTarget& target : report.targets)
    for (const CheckTarget* first : searched)
      if (target.needs_more() && &target != first && same(*first, target)) target.advice = first->advice;
}

int exit_code(const CheckReport& report) {
  if (report.any_failed(CheckKind::memory)) return kExitOutOfMemory;
  return report.any_failed(CheckKind::assertion) || report.any_failed(CheckKind::finding) ? kExitFindings : kExitOk;
}

int write_report(const Arguments& arguments, const CheckReport& report, Diagnostics& diagnostics) {
  int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") return write_check_json(report, sink);
    if (format == "markdown") return write_check_markdown(report, sink);
    if (format == "sarif") return write_check_sarif(report, SW_VERSION, sink);
    if (format == "junit") return write_check_junit(report, sink);
    if (format == "github") return write_check_github(report, sink);
    write_check_text(report, sink);
  });
  if (!arguments.write_baseline.empty()) {
    Output out(arguments.write_baseline, diagnostics);
    if (out.is_open()) write_baseline(report, out.sink());
    code = worse(code, out.finish());
  }
  return code;
}

// A request that is wrong counts before a program that is, so both are looked at.
int program_failed(int code, const Request& request, const SourceManager& sources, Diagnostics& diagnostics) {
  return read_assertions(request, nullptr, sources, diagnostics) ? code : worse(code, kExitUsage);
}

}  // namespace

int command_check(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const Result<Request> request = read_request(arguments, sources, diagnostics);
  if (!request) return kExitUsage;
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded) return program_failed(loaded.error(), *request, sources, diagnostics);
  Program& program = loaded->program;
  const Partitioner chosen = chosen_partitioner(arguments, program);
  const Result<Plan> plan = propagate(program, loaded->seeds, chosen, {.lower = true}, diagnostics);
  if (!plan) return program_failed(kExitInput, *request, sources, diagnostics);

  const Mesh no_mesh;
  const Mesh& mesh = plan->mesh.valid() ? program.shardings.mesh(plan->mesh).mesh : no_mesh;
  Result<std::vector<Assertion>> assertions = read_assertions(*request, &mesh, sources, diagnostics);
  if (!assertions) return kExitUsage;
  for (Assertion& assertion : *assertions)
    if (!resolve_spec(assertion, program, *plan, sources, diagnostics)) return kExitUsage;

  const auto local = partition_plan(program, *plan, arguments.backend, diagnostics);
  if (!local) return local.error();
  if (!local->has_value() && !request->hardware.empty()) return not_partitioned(program, diagnostics);
  const std::string file = shown_file(arguments.file);
  const PlanReport about{sources, program, *plan, file, local_of(*local), loaded->seeds};
  CheckReport report{about, {}, {}, {}};
  if (local->has_value() && !add_targets(*request, **local, report, diagnostics)) return kExitInput;
  add_advice(arguments, *loaded, report);
  std::vector<Finding> findings = plan_findings(about);
  std::vector<const MemoryProfile*> profiles;
  for (const CheckTarget& target : report.targets) profiles.push_back(&target.profile);
  for (Finding& finding : padding_findings(about, profiles)) findings.push_back(std::move(finding));
  // Looked for only when asked about: it takes many propagations.
  if (std::any_of(assertions->begin(), assertions->end(),
                  [](const Assertion& a) { return a.asks_for(LintRule::under_constrained); })) {
    const std::vector<Finding> uncertain = uncertain_findings(*loaded, chosen, about);
    findings.insert(findings.end(), uncertain.begin(), uncertain.end());
  } else {
    report.skipped.push_back(LintRule::under_constrained);
  }
  if (std::none_of(profiles.begin(), profiles.end(),
                   [](const MemoryProfile* p) { return entry_rules(p->target).form == ArrayForm::tiled; }))
    report.skipped.push_back(LintRule::tile_padding);
  const CheckRequest wanted{*assertions, arguments.fail_on, request->baseline ? &*request->baseline : nullptr};
  if (!evaluate(report, findings, wanted, diagnostics)) return kExitUsage;
  report.exit_code = exit_code(report);
  return worse(report.exit_code, write_report(arguments, report, diagnostics));
}

}  // namespace sw
