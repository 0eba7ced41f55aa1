// Findings about what fills the memory of a device: donation-missed, replicated-optimizer-state, large-unsharded, and
// tile-padding on devices that store arrays in tiles.
#pragma once

#include <span>
#include <vector>

#include "memory/profile.h"
#include "report/findings.h"

namespace sw {

// What the shardings alone show; none when the plan was not partitioned.
std::vector<Finding> memory_findings(const PlanReport& report);
// What only the memory of a device shows; one list for all of them.
std::vector<Finding> padding_findings(const PlanReport& report, std::span<const MemoryProfile* const> profiles);

}  // namespace sw
