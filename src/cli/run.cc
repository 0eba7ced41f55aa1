#include "cli/run.h"

#include "cli/exit_codes.h"

namespace sw {

int run_command_line(int, char**) { return kExitUsage; }

}  // namespace sw
