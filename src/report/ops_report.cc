// See the header. Rows are sorted by the name of the operation.
#include "report/ops_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include "report/json_writer.h"
#include "report/table.h"

namespace sw {

namespace {

std::vector<OpKind> sorted_ops() {
  std::vector<OpKind> ops;
  for (size_t i = 0; i < kOpKindCount; ++i)
    if (static_cast<OpKind>(i) != OpKind::unknown) ops.push_back(static_cast<OpKind>(i));
  std::sort(ops.begin(), ops.end(), [](OpKind a, OpKind b) { return enumerator_name(a) < enumerator_name(b); });
  return ops;
}

std::string name_of(OpKind kind) {
  std::string name(facts(kind).mlir.empty() ? facts(kind).hlo : facts(kind).mlir);
  return name.empty() ? std::string(enumerator_name(kind)) : name;
}

std::string_view cell_name(CellKind kind) {
  switch (kind) {
    case CellKind::own: return "own";
    case CellKind::family: return "family";
    case CellKind::none: return "none";
    case CellKind::unsupported: return "unsupported";
    case CellKind::hole: break;
  }
  return "missing";
}

}  // namespace

void write_ops_text(std::span<const ColumnCells> columns, TextSink& out) {
  out.write(
      "own: a rule of its own; family: that of its family; none: nothing to do; unsupported: reports name it\n\n");
  Table table({}, 0);
  std::vector<std::string> head = {"operation", "HLO", "family"};
  for (const ColumnCells& column : columns) head.emplace_back(column.name);
  table.add(head);
  for (OpKind kind : sorted_ops()) {
    std::vector<std::string> row = {name_of(kind), std::string(facts(kind).hlo),
                                    std::string(family_name(facts(kind).family))};
    for (const ColumnCells& column : columns) row.emplace_back(cell_name(column.cells[static_cast<size_t>(kind)].kind));
    table.add(std::move(row));
  }
  table.write(out);

  Table reasons({}, 2);
  for (const ColumnCells& column : columns)
    for (OpKind kind : sorted_ops()) {
      const Cell& cell = column.cells[static_cast<size_t>(kind)];
      if (cell.kind == CellKind::unsupported)
        reasons.add({std::string(column.name), name_of(kind), std::string(cell.reason)});
    }
  if (reasons.empty()) return;
  out.write("\nunsupported, and why\n");
  reasons.write(out);
}

void write_ops_json(std::span<const ColumnCells> columns, TextSink& out) {
  JsonWriter json(out);
  json.begin_object();
  json.key("schema_version").number(1);
  json.key("operations").begin_array();
  for (OpKind kind : sorted_ops()) {
    json.begin_object();
    json.key("name").string(name_of(kind));
    json.key("hlo").string_or_null(facts(kind).hlo);
    json.key("family").string(family_name(facts(kind).family));
    for (const ColumnCells& column : columns) {
      const Cell& cell = column.cells[static_cast<size_t>(kind)];
      json.key(column.name).begin_object();
      json.key("rule").string(cell_name(cell.kind));
      json.key("reason").string_or_null(cell.reason);
      json.end();
    }
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace sw
