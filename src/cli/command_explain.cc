// explain: where the sharding of a value comes from.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "report/explain_report.h"

namespace sw {

namespace {

// --why-not must name an axis of the mesh.
bool check_axis(const Arguments& arguments, const Planned& planned, Diagnostics& diagnostics) {
  if (arguments.why_not.empty() || !planned.plan.mesh.valid()) return true;
  std::string names;
  for (const MeshAxis& axis : planned.program.shardings.mesh(planned.plan.mesh).mesh.axes) {
    if (axis.name == arguments.why_not) return true;
    names += (names.empty() ? "`" : ", `") + axis.name + "`";
  }
  diagnostics.error(DiagnosticKind::unknown_axis, {}, "the mesh has no axis `" + arguments.why_not + "`")
      .help("its axes are " + names);
  return false;
}

}  // namespace

int command_explain(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.record_refusals = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  if (!check_axis(arguments, *planned, diagnostics)) return kExitUsage;
  const Result<Subject> subject = find_subject(planned->program, sources, arguments.subject, diagnostics);
  if (!subject.has_value()) return kExitUsage;
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, planned->program, planned->plan, file};
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      write_explain_json(report, *subject, {arguments.why_not}, sink);
    } else {
      write_explain_text(report, *subject, {arguments.why_not}, sink);
    }
  });
}

}  // namespace sw
