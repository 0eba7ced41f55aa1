// What a user hands in beside a program, as data: a mesh with its hardware, and an ordered list of rules that say which
// arguments get which sharding. Files (text/yaml) and command line flags (propagate/seed_rules) both end here.
#pragma once

#include <string>
#include <vector>

#include "sharding/mesh.h"
#include "source/source_manager.h"

namespace sw {

struct MeshFile {
  std::string name = "mesh";  // the symbol it gets in a program that has no mesh
  Mesh mesh;
  std::string hardware;  // a name of the hardware catalogue; empty: not said
  SourceRange where;
  std::vector<SourceRange> axis_places;  // of each axis
};

// `pattern` selects arguments, `spec` is any spelling of a sharding; see configs/README.md. Positions are those of the
// text itself (without quotes), so that errors inside point at their bytes.
struct ShardingRule {
  std::string pattern;
  std::string spec;
  SourceRange pattern_where, spec_where;
};

}  // namespace sw
