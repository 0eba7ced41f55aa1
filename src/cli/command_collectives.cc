// collectives: every collective of a plan.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/collectives_report.h"

namespace sw {

int command_collectives(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  const auto local = partition_plan(planned->program, planned->plan, arguments.backend, diagnostics);
  if (!local.has_value()) return local.error();
  if (!local->has_value()) return not_partitioned(planned->program, diagnostics);
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, planned->program, planned->plan, file, &**local};
  const CollectivesOptions options{arguments.by, arguments.all, backend_name(arguments.backend)};
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json")
      write_collectives_report_json(report, options, sink);
    else if (format == "markdown")
      write_collectives_report_markdown(report, options, sink);
    else
      write_collectives_report(report, options, sink);
  });
}

}  // namespace sw
