// version
#include "cli/commands.h"
#include "cli/output.h"

namespace sw {

int command_version(const Arguments&, SourceManager&, Diagnostics& diagnostics) {
  Output out("", diagnostics);
  if (out.is_open()) out.sink().write("shardwright " SW_VERSION "\n");
  return out.finish();
}

}  // namespace sw
