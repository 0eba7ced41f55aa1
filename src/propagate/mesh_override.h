// --mesh against the mesh of a program. Not a public header; see seed_rules.h.
#pragma once

#include "propagate/seed_rules.h"

namespace sw {

// The mesh that a program's shardings are on: the first that has axes. Invalid when it has none.
MeshId main_mesh(const ShardingTable& table);

// Changes or makes the mesh as `request` says; nothing when it says nothing. False: reported.
bool override_mesh(Program& program, const SeedRequest& request, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
