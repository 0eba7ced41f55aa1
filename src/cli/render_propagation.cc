// See the header.
#include "cli/render_propagation.h"

#include <filesystem>

#include "cli/drawn_plans.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "draw/propagation_svg.h"
#include "propagate/as_written.h"

namespace sw {

namespace {

constexpr size_t kMostFrames = 14;
constexpr int64_t kNodes = 24;  // of each graph, since there are two

// Both partitioners, unless one was asked for or the file is for one only.
std::vector<Partitioner> partitioners(const Arguments& arguments, const Program& program) {
  if (arguments.partitioner.has_value() || program.graph.is_hlo || is_for_gspmd(program)) return {};
  return {arguments.partitioners.begin(), arguments.partitioners.end()};
}

int write_frames(const std::string& folder, uint32_t frames, const std::function<std::string(uint32_t)>& frame,
                 Diagnostics& diagnostics) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);  // where it fails, so does writing to it, which says why
  int worst = kExitOk;
  for (uint32_t f = 0; f < frames && worst == kExitOk; ++f) {
    const std::string number = std::to_string(f);
    Output out(folder + "/frame-" + std::string(number.size() < 2 ? 1 : 0, '0') + number + ".svg", diagnostics);
    if (out.is_open()) out.sink().write(frame(f));
    worst = worse(worst, out.finish());
  }
  return worst;
}

}  // namespace

int render_propagation(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const RenderArguments& r = arguments.render;
  DrawnPlans plans;
  const auto choose = [&](const Program& program) { return partitioners(arguments, program); };
  const PropagateOptions with_refusals = {.record_refusals = true, .lower = true};
  if (const int code = plans.load(arguments, choose, with_refusals, sources, diagnostics); code != kExitOk) return code;
  GraphOptions options;
  options.budget = static_cast<size_t>(r.nodes > 0 ? r.nodes : kNodes);
  ScopeTree tree = scope_tree(plans.report());
  if (const int code = find_scopes(r.expand, tree, options.expand, diagnostics); code != kExitOk) return code;
  const GraphModel model = graph_model(plans.report(), std::move(tree), nullptr, options);
  std::vector<Film> films;
  for (size_t i = 0; i < plans.count(); ++i) films.push_back(film_of(plans.report(i), model, kMostFrames));

  const uint32_t frames = frame_count(films);
  if (r.step.has_value() && (*r.step < 0 || *r.step >= frames)) {
    diagnostics.error(DiagnosticKind::bad_configuration, {},
                      "`--step` takes a frame from 0 to " + std::to_string(frames - 1));
    return kExitUsage;
  }
  const PropagationPicture picture{model, films, plans.mesh(), plans.title(), plans.subtitle()};
  const DotGraph graph = propagation_cards(picture);
  const Result<GraphLayout> layout = lay_out(dot_text(model, graph, picture.title, {.text = false}), diagnostics);
  if (!layout.has_value()) return kExitUsage;
  const auto svg = [&](std::optional<uint32_t> frame) { return propagation_svg(picture, graph, *layout, frame); };
  if (!r.frames.empty()) return write_frames(r.frames, frames, svg, diagnostics);
  const auto step = r.step.has_value() ? std::optional(static_cast<uint32_t>(*r.step)) : std::nullopt;
  return write_formats(arguments, diagnostics, [&](const std::string&, TextSink& sink) { sink.write(svg(step)); });
}

}  // namespace sw
