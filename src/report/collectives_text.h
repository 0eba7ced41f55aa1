// The collectives of a plan on its screen: the sum, what moves over each axis, and the largest ones.
#pragma once

#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

// Nothing is written when the program was not partitioned. `rows`: how many lines of a table at most.
void write_collectives_text(const PlanReport& report, size_t rows, TextSink& out);

}  // namespace sw
