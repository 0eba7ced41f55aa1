// The memory of one device in the data of the page: figures, the curve over the schedule, every buffer with the time it
// is held, each with the value of the program that it comes from where one stands on the same line.
#pragma once

#include "draw/page_rows.h"

namespace sw {

// `report.local` and `report.memory` must be there.
void write_page_memory(const PlanReport& report, const PageRows& rows, ScriptStrings& strings, TextSink& out);

}  // namespace sw
