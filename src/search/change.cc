// See the header.
#include "search/change.h"

#include <algorithm>

namespace sw {

namespace {

void place(std::vector<Placed>& list, const Placed& placed) {
  const auto same = std::find_if(list.begin(), list.end(), [&](const Placed& p) { return p.value == placed.value; });
  if (same == list.end())
    list.push_back(placed);
  else
    *same = placed;
}

}  // namespace

Change joined(std::span<const Change> changes) {
  Change all;
  for (const Change& change : changes) {
    for (const ValueId value : change.donated)
      if (std::find(all.donated.begin(), all.donated.end(), value) == all.donated.end()) all.donated.push_back(value);
    for (const Placed& argument : change.arguments) place(all.arguments, argument);
    for (const Placed& pin : change.pins) place(all.pins, pin);
    for (const ResultSharding& result : change.results) {
      const auto same = std::find_if(all.results.begin(), all.results.end(),
                                     [&](const ResultSharding& r) { return r.result == result.result; });
      if (same == all.results.end())
        all.results.push_back(result);
      else
        *same = result;
    }
  }
  return all;
}

void apply_change(const Change& change, Program& program, Seeds& seeds) {
  Seeds changed;
  for (const Placed& argument : change.arguments) changed.push_back({argument.value, argument.sharding, {}, false});
  for (const Placed& pin : change.pins) changed.push_back(pin_seed(pin.value, pin.sharding));
  for (const Seed& seed : seeds)
    if (std::none_of(changed.begin(), changed.end(),
                     [&](const Seed& s) { return s.value == seed.value && s.is_pin == seed.is_pin; }))
      changed.push_back(seed);
  seeds = std::move(changed);
  shard_results(program, change.results);
  give_away(program, change.donated);
}

}  // namespace sw
