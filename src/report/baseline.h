// The findings that a project lives with, as a file: `check --baseline` fails only on others.
//
//   {"schema_version": 1, "tool": "shardwright check", "findings": [{"key": "full-remat|model.py|block|...", "count":
//   2}, ...]}
#pragma once

#include "base/result.h"
#include "report/check.h"
#include "report/text_sink.h"

namespace sw {

void write_baseline(const CheckReport& report, TextSink& out);
// Errors (bad_configuration): not JSON, not of this form.
Result<Baseline> read_baseline(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
