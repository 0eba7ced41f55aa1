// Findings of rule axis-conflict.
#pragma once

#include <vector>

#include "report/findings.h"

namespace sw {

// One for each op, or for each line of the user's source, in the order of the text.
std::vector<Finding> axis_conflict_findings(const PlanReport& report);

}  // namespace sw
