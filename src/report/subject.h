// What `explain FILE VALUE|LINE` means by its second word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

struct Subject {
  std::vector<ValueId> values;  // at least one, those of main first, then in the order of the text
  std::string output;           // the name of the result of main that was asked for, if it was one
};

// `text` is a value as the file spells it (`%12`, `%12#1`, `dot.3`), the name of an argument (`params['w1']`) or of a
// result of main (`result[0]`), a line of the file (`61`, `step.mlir:61`), or of the user's source (`model.py:41`).
// Nothing found: unknown_name, with the nearest name.
// `where`: of the text, if it stands in a file.
Result<Subject> find_subject(const Program& program, const SourceManager& sources, std::string_view text,
                             Diagnostics& diagnostics, SourceRange where = {});

}  // namespace sw
