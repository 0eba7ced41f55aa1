// Owns the text of every input. Everything else passes SourceRange (bytes of a file); line and column are computed only
// when something is printed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace sw {

// Bytes [begin, end) of a file; an invalid file means "no position".
struct SourceRange {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;
  bool valid() const { return file.valid(); }
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// Both from 1. `column` counts Unicode code points, a tab is one.
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceManager {
 public:
  // Adds text under the name that diagnostics print.
  FileId add(std::string name, std::string text);

  std::string_view name(FileId file) const { return files_[file.index()].name; }
  std::string_view text(FileId file) const { return files_[file.index()].text; }
  std::string_view text(SourceRange range) const {
    return text(range.file).substr(range.begin, range.end - range.begin);
  }
  size_t count() const { return files_.size(); }

  LineColumn line_column(FileId file, uint32_t offset) const;
  uint32_t line(SourceRange range) const { return line_column(range.file, range.begin).line; }
  // The text of a line (from 1) without its line break, and the offset at which it starts.
  std::string_view line_text(FileId file, uint32_t line, uint32_t* begin = nullptr) const;
  uint32_t line_count(FileId file) const { return static_cast<uint32_t>(files_[file.index()].line_begins.size()); }

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<uint32_t> line_begins;
  };
  std::vector<File> files_;
};

}  // namespace sw
