// schema: the JSON Schema of `--format json`.
#include "cli/commands.h"
#include "cli/output.h"
#include "report/schema.h"

namespace sw {

int command_schema(const Arguments& arguments, SourceManager&, Diagnostics& diagnostics) {
  Output out(arguments.output, diagnostics);
  if (out.is_open()) out.sink().write(report_schema(arguments.schema_of));
  return out.finish();
}

}  // namespace sw
