// See the header.
#include "cli/advise.h"

#include <algorithm>

#include "report/table.h"

namespace sw {

namespace {

// Tries that are made unasked. Counted in operations, since the clock would make the answer depend on the machine.
constexpr size_t kOperations = 120'000;
constexpr size_t kMostTries = 64, kLeastTries = 6;

}  // namespace

Advice advise(const Arguments& arguments, Loaded& loaded, const Plan& plan, const LocalProgram& local,
              const MemoryProfile& profile, std::optional<int64_t> limit, size_t searches) {
  const bool fits = !limit || profile.total() <= *limit;
  size_t tries = 0;
  if (arguments.advice) {
    tries = static_cast<size_t>(*arguments.advice);
    if (tries == 0) return {};
  } else {
    if (fits) return {};
    const size_t operations = std::max<size_t>(loaded.program.graph.op_count(), 1);
    tries = std::min(kOperations / operations, kMostTries) / std::max<size_t>(searches, 1);
    if (tries < kLeastTries)
      return {std::nullopt, "nothing was tried that would make it fit: the program has " +
                                count_text(static_cast<int64_t>(operations)) +
                                " operations; `--advice 20` tries twenty changes"};
  }
  const Partitioner by = plan.by;
  const RunChanged run = [&, by](Program program, const Seeds& seeds) -> std::optional<ChangedProgram> {
    Diagnostics refused;
    Result<Plan> changed = propagate(program, seeds, by, {.lower = true}, refused);
    if (!changed) return std::nullopt;
    auto partitioned = partition_plan(program, *changed, arguments.backend, refused);
    if (!partitioned || !partitioned->has_value()) return std::nullopt;
    return ChangedProgram{std::move(program), std::move(*changed), std::move(**partitioned)};
  };
  return {find_advice(loaded.program, loaded.seeds, plan, local, profile, run, {limit, tries}), {}};
}

}  // namespace sw
