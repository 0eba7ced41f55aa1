// The command line as a function: what main() calls and what tests call.
#pragma once

namespace sw {

// Runs one command; returns the exit code (cli/exit_codes.h).
int run_command_line(int argc, char** argv);

}  // namespace sw
