// See the header.
#include "cli/drawn_plans.h"

#include "base/edit_distance.h"
#include "cli/exit_codes.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

int DrawnPlans::load(const Arguments& arguments, const Choose& choose, const PropagateOptions& options,
                     SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  program_ = std::make_unique<Program>(std::move(loaded->program));
  std::vector<Partitioner> by = choose(*program_);
  if (by.empty()) by.push_back(chosen_partitioner(arguments, *program_));
  for (const Partitioner partitioner : by) {
    Result<Plan> plan = propagate(*program_, loaded->seeds, partitioner, options, diagnostics);
    if (!plan.has_value()) return kExitInput;
    sides_.push_back(std::make_unique<Side>(Side{std::move(*plan), {}}));
    auto local = partition_plan(*program_, sides_.back()->plan, arguments.backend, diagnostics);
    if (!local.has_value()) return local.error();
    sides_.back()->local = std::move(*local);
  }
  file_ = shown_file(arguments.file);
  for (const auto& side : sides_) reports_.push_back({sources, *program_, side->plan, file_, local_of(side->local)});
  return kExitOk;
}

const Mesh* DrawnPlans::mesh() const {
  const MeshId mesh = report().plan.mesh;
  return mesh.valid() ? &program_->shardings.mesh(mesh).mesh : nullptr;
}

std::string DrawnPlans::title() const {
  std::string title = program_name(report().program.graph);
  title = cut_to(title.empty() ? shown(report().file) : title, 60);
  if (second() == nullptr) return title;
  return title + ": " + std::string(partitioner_title(report().plan.by)) + and_second();
}

std::string DrawnPlans::subtitle() const { return plan_title(report()) + and_second(); }

std::string DrawnPlans::and_second() const {
  return second() == nullptr ? "" : " and " + std::string(partitioner_title(second()->plan.by));
}

GraphModel DrawnPlans::model(const GraphOptions& options, ScopeTree tree) const {
  std::vector<std::unique_ptr<CollectiveList>> lists;
  for (const PlanReport& report : reports_)
    lists.push_back(report.local == nullptr ? nullptr : std::make_unique<CollectiveList>(report));
  if (second() == nullptr) return graph_model(report(), std::move(tree), lists[0].get(), options);
  const PlanSide a{*program_, report().plan}, b{*program_, second()->plan};
  const Provenance from_a(*program_, a.plan), from_b(*program_, b.plan);
  std::vector<ValueId> same;
  for (size_t i = 0; i < program_->graph.value_count(); ++i) same.push_back(ValueId{i});
  const PlanComparison comparison(a, from_a, b, from_b, same);
  const OtherPlan other{*second(), lists[1].get(), comparison};
  return graph_model(report(), std::move(tree), lists[0].get(), options, &other);
}

int find_scopes(std::span<const std::string> names_asked, const ScopeTree& tree, std::vector<uint32_t>& scopes,
                Diagnostics& diagnostics) {
  for (const std::string& text : names_asked) {
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

}  // namespace sw
