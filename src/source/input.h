// Reading an input file as it lies: plain, .gz or .xz (told by content, not by name), "-" for standard input.
#pragma once

#include <string>

#include "base/result.h"
#include "source/diagnostic.h"

namespace sw {

// Adds the (decompressed) text of `path` to `sources`. Errors: cannot_read_file, empty_input, not_text (a NUL byte or
// invalid compressed data), each naming the file. Texts of 4 GiB and more are refused.
Result<FileId> load_input(const std::string& path, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
