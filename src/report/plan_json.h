// The JSON report of a plan, streamed: the form that tools and tests read, described by `shardwright schema`.
#pragma once

#include "report/json_writer.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

// The keys that reports about a plan begin with: version, input, partitioner, meshes. The caller has opened the object.
void write_report_head(const PlanReport& report, JsonWriter& json);

void write_plan_json(const PlanReport& report, TextSink& out);

}  // namespace sw
