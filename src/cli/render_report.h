// `render --report`: both partitioners on the program, and all that the page shows of them.
#pragma once

#include "cli/arguments.h"

namespace sw {

int render_report(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
