// What would make a program smaller on a device, looked for as the command line asks.
#pragma once

#include "cli/pipeline.h"
#include "memory/profile.h"
#include "report/advice_report.h"

namespace sw {

// `plan` and `local` are of `loaded`; `limit`: bytes that the program may need. `searches`: how many such searches
// share the tries that are made unasked.
Advice advise(const Arguments& arguments, Loaded& loaded, const Plan& plan, const LocalProgram& local,
              const MemoryProfile& profile, std::optional<int64_t> limit, size_t searches = 1);

}  // namespace sw
