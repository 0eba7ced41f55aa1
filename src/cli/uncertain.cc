// See the header.
#include "cli/uncertain.h"

#include <algorithm>

namespace sw {

namespace {

// How many propagations may be spent on finding pins: thousands for a small program, a few rounds for the largest.
// Counted in operations, since the clock would make the answer depend on the machine.
size_t allowed_runs(const Program& program, size_t ways) {
  constexpr size_t kOperations = 2'500'000;
  return std::clamp<size_t>(kOperations / std::max<size_t>(program.graph.op_count(), 1), 2 * ways, 3'000);
}

// Pins to what the chosen partitioner gives; where those do not settle it, to what the other one gives.
Hold find_pins(Loaded& loaded, const Outcomes& outcomes, const RunVariation& run) {
  std::vector<Variation> ways = outcomes.ways();
  const size_t allowed = allowed_runs(loaded.program, ways.size());
  Hold hold = find_hold(loaded.program, loaded.seeds, outcomes, run, allowed);
  const auto other =
      std::find_if(ways.begin(), ways.end(), [&](const Variation& way) { return way.by != ways.front().by; });
  if (hold.left == 0 || hold.runs == 0 || other == ways.end() || allowed < hold.runs + 3 * ways.size()) return hold;
  std::rotate(ways.begin(), other, ways.end());
  const Outcomes from_other(loaded.program, loaded.seeds, ways, run);
  Hold second = find_hold(loaded.program, loaded.seeds, from_other, run, allowed - hold.runs - ways.size());
  second.runs += hold.runs + ways.size();
  return second.left < hold.left ? second : hold;
}

}  // namespace

std::vector<Finding> uncertain_findings(Loaded& loaded, Partitioner chosen, const PlanReport& report) {
  const std::vector<Variation> ways = variations(loaded.program, chosen);
  if (ways.empty()) return {};
  const RunVariation run = [](Program& program, const Seeds& seeds, const Variation& variation) {
    Diagnostics refused;
    return propagate(program, seeds, variation.by, {.variation = variation}, refused);
  };
  const Outcomes outcomes(loaded.program, loaded.seeds, ways, run);
  if (outcomes.uncertain().empty()) return {};
  return under_constrained_findings(report, outcomes, find_pins(loaded, outcomes, run));
}

}  // namespace sw
