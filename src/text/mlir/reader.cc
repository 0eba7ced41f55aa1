#include "text/mlir/reader.h"

#include <memory>

#include "text/mlir/parser.h"

namespace sw {

Result<Program> read_mlir(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  Program program;
  const auto parser = std::make_unique<mlir::Parser>(file, sources.text(file), program, diagnostics);
  if (!parser->run()) return reported();
  return program;
}

}  // namespace sw
