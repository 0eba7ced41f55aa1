// `shardwright ops`: the matrix of operations and what each stage knows about them, in text and JSON.
#pragma once

#include <span>

#include "ops/column.h"
#include "report/text_sink.h"

namespace sw {

void write_ops_text(std::span<const ColumnCells> columns, TextSink& out);
void write_ops_json(std::span<const ColumnCells> columns, TextSink& out);

}  // namespace sw
