// Findings of rule under-constrained: the program is propagated in all ways, and pins are looked for.
#pragma once

#include <vector>

#include "cli/pipeline.h"
#include "report/findings.h"

namespace sw {

std::vector<Finding> uncertain_findings(Loaded& loaded, Partitioner chosen, const PlanReport& report);

}  // namespace sw
