// One plan in the data of the page: the sharding of every value, where each axis of it comes from, the collectives, the
// findings, the memory.
#pragma once

#include "draw/page_rows.h"
#include "propagate/explain.h"

namespace sw {

// `provenance` is of the plan of the report.
void write_page_plan(const PlanReport& report, const Provenance& provenance, const PageRows& rows,
                     ScriptStrings& strings, TextSink& out);

}  // namespace sw
