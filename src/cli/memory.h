// Hardware on the command line, and a program on it.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/arguments.h"
#include "report/memory_report.h"
#include "source/diagnostic.h"

namespace sw {

// What --hardware names; nothing when it is not given. Errors: a name that is not known, more than one.
Result<std::optional<Hardware>> one_hardware(const Arguments& arguments, SourceManager& sources,
                                             Diagnostics& diagnostics);

// `graph` is what each device runs.
Result<DeviceMemory> memory_on(const Graph& graph, const Hardware& hardware, Diagnostics& diagnostics);

}  // namespace sw
