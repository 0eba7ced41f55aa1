// render --propagation: how shardings travelled, as an animation or frame by frame.
#pragma once

#include "cli/arguments.h"

namespace sw {

int render_propagation(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
