// Reads MLIR text as JAX prints it: StableHLO, CHLO, func, sdy, mhlo attributes, with or without debug locations,
// pretty and generic forms; ops of unknown dialects in generic form become OpKind::unknown.
#pragma once

#include <string>

#include "base/result.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

// Parses the text of `file`. All errors of the text are reported (the reader goes on at the next op); an error result
// means that there was at least one. Attributes come out in canonical form (ir/attrs.h); sdy shardings and meshes are
// interned in Program::shardings, `mhlo.sharding` strings in Program::tile_shardings.
Result<Program> read_mlir(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

// The program as MLIR text in the pretty form that jaxlib prints. Reading it back gives the same program.
std::string print_mlir(const Program& program);

}  // namespace sw
