// memory: what a device needs, by category, at the worst moment and over the step.
#include "cli/advise.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/memory_report.h"

namespace sw {

int command_memory(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const Result<std::optional<Hardware>> hardware = one_hardware(arguments, sources, diagnostics);
  if (!hardware.has_value()) return kExitUsage;
  if (!hardware->has_value()) {
    diagnostics.error(DiagnosticKind::bad_configuration, {}, "`memory` needs a device")
        .help("`--hardware h100`; `shardwright hardware` names what is known");
    return kExitUsage;
  }
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  Program& program = loaded->program;
  const Result<Plan> plan =
      propagate(program, loaded->seeds, chosen_partitioner(arguments, program), {.lower = true}, diagnostics);
  if (!plan.has_value()) return kExitInput;
  const auto local = partition_plan(program, *plan, arguments.backend, diagnostics);
  if (!local.has_value()) return local.error();
  if (!local->has_value()) return not_partitioned(program, diagnostics);
  const Result<DeviceMemory> memory = memory_on((*local)->graph, **hardware, diagnostics);
  if (!memory.has_value()) return kExitInput;
  const Advice advice = advise(arguments, *loaded, *plan, **local, memory->profile, memory->hardware.usable());
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, program, *plan, file, &**local, loaded->seeds, &*memory};
  const int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json")
      write_memory_report_json(report, advice, sink);
    else
      write_memory_report(report, {arguments.all, &advice}, sink);
  });
  return code == kExitOk && arguments.gate && !memory->fits() ? kExitOutOfMemory : code;
}

}  // namespace sw
