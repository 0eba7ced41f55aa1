// render: pictures of a plan.
#include <optional>

#include "cli/commands.h"
#include "cli/drawn_plans.h"
#include "cli/exit_codes.h"
#include "cli/memory.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/render_propagation.h"
#include "cli/render_report.h"
#include "draw/array_picture.h"
#include "draw/graph_svg.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/subject.h"
#include "report/table.h"

namespace sw {

namespace {

std::string subtitle_of(const DrawnPlans& graphs, const GraphModel& model) {
  std::string text = graphs.subtitle();
  size_t folded = 0;
  for (const GraphNode& node : model.nodes) folded += node.kind == NodeKind::folded ? 1 : 0;
  if (folded > 0) text += "  ·  " + count_text(static_cast<int64_t>(folded)) + " scopes folded";
  return text;
}

int draw_graph(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  DrawnPlans graphs;
  const auto choose = [&](const Program&) {
    if (!arguments.render.diff) return std::vector<Partitioner>();
    return std::vector<Partitioner>(arguments.partitioners.begin(), arguments.partitioners.end());
  };
  if (const int code = graphs.load(arguments, choose, {.lower = true}, sources, diagnostics); code != kExitOk)
    return code;
  GraphOptions options;
  constexpr int64_t kNodes = 60;
  options.budget = static_cast<size_t>(arguments.render.nodes > 0 ? arguments.render.nodes : kNodes);
  ScopeTree tree = scope_tree(graphs.report());
  if (const int code = find_scopes(arguments.render.expand, tree, options.expand, diagnostics); code != kExitOk)
    return code;
  const GraphModel model = graphs.model(options, std::move(tree));
  CardNames names;
  names.mesh = graphs.mesh();
  if (const PlanReport* second = graphs.second()) {
    names.a = partitioner_title(graphs.report().plan.by);
    names.b = partitioner_title(second->plan.by);
  }
  const DotGraph dot = dot_graph(model, names);
  const std::string title = graphs.title();
  bool failed = false;
  const int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "dot") return sink.write(dot_text(model, dot, title, {}));
    if (format == "png" || format == "pdf") {
      const Result<std::string> bytes = render_dot(dot_text(model, dot, title, {}), format, diagnostics);
      failed |= !bytes.has_value();
      return bytes.has_value() ? sink.write(*bytes) : void();
    }
    const Result<GraphLayout> layout = lay_out(dot_text(model, dot, title, {.text = false}), diagnostics);
    failed |= !layout.has_value();
    if (layout.has_value()) sink.write(graph_svg({model, dot, *layout, names, title, subtitle_of(graphs, model)}));
  });
  return worse(code, failed ? kExitUsage : kExitOk);
}

constexpr int64_t kMostNodes = 500;  // beyond, a layout takes a minute, and nobody can read it

// Pictures of arrays: of every value that the words mean, one below the other.
int draw_arrays(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  constexpr size_t kMostValues = 8;
  tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  const auto local = partition_plan(planned->program, planned->plan, arguments.backend, diagnostics);
  if (!local.has_value()) return local.error();
  const std::string file = shown_file(arguments.file);
  const PlanReport report{sources, planned->program, planned->plan, file, local_of(*local)};
  std::optional<CollectiveList> collectives;
  if (report.local != nullptr) collectives.emplace(report);

  std::vector<ArrayPicture> pictures;
  if (arguments.render.devices) {
    if (!planned->plan.mesh.valid()) {
      diagnostics.error(DiagnosticKind::unknown_name, {planned->program.file, 0, 0}, "this program has no mesh")
          .help("`--mesh x=2,y=4` gives it one");
      return kExitUsage;
    }
    const Result<std::optional<Hardware>> hardware = one_hardware(arguments, sources, diagnostics);
    if (!hardware.has_value()) return kExitUsage;
    pictures.push_back(mesh_picture(report, planned->plan.mesh, hardware->has_value() ? &**hardware : nullptr));
  } else {
    const Result<Subject> subject = find_subject(planned->program, sources, arguments.render.array, diagnostics);
    if (!subject.has_value()) return kExitUsage;
    // One name can stand for values of several functions: those of the first, which is main if it has one.
    const auto function = [&](ValueId v) { return containing_function(planned->program.graph, v); };
    for (size_t i = 0; i < subject->values.size() && pictures.size() < kMostValues; ++i)
      if (function(subject->values[i]) == function(subject->values[0]))
        pictures.push_back(
            array_picture(report, collectives.has_value() ? &*collectives : nullptr, subject->values[i]));
  }
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "svg") return sink.write(array_svg(pictures));
    for (size_t i = 0; i < pictures.size(); ++i) {
      if (i > 0) sink.write('\n');
      write_array_text(pictures[i], sink);
    }
  });
}

// Formats that a picture does not come in, and several pictures at once.
int check_picture(const Arguments& arguments, Diagnostics& diagnostics) {
  const RenderArguments& r = arguments.render;
  const auto wrong = [&](std::string message) {
    return diagnostics.error(DiagnosticKind::bad_configuration, {}, std::move(message));
  };
  const int pictures = (r.graph ? 1 : 0) + (r.report ? 1 : 0) + (r.propagation ? 1 : 0) + (r.devices ? 1 : 0) +
                       (r.array.empty() ? 0 : 1);
  if (pictures == 0)
    wrong("`render` needs to know which picture to make")
        .help("`--graph`, `--array VALUE`, `--devices`, `--propagation` or `--report`");
  if (pictures > 1) wrong("`render` makes one picture at a time");
  if (!arguments.hardware.empty() && !r.report && !r.devices) wrong("`--hardware` is for `--report` and `--devices`");
  if (r.devices && arguments.hardware.size() > 1) wrong("`--devices` stand on one kind of hardware");
  if (r.nodes > kMostNodes)
    wrong("`--nodes` takes a number from 1 to " + std::to_string(kMostNodes))
        .help("`--expand SCOPE` shows more of one place");
  if (r.diff && !r.graph) wrong("`--diff` is for `--graph`");
  if ((r.step.has_value() || !r.frames.empty()) && !r.propagation)
    wrong("`--step` and `--frames` are for `--propagation`");
  for (const FormatRequest& f : arguments.formats) {
    const bool svg = f.format == "svg" || f.format.empty();
    const bool array = (r.devices || !r.array.empty()) && f.format == "text";
    const bool graph = r.graph && f.format != "text";
    if (pictures == 1 && !r.report && !svg && !array && !graph)
      wrong("`--format " + f.format + "` is not for this picture")
          .help(r.graph         ? "`svg`, `dot`, `png` or `pdf`"
                : r.propagation ? "`svg`"
                                : "`text` or `svg`");
  }
  return diagnostics.has_errors() ? kExitUsage : kExitOk;
}

}  // namespace

int command_render(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (const int code = check_picture(arguments, diagnostics); code != kExitOk) return code;
  if (arguments.render.report) return render_report(arguments, sources, diagnostics);
  if (arguments.render.propagation) return render_propagation(arguments, sources, diagnostics);
  return arguments.render.graph ? draw_graph(arguments, sources, diagnostics)
                                : draw_arrays(arguments, sources, diagnostics);
}

}  // namespace sw
