// diff: where two plans part. Two partitioners on one program (and then pins that make them agree are looked for), one
// file under two meshes or sets of shardings, or two files.
#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "propagate/match.h"
#include "propagate/settle.h"
#include "report/diff_report.h"

namespace sw {

namespace {

// How many sets of pins are tried: enough for small programs, a few seconds for large ones. Counted in operations and
// not in time, so that the answer is the same everywhere.
size_t tries_for(const Program& program) {
  constexpr size_t kOperations = 400'000;
  return std::clamp<size_t>(kOperations / std::max<size_t>(program.graph.op_count(), 1), 2, 100);
}

// The collectives of both sides, where both are partitioned.
class ComparedCollectives {
 public:
  ComparedCollectives(const PlanReport& a, const PlanReport& b) {
    if (a.local == nullptr || b.local == nullptr) return;
    a_.emplace(a, &b.program);
    b_.emplace(b, &a.program);
    diff_.emplace(*a_, *b_);
  }
  const CollectivesDiff* diff() const { return diff_.has_value() ? &*diff_ : nullptr; }

 private:
  std::optional<CollectiveList> a_, b_;
  std::optional<CollectivesDiff> diff_;
};

int write(const Arguments& arguments, Diagnostics& diagnostics, const DiffReport& diff) {
  const int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json")
      write_diff_json(diff, sink);
    else if (format == "markdown")
      write_diff_markdown(diff, sink);
    else
      write_diff_text(diff, sink);
  });
  return worse(code, diff.equal() ? kExitOk : kExitFindings);
}

int diff_partitioners(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return loaded.error();
  Program& program = loaded->program;
  const auto run = [&](const Seeds& pins, bool lower, Diagnostics& messages) -> std::unique_ptr<ComparedPlans> {
    Seeds seeds = loaded->seeds;
    seeds.insert(seeds.end(), pins.begin(), pins.end());
    Result<Plan> a = propagate(program, seeds, arguments.partitioners[0], {.lower = lower}, messages);
    if (!a.has_value()) return nullptr;
    Result<Plan> b = propagate(program, seeds, arguments.partitioners[1], {.lower = lower}, messages);
    return b.has_value() ? std::make_unique<ComparedPlans>(program, std::move(*a), std::move(*b)) : nullptr;
  };
  const std::unique_ptr<ComparedPlans> plans = run({}, true, diagnostics);
  if (plans == nullptr) return kExitInput;

  const RunPinned run_pinned = [&](const Seeds& pins) {
    Diagnostics refused;  // a pin that a partitioner refuses is no candidate
    return run(pins, false, refused);
  };
  const Settlement settlement = settle(program, *plans, run_pinned, tries_for(program));
  const std::string file = shown_file(arguments.file);
  const auto local_a = partition_plan(program, plans->a, arguments.backend, diagnostics);
  if (!local_a.has_value()) return local_a.error();
  const auto local_b = partition_plan(program, plans->b, arguments.backend, diagnostics);
  if (!local_b.has_value()) return local_b.error();
  const PlanReport a{sources, program, plans->a, file, local_of(*local_a)};
  const PlanReport b{sources, program, plans->b, file, local_of(*local_b)};
  const ComparedCollectives collectives(a, b);
  const DiffReport diff{{std::string(partitioner_title(plans->a.by)), a, plans->from_a},
                        {std::string(partitioner_title(plans->b.by)), b, plans->from_b},
                        plans->comparison,
                        plans->comparison.equal() ? nullptr : &settlement,
                        collectives.diff(),
                        arguments.all};
  return write(arguments, diagnostics, diff);
}

// The second side: the other file, or the same one with what the --to options say instead.
Arguments second_side(const Arguments& arguments) {
  Arguments other = arguments;
  if (!arguments.other_file.empty()) other.file = arguments.other_file;
  if (!arguments.to_mesh.empty()) other.mesh = arguments.to_mesh;
  if (!arguments.to_shard.empty()) other.shard = arguments.to_shard;
  if (!arguments.to_shardings_file.empty()) other.shardings_file = arguments.to_shardings_file;
  if (!arguments.to_pin.empty()) other.pin = arguments.to_pin;
  return other;
}

int diff_programs(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const Arguments other = second_side(arguments);
  auto planned_a = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned_a.has_value()) return planned_a.error();
  auto planned_b = make_plan(other, {.lower = true}, sources, diagnostics);
  if (!planned_b.has_value()) return planned_b.error();
  const auto local_a = partition_plan(planned_a->program, planned_a->plan, arguments.backend, diagnostics);
  if (!local_a.has_value()) return local_a.error();
  const auto local_b = partition_plan(planned_b->program, planned_b->plan, arguments.backend, diagnostics);
  if (!local_b.has_value()) return local_b.error();

  const std::string file_a = shown_file(arguments.file), file_b = shown_file(other.file);
  const bool meshes = !arguments.to_mesh.empty();
  std::string label_a = meshes ? (arguments.mesh.empty() ? "the mesh as written" : arguments.mesh) : file_a;
  std::string label_b = meshes ? arguments.to_mesh : file_b;
  if (label_a == label_b) {
    label_a = "A";
    label_b = "B";
  }
  const Provenance from_a(planned_a->program, planned_a->plan), from_b(planned_b->program, planned_b->plan);
  const PlanReport a{sources, planned_a->program, planned_a->plan, file_a, local_of(*local_a)};
  const PlanReport b{sources, planned_b->program, planned_b->plan, file_b, local_of(*local_b)};
  const ComparedCollectives collectives(a, b);
  const PlanComparison comparison({a.program, a.plan}, from_a, {b.program, b.plan}, from_b,
                                  match_values(a.program, b.program));
  return write(arguments, diagnostics,
               {{label_a, a, from_a}, {label_b, b, from_b}, comparison, nullptr, collectives.diff(), arguments.all});
}

}  // namespace

int command_diff(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  const bool two_programs = !arguments.other_file.empty() || !arguments.to_mesh.empty() ||
                            !arguments.to_shard.empty() || !arguments.to_shardings_file.empty() ||
                            !arguments.to_pin.empty();
  return two_programs ? diff_programs(arguments, sources, diagnostics)
                      : diff_partitioners(arguments, sources, diagnostics);
}

}  // namespace sw
