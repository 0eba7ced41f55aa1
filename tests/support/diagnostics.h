// Diagnostics as one line each, for tests: "4:12 unknown-axis: the mesh has no axis `z`".
#pragma once

#include <string>

#include "source/diagnostic.h"

namespace sw::test {

// Of errors and warnings in the order of the text, one per line; notes and helps follow indented.
inline std::string told(const Diagnostics& diagnostics, const SourceManager& sources) {
  std::string out;
  const auto place = [&](SourceRange where) {
    if (!where.valid()) return std::string("-");
    const LineColumn at = sources.line_column(where.file, where.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + "-" +
           std::to_string(sources.line_column(where.file, where.end).column);
  };
  for (const Diagnostic* d : diagnostics.sorted()) {
    out += place(d->where) + " " + std::string(diagnostic_name(d->kind)) + ": " + d->message + "\n";
    for (const DiagnosticNote& n : d->notes) out += "  " + place(n.where) + " " + n.message + "\n";
    for (const std::string& h : d->helps) out += "  help: " + h + "\n";
  }
  return out;
}

}  // namespace sw::test
