// The JSON report of a plan, streamed: the form that tools and tests read, described by `shardwright schema`.
#pragma once

#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

void write_plan_json(const PlanReport& report, TextSink& out);

}  // namespace sw
