// See the header. The chosen partitioner's plan is the report's; the other one's stands beside it where the program is
// one that both can read.
#include "cli/render_report.h"

#include <algorithm>
#include <optional>

#include "cli/exit_codes.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "draw/html_report.h"
#include "propagate/as_written.h"

namespace sw {

namespace {

// Sets of pins that are tried: a report is made in a second or two, so fewer than `diff` tries; none for the largest
// programs.
size_t tries_for(const Program& program) {
  constexpr size_t kOperations = 40'000;
  return std::min<size_t>(kOperations / std::max<size_t>(program.graph.op_count(), 1), 60);
}

// Why there is no second plan, or nothing.
std::string no_other(const Program& program, Partitioner chosen) {
  if (program.graph.is_hlo) return "HLO text is for GSPMD alone: Shardy works on StableHLO.";
  if (chosen == Partitioner::none) return "The shardings written in the file are the plan; no partitioner has run.";
  if (is_for_gspmd(program)) return "The shardings of this file are GSPMD's; Shardy does not read them.";
  return {};
}

struct Side {
  Plan plan;
  std::optional<LocalProgram> local;
  std::optional<DeviceMemory> memory;

  const DeviceMemory* memory_or_null() const { return memory.has_value() ? &*memory : nullptr; }
};

tl::expected<Side, ExitCode> make_side(Loaded& loaded, Partitioner by, Backend backend,
                                       const std::optional<Hardware>& hardware, Diagnostics& diagnostics) {
  Result<Plan> plan = propagate(loaded.program, loaded.seeds, by, {.lower = true}, diagnostics);
  if (!plan.has_value()) return tl::make_unexpected(kExitInput);
  auto local = partition_plan(loaded.program, *plan, backend, diagnostics);
  if (!local.has_value()) return tl::make_unexpected(local.error());
  Side side{std::move(*plan), std::move(*local), {}};
  if (!hardware.has_value() || !side.local.has_value()) return side;
  Result<DeviceMemory> memory = memory_on(side.local->graph, *hardware, diagnostics);
  if (!memory.has_value()) return tl::make_unexpected(kExitInput);
  side.memory = std::move(*memory);
  return side;
}

int write_page(const Arguments& arguments, const HtmlReport& html, Diagnostics& diagnostics) {
  Output out(arguments.output, diagnostics);
  if (out.is_open()) write_html_report(html, out.sink());
  return out.finish();
}

Settlement find_pins(Loaded& loaded, const ComparedPlans& plans) {
  const auto run = [&](const Seeds& pins) -> std::unique_ptr<ComparedPlans> {
    Diagnostics refused;  // a pin that a partitioner refuses is no candidate
    Seeds seeds = loaded.seeds;
    seeds.insert(seeds.end(), pins.begin(), pins.end());
    Result<Plan> a = propagate(loaded.program, seeds, plans.a.by, {}, refused);
    if (!a.has_value()) return nullptr;
    Result<Plan> b = propagate(loaded.program, seeds, plans.b.by, {}, refused);
    return b.has_value() ? std::make_unique<ComparedPlans>(loaded.program, std::move(*a), std::move(*b)) : nullptr;
  };
  return settle(loaded.program, plans, run, tries_for(loaded.program));
}

int write_both(const Arguments& arguments, SourceManager& sources, Loaded& loaded, Side a, Side b,
               Diagnostics& diagnostics) {
  const ComparedPlans plans(loaded.program, std::move(a.plan), std::move(b.plan));
  std::optional<Settlement> settlement;
  if (!plans.comparison.equal() && tries_for(loaded.program) > 1) settlement = find_pins(loaded, plans);

  const std::string file = shown_file(arguments.file);
  const PlanReport report_a{sources,           loaded.program, plans.a,           file,
                            local_of(a.local), loaded.seeds,   a.memory_or_null()};
  const PlanReport report_b{sources,           loaded.program, plans.b,           file,
                            local_of(b.local), loaded.seeds,   b.memory_or_null()};
  std::optional<CollectiveList> list_a, list_b;
  std::optional<CollectivesDiff> collectives;
  if (a.local.has_value() && b.local.has_value()) {
    list_a.emplace(report_a);
    list_b.emplace(report_b);
    collectives.emplace(*list_a, *list_b);
  }
  const HtmlOther other{report_b, plans.from_b, plans.comparison, collectives.has_value() ? &*collectives : nullptr,
                        settlement.has_value() ? &*settlement : nullptr};
  return write_page(arguments, {report_a, plans.from_a, &other, {}}, diagnostics);
}

}  // namespace

int render_report(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (std::any_of(arguments.formats.begin(), arguments.formats.end(),
                  [](const FormatRequest& f) { return !f.format.empty(); })) {
    diagnostics.error(DiagnosticKind::bad_configuration, {}, "`--report` is HTML and takes no `--format`");
    return kExitUsage;
  }
  if (arguments.hardware.size() > 1) {
    diagnostics.error(DiagnosticKind::bad_configuration, {}, "`--report` shows the memory of one device")
        .help("`shardwright check` takes several");
    return kExitUsage;
  }
  const Result<std::optional<Hardware>> hardware = one_hardware(arguments, sources, diagnostics);
  if (!hardware.has_value()) return kExitUsage;
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  const Partitioner chosen = chosen_partitioner(arguments, loaded->program);
  tl::expected<Side, ExitCode> side = make_side(*loaded, chosen, arguments.backend, *hardware, diagnostics);
  if (!side.has_value()) return side.error();

  std::string why_not = no_other(loaded->program, chosen);
  if (why_not.empty()) {
    const Partitioner second = chosen == Partitioner::shardy ? Partitioner::gspmd : Partitioner::shardy;
    Diagnostics refused;  // the report is of the chosen one; that the other cannot is a line in it
    tl::expected<Side, ExitCode> other = make_side(*loaded, second, arguments.backend, *hardware, refused);
    if (other.has_value())
      return write_both(arguments, sources, *loaded, std::move(*side), std::move(*other), diagnostics);
    why_not = std::string(partitioner_title(second)) + " does not take this program";
    for (const Diagnostic* d : refused.sorted()) why_not += (d == refused.sorted().front() ? ": " : "; ") + d->message;
    why_not += '.';
  }
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources,       loaded->program,       side->plan, file, local_of(side->local),
                          loaded->seeds, side->memory_or_null()};
  const Provenance provenance(loaded->program, side->plan);
  return write_page(arguments, {report, provenance, nullptr, std::move(why_not)}, diagnostics);
}

}  // namespace sw
