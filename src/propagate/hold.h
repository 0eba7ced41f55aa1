// The pins (with_sharding_constraint) that leave no choice to the order of propagation, found by trying.
//
// Every value where two ways part is pinned to what the first way gives it, so that its plan stays what it is; what is
// then still uncertain parts elsewhere, and is pinned next, until nothing is uncertain or the allowance of tries is
// used up. After that, pins are taken away again, first in halves, then in smaller pieces, as long as nothing becomes
// uncertain. Worked example: y depends on the order, z and w follow from it. The partings are y and, through another
// way, z; both are pinned, that settles all three; without z it stays settled, so y alone is left.
//
// A try propagates the program in those ways only that differ from the first; what comes out is then checked in all of
// them. Deterministic: propagations are counted, not timed.
#pragma once

#include <optional>

#include "propagate/outcomes.h"
#include "propagate/settle.h"

namespace sw {

struct Hold {
  std::vector<Pin> pins;
  std::vector<char> uncertain;  // by ValueId: what the pins leave so
  size_t left = 0;              // how many of those there are
  size_t runs = 0;              // propagations that it took
};

// The sharding that a value has in a plan of `from`, every dimension closed, on the plan's mesh; none where that cannot
// say it. A value of which nothing is said is whole.
// `manual`: takes the axes of a manual subgroup, which are none of the dimensions'.
std::optional<NamedShardingSpec> planned_spec(const Program& from, const Plan& plan, ValueId value,
                                              AxisList* manual = nullptr);
// The same as one of `program`, of which the outcomes are.
std::optional<NamedShardingId> pinned_sharding(Program& program, const Outcomes& outcomes, ValueId value);

// `program` is what `outcomes` were made from; its tables grow by the shardings of pins. No more than `max_runs`
// propagations are spent.
Hold find_hold(Program& program, const Seeds& seeds, const Outcomes& outcomes, const RunVariation& run,
               size_t max_runs);

}  // namespace sw
