// YAML model graphs: a program written down by hand, for what no Python lowers yet. The format is in configs/README.md.
//
// The document is put into generic StableHLO text, which the MLIR reader reads: so every operation and attribute is
// there, in canonical form, and the program is verified like any other. Positions of operations and messages are those
// of the YAML.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

// The text begins (after comments and `---`) with a key `format:`.
bool is_yaml_model(std::string_view text);

Result<Program> read_yaml_model(FileId file, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
