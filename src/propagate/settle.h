// The smallest set of pins (with_sharding_constraint) that makes two plans of one program agree, found by trying.
//
// Greedy: of the values where the plans part, and of those that main returns where its results differ, pinned to what
// one or the other side gave them, the pin that leaves the fewest differences is kept, in results of main first, until
// none is left, nothing helps, or the allowance of tries is used up. Then every pin is tried without. So each set that
// is proposed has been run, and what remains different is known. Deterministic: tries are counted, not timed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "propagate/compare.h"
#include "propagate/seeds.h"

namespace sw {

// Two plans of one program with everything that a comparison refers to.
struct ComparedPlans {
  ComparedPlans(const Program& program, Plan plan_a, Plan plan_b);
  ComparedPlans(const ComparedPlans&) = delete;
  ComparedPlans& operator=(const ComparedPlans&) = delete;

  Plan a, b;
  Provenance from_a, from_b;
  PlanComparison comparison;
};

struct Pin {
  ValueId value;
  NamedShardingId sharding;
  bool from_b = false;  // which side gave the value this sharding
};

// A sharding as a user would write it for a pin: every one of `rank` dimensions closed, and nothing but dimensions.
NamedShardingSpec as_pin(NamedShardingSpec spec, size_t rank);

struct Settlement {
  std::vector<Pin> pins;
  size_t before = 0, after = 0;  // differences, results of main included
  size_t tries = 0;
};

// Runs both sides with these pins added; null when one of them refuses.
using RunPinned = std::function<std::unique_ptr<ComparedPlans>(const Seeds& pins)>;

// The program's tables grow by the shardings of pins.
Settlement settle(Program& program, const ComparedPlans& start, const RunPinned& run, size_t max_tries);

}  // namespace sw
