// The verbs: each takes the parsed arguments, writes its result to its outputs and returns an exit code. Diagnostics
// are only reported here; run.cc prints them.
#pragma once

#include "cli/arguments.h"

namespace sw {

int command_plan(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_collectives(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_explain(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_diff(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_lint(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_check(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_run(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_hardware(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_render(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_memory(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_ops(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_schema(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);
int command_version(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
