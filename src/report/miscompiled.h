// Findings of rule miscompiled: operations for which XLA's partitioner makes a program that computes something else.
#pragma once

#include <vector>

#include "report/findings.h"

namespace sw {

// One for each operation and way of going wrong, in the order of the program; none when the plan was not partitioned.
std::vector<Finding> miscompiled_findings(const PlanReport& report);

}  // namespace sw
