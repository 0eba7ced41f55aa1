// Text of diagnostics for people: position, message, kind, the line cut round the caret, notes, helps.
#pragma once

#include <string>

#include "source/diagnostic.h"

namespace sw {

struct RenderOptions {
  bool color = false;
  size_t width = 120;      // columns of the excerpt
  size_t max_errors = 20;  // further ones are counted, not shown
};

// All diagnostics, sorted; ends with a count when some were left out. Empty when there are none.
std::string render(const Diagnostics& diagnostics, const SourceManager& sources, const RenderOptions& options = {});

}  // namespace sw
