// ops: what is known about each operation.
#include "cli/commands.h"
#include "cli/output.h"
#include "exec/kernel.h"
#include "ops/column.h"
#include "report/ops_report.h"

namespace sw {

int command_ops(const Arguments& arguments, SourceManager&, Diagnostics& diagnostics) {
  std::vector<ColumnCells> columns = ops_columns();
  columns.push_back(exec_column_cells());
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      write_ops_json(columns, sink);
    } else {
      write_ops_text(columns, sink);
    }
  });
}

}  // namespace sw
