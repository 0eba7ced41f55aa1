// The collectives of a plan as a table for people: equal ones together, the most bytes first.
#pragma once

#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

// Nothing is written when the program was not partitioned. `rows`: how many lines at most.
void write_collectives_text(const PlanReport& report, size_t rows, TextSink& out);

}  // namespace sw
