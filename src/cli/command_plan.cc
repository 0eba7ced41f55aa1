// plan: the sharding of every value.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/plan_json.h"
#include "report/plan_text.h"

namespace sw {

int command_plan(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  const auto local = partition_plan(planned->program, planned->plan, arguments.backend, diagnostics);
  if (!local.has_value()) return local.error();
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, planned->program, planned->plan, file, local->has_value() ? &**local : nullptr};
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      write_plan_json(report, sink);
    } else {
      write_plan_text(report, {.all = arguments.all}, sink);
    }
  });
}

}  // namespace sw
