// From the graph as read to the module that GSPMD works on.
#pragma once

#include <span>

#include "base/result.h"
#include "propagate/gspmd/module.h"
#include "propagate/seeds.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw::gspmd {

// HLO as it stands (import_hlo.cc).
Result<Module> import_hlo(const Program& program, Diagnostics& diagnostics);
// StableHLO as XLA's importer would turn it into HLO, simplified on the way or not (import_stablehlo.cc).
Result<Module> import_stablehlo(Program& program, bool simplified, Diagnostics& diagnostics);

// Shared: facts of an op that the module keeps (import_facts.cc).
// Which custom call it is, and the number of its batch dimensions.
void describe_custom_call(const Graph& graph, const Op& op, Inst& inst);
// Dimensions in the annotation's backend_config, ascending: "unspecified_dims=[1]".
DimList unspecified_dims(const Graph& graph, const Op& op);
// A named sharding where `manual` axes are manual: they stand in the manual subgroup, not in the dimensions.
TileShardingId tile_inside(Program& program, NamedShardingId id, std::span<const AxisRef> manual);
// Dimensions that the sharding leaves open.
DimList open_dims(const ShardingTable& table, NamedShardingId id);
bool is_elementwise(const Graph& graph, OpId op, OpKind kind);
bool has_side_effect(const Graph& graph, const Op& op, OpKind kind);
// `{true,false}` of the module, or of one element for a single flag.
std::vector<bool> flags_of(const Graph& graph, std::string_view name);

}  // namespace sw::gspmd
