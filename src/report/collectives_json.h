// The entry "collectives" of the JSON report.
#pragma once

#include "report/json_writer.h"
#include "report/plan_report.h"

namespace sw {

// The items of the array that the caller has opened; `report.local` must be there.
void write_collectives(const PlanReport& report, JsonWriter& json);

// "all-gather", "collective-permute", ...
std::string_view collective_name(OpKind kind);
// Shape of a value of the local program as HLO prints it, without layouts: "f32[32,32]", "(f32[8], s32[])".
std::string local_shape_text(const Graph& graph, TypeId type);
// Why a collective is there, in words.
std::string collective_reason(const PlanReport& report, const CollectiveCause& cause);

}  // namespace sw
