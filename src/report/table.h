// Aligned columns of text for people. Widths are counted in characters; the last column is not padded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/text_sink.h"

namespace sw {

// Characters of a UTF-8 text.
size_t text_width(std::string_view text);
// `text` cut to `width` characters, the last of them "…" when something was cut.
std::string cut_to(std::string_view text, size_t width);
// Filled with blanks up to `width` characters.
std::string padded(std::string_view text, size_t width);
// Input text made safe for a terminal: control characters and bytes that are not UTF-8 become "�".
std::string shown(std::string_view text);

class Table {
 public:
  // `most`: the widest that each column may become; longer cells are cut. 0: no limit.
  explicit Table(std::vector<size_t> most, size_t indent = 2) : most_(std::move(most)), indent_(indent) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  void write(TextSink& out) const;

 private:
  std::vector<size_t> most_;
  size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

// What a comment on a pull request has room for.
inline constexpr size_t kMarkdownBytes = 64000;
// Text in a table of Markdown: bars would end the cell and are escaped.
std::string markdown_cell(const std::string& text);
std::string markdown_row(const std::vector<std::string>& cells);

// 1536 -> "1.5 KiB". Exact below 1024.
std::string bytes_text(int64_t bytes);
// The same with its sign; "same bytes" for none.
std::string signed_bytes_text(int64_t bytes);
// 1648 -> "1,648".
std::string count_text(int64_t count);

}  // namespace sw
