// render: pictures of a plan.
#include <memory>
#include <optional>

#include "base/edit_distance.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/render_report.h"
#include "draw/array_picture.h"
#include "draw/graph_svg.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/subject.h"
#include "report/table.h"

namespace sw {

namespace {

// A plan with its collectives.
struct Side {
  Plan plan;
  std::optional<LocalProgram> local;
};

// Everything that a picture of a graph shows.
class Graphs {
 public:
  // The plan of the chosen partitioner, or of both that are compared.
  int load(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
    tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
    if (!loaded.has_value()) return loaded.error();
    program_ = std::make_unique<Program>(std::move(loaded->program));
    std::vector<Partitioner> by = {chosen_partitioner(arguments, *program_)};
    if (arguments.render.diff) by.assign(arguments.partitioners.begin(), arguments.partitioners.end());
    for (const Partitioner partitioner : by) {
      Result<Plan> plan = propagate(*program_, loaded->seeds, partitioner, {.lower = true}, diagnostics);
      if (!plan.has_value()) return kExitInput;
      sides_.push_back(std::make_unique<Side>(Side{std::move(*plan), {}}));
      auto local = partition_plan(*program_, sides_.back()->plan, arguments.backend, diagnostics);
      if (!local.has_value()) return local.error();
      sides_.back()->local = std::move(*local);
    }
    file_ = shown_file(arguments.file);
    for (const auto& side : sides_) reports_.push_back({sources, *program_, side->plan, file_, local_of(side->local)});
    for (const PlanReport& report : reports_)
      lists_.push_back(report.local == nullptr ? nullptr : std::make_unique<CollectiveList>(report));
    if (sides_.size() == 2) compare();
    return kExitOk;
  }

  const PlanReport& report() const { return reports_[0]; }
  const PlanReport* second() const { return reports_.size() > 1 ? &reports_[1] : nullptr; }

  GraphModel model(const GraphOptions& options, ScopeTree tree) const {
    if (sides_.size() == 1) return graph_model(report(), std::move(tree), lists_[0].get(), options);
    const OtherPlan other{reports_[1], lists_[1].get(), *comparison_};
    return graph_model(report(), std::move(tree), lists_[0].get(), options, &other);
  }

 private:
  void compare() {
    for (const auto& side : sides_) provenances_.push_back(std::make_unique<Provenance>(*program_, side->plan));
    std::vector<ValueId> same;
    for (size_t i = 0; i < program_->graph.value_count(); ++i) same.push_back(ValueId{i});
    comparison_.emplace(PlanSide{*program_, sides_[0]->plan}, *provenances_[0], PlanSide{*program_, sides_[1]->plan},
                        *provenances_[1], same);
  }

  std::unique_ptr<Program> program_;
  std::vector<std::unique_ptr<Side>> sides_;
  std::string file_;
  std::vector<PlanReport> reports_;
  std::vector<std::unique_ptr<CollectiveList>> lists_;
  std::vector<std::unique_ptr<Provenance>> provenances_;
  std::optional<PlanComparison> comparison_;
};

int find_scopes(const Arguments& arguments, const ScopeTree& tree, std::vector<uint32_t>& scopes,
                Diagnostics& diagnostics) {
  for (const std::string& text : arguments.render.expand) {
    const std::vector<uint32_t> found = tree.find(text);
    scopes.insert(scopes.end(), found.begin(), found.end());
    if (!found.empty()) continue;
    std::vector<std::string_view> paths, names;
    for (const DrawScope& scope : tree.scopes) {
      paths.push_back(scope.path);
      names.push_back(scope.name);
    }
    auto builder = diagnostics.error(DiagnosticKind::unknown_name, {}, "no scope is called `" + shown(text) + "`");
    std::string_view near = nearest_name(text, paths);
    if (near.empty()) near = nearest_name(text, names);
    if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
    builder.help("the picture names them: each folded node, when pointed at, says how to expand it");
  }
  return diagnostics.has_errors() ? kExitUsage : kExitOk;
}

std::string title_of(const Graphs& graphs) {
  const Graph& graph = graphs.report().program.graph;
  std::string title = graph.module_name.valid() ? shown(graph.strings.text(graph.module_name)) : "";
  if (title.starts_with("jit_")) title.erase(0, 4);
  title = cut_to(title.empty() ? shown(graphs.report().file) : title, 60);
  if (const PlanReport* second = graphs.second())
    return title + ": " + std::string(partitioner_title(graphs.report().plan.by)) + " and " +
           std::string(partitioner_title(second->plan.by));
  return title;
}

std::string subtitle_of(const Graphs& graphs, const GraphModel& model) {
  std::string text = plan_title(graphs.report());
  if (const PlanReport* second = graphs.second()) text += " and " + std::string(partitioner_title(second->plan.by));
  size_t folded = 0;
  for (const GraphNode& node : model.nodes) folded += node.kind == NodeKind::folded ? 1 : 0;
  if (folded > 0) text += "  ·  " + count_text(static_cast<int64_t>(folded)) + " scopes folded";
  return text;
}

int draw_graph(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  Graphs graphs;
  if (const int code = graphs.load(arguments, sources, diagnostics); code != kExitOk) return code;
  GraphOptions options;
  options.budget = static_cast<size_t>(arguments.render.nodes);
  ScopeTree tree = scope_tree(graphs.report());
  if (const int code = find_scopes(arguments, tree, options.expand, diagnostics); code != kExitOk) return code;
  const GraphModel model = graphs.model(options, std::move(tree));
  const MeshId mesh = graphs.report().plan.mesh;
  CardNames names;
  if (mesh.valid()) names.mesh = &graphs.report().program.shardings.mesh(mesh).mesh;
  if (const PlanReport* second = graphs.second()) {
    names.a = partitioner_title(graphs.report().plan.by);
    names.b = partitioner_title(second->plan.by);
  }
  const DotGraph dot = dot_graph(model, names);
  const std::string title = title_of(graphs);
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
    pictures.push_back(mesh_picture(report, planned->plan.mesh));
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
  const int pictures = (r.graph ? 1 : 0) + (r.report ? 1 : 0) + (r.devices ? 1 : 0) + (r.array.empty() ? 0 : 1);
  if (pictures == 0)
    wrong("`render` needs to know which picture to make").help("`--graph`, `--array VALUE`, `--devices` or `--report`");
  if (pictures > 1) wrong("`render` makes one picture at a time");
  if (r.diff && !r.graph) wrong("`--diff` is for `--graph`");
  for (const FormatRequest& f : arguments.formats) {
    const bool graph_only = f.format == "dot" || f.format == "png" || f.format == "pdf";
    if (pictures == 1 && (r.graph ? f.format == "text" : graph_only))
      wrong("`--format " + f.format + "` is not for this picture")
          .help(r.graph ? "`svg`, `dot`, `png` or `pdf`" : "`text` or `svg`");
  }
  return diagnostics.has_errors() ? kExitUsage : kExitOk;
}

}  // namespace

int command_render(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  if (const int code = check_picture(arguments, diagnostics); code != kExitOk) return code;
  if (arguments.render.report) return render_report(arguments, sources, diagnostics);
  return arguments.render.graph ? draw_graph(arguments, sources, diagnostics)
                                : draw_arrays(arguments, sources, diagnostics);
}

}  // namespace sw
