// HLO written in a test.
#pragma once

#include "support/catch.h"
#include "text/hlo/reader.h"

namespace sw {

inline Graph hlo_graph(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = read_hlo(sources.add("m.hlo", text), sources, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.in_order_reported()) UNSCOPED_INFO(diagnostic.message);
  REQUIRE(program.has_value());
  return std::move(program->graph);
}

}  // namespace sw
