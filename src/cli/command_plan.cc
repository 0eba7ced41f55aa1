// plan: the sharding of every value; the program as it is partitioned or partitioned already.
#include <optional>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "partition/hlo_form/hlo_form.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "text/hlo/reader.h"

namespace sw {

namespace {

// The program that --emit asks for: what each device runs, or all of it with the sharding of every value. Nothing when
// the partitioner has not seen the program as HLO.
std::optional<Graph> emitted_graph(const std::string& what, const Planned& planned, const LocalProgram* local) {
  if (what == "partitioned.hlo") return local != nullptr ? std::optional(local->graph) : std::nullopt;
  const Plan& plan = planned.plan;
  if (plan.lowered != nullptr) return with_shardings(plan.lowered->graph, plan.lowered->shardings);
  if (!planned.program.graph.is_hlo) return std::nullopt;
  return with_shardings(planned.program.graph, plan.tiled);
}

Result<std::string> emitted_text(const std::string& what, const Planned& planned, const LocalProgram* local,
                                 Diagnostics& diagnostics) {
  const std::optional<Graph> graph = emitted_graph(what, planned, local);
  if (!graph || local == nullptr) {
    diagnostics
        .error(DiagnosticKind::unsupported, {planned.program.file, 0, 0},
               "there is nothing to emit: the program has not been partitioned")
        .help("`--partitioner shardy` and `--partitioner gspmd` partition StableHLO");
    return reported();
  }
  Result<Graph> form = hlo_form(*graph, local->device_count, diagnostics);
  if (!form.has_value()) return reported();
  Program written;
  written.graph = std::move(*form);
  written.tile_shardings = planned.program.tile_shardings;
  return print_hlo(written);
}

int write_emitted(const Arguments& arguments, const Planned& planned, const LocalProgram* local,
                  Diagnostics& diagnostics) {
  int worst = kExitOk;
  for (const FormatRequest& request : arguments.emitted) {
    const Result<std::string> text = emitted_text(request.format, planned, local, diagnostics);
    if (!text.has_value()) return kExitInput;
    Output out(request.file.empty() ? arguments.output : request.file, diagnostics);
    if (out.is_open()) out.sink().write(*text);
    worst = worse(worst, out.finish());
  }
  return worst;
}

}  // namespace

int command_plan(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const Result<std::optional<Hardware>> hardware = one_hardware(arguments, sources, diagnostics);
  if (!hardware.has_value()) return kExitUsage;
  tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  const auto local = partition_plan(planned->program, planned->plan, arguments.backend, diagnostics);
  if (!local.has_value()) return local.error();
  std::optional<DeviceMemory> memory;
  if (hardware->has_value() && local->has_value()) {
    Result<DeviceMemory> on_device = memory_on((*local)->graph, **hardware, diagnostics);
    if (!on_device.has_value()) return kExitInput;
    memory = std::move(*on_device);
  }
  const std::string file = shown_file(arguments.file);
  const PlanReport report{
      sources, planned->program, planned->plan, file, local_of(*local), {}, memory.has_value() ? &*memory : nullptr};
  const int emitted = write_emitted(arguments, *planned, report.local, diagnostics);
  if (emitted != kExitOk) return emitted;
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      write_plan_json(report, sink);
    } else {
      write_plan_text(report, {.all = arguments.all}, sink);
    }
  });
}

}  // namespace sw
