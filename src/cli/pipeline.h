// The stages from a file to a plan, one after the other, for every verb that needs one.
#pragma once

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/exit_codes.h"
#include "propagate/plan.h"
#include "source/diagnostic.h"

namespace sw {

struct Planned {
  Program program;
  Plan plan;
};

// Everything that went wrong is in `diagnostics`; the exit code says whose fault it was. `record_refusals`: for explain
// --why-not.
tl::expected<Planned, ExitCode> make_plan(const Arguments& arguments, bool record_refusals, SourceManager& sources,
                                          Diagnostics& diagnostics);

// FILE as reports show it: no absolute paths, so that the same input gives the same bytes everywhere.
std::string shown_file(const std::string& path);

}  // namespace sw
