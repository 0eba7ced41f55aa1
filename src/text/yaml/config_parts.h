// Parts of YAML formats that stand in more than one of them. Not a public header.
#pragma once

#include "sharding/rules.h"
#include "text/yaml/document.h"

namespace sw {

// The keys of a mesh file in any mapping; `what` names it in messages.
Result<MeshFile> read_mesh_node(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace sw
