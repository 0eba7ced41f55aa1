// Findings of rule full-remat: values that are gathered whole on every device because the partitioner has no direct way
// between two shardings ("involuntary full rematerialization").
#pragma once

#include <vector>

#include "report/findings.h"

namespace sw {

// One for each value that is moved so, in the order of the local program; none when the plan was not partitioned.
std::vector<Finding> full_remat_findings(const PlanReport& report);

}  // namespace sw
