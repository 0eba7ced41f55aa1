// Mesh files (configs/meshes/*.yaml) and files of sharding rules (configs/shardings/*.yaml); configs/README.md has the
// formats.
#pragma once

#include <vector>

#include "base/result.h"
#include "sharding/rules.h"
#include "source/diagnostic.h"

namespace sw {

Result<MeshFile> read_mesh_file(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

// In the order of the file: the first that matches an argument wins.
Result<std::vector<ShardingRule>> read_sharding_rules(FileId file, const SourceManager& sources,
                                                      Diagnostics& diagnostics);

}  // namespace sw
