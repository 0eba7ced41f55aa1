// Reading an input file as it lies: plain, .gz or .xz (told by content, not by name), "-" for standard input.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "source/diagnostic.h"

namespace sw {

// Bounds on what one input may bring; a few kilobytes of compressed data can hold gigabytes.
struct InputLimits {
  uint64_t plain_bytes = 0xfffffff0U;        // positions are 32-bit
  uint64_t decompressed_bytes = 1ULL << 30;  // of a .gz or .xz
};

// Adds the (decompressed) text of `path` to `sources`. Errors: cannot_read_file (missing, a directory, not permitted,
// too large, damaged compressed data), empty_input, not_text (a NUL byte, a known binary form), each naming the file.
Result<FileId> load_input(const std::string& path, SourceManager& sources, Diagnostics& diagnostics,
                          const InputLimits& limits = {});

}  // namespace sw
