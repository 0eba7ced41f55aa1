// The entry "collectives" of the JSON report.
#pragma once

#include "report/collective_facts.h"
#include "report/json_writer.h"

namespace sw {

// The items of the array that the caller has opened.
void write_collectives(CollectiveList& list, JsonWriter& json);

// "all-gather", "collective-permute", ...
std::string_view collective_name(OpKind kind);
// Shape of a value of the local program as HLO prints it, without layouts: "f32[32,32]", "(f32[8], s32[])".
std::string local_shape_text(const Graph& graph, TypeId type);

}  // namespace sw
