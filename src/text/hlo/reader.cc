#include "text/hlo/reader.h"

#include "text/hlo/parser.h"

namespace sw {

Result<Program> read_hlo(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  return hlo::Parser(file, sources, diagnostics).parse();
}

OpKind wrapped_kind(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::async_start && op.kind != OpKind::async_update && op.kind != OpKind::async_done)
    return OpKind::unknown;
  std::string_view name = graph.strings.text(op.name);
  for (const std::string_view suffix : {"-start", "-update", "-done"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name == "async" ? OpKind::unknown : op_kind_from_hlo(name);
}

}  // namespace sw
