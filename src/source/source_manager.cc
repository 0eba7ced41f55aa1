#include "source/source_manager.h"

#include <algorithm>
#include <cstring>

namespace sw {

FileId SourceManager::add(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}};
  const char* begin = file.text.data();
  const char* end = begin + file.text.size();
  for (const char* at = begin; at < end;) {
    const void* hit = std::memchr(at, '\n', static_cast<size_t>(end - at));
    if (hit == nullptr) break;
    at = static_cast<const char*>(hit) + 1;
    file.line_begins.push_back(static_cast<uint32_t>(at - begin));
  }
  files_.push_back(std::move(file));
  return FileId{files_.size() - 1};
}

LineColumn SourceManager::line_column(FileId file, uint32_t offset) const {
  const File& f = files_[file.index()];
  const auto next = std::upper_bound(f.line_begins.begin(), f.line_begins.end(), offset);
  const uint32_t line = static_cast<uint32_t>(next - f.line_begins.begin());
  uint32_t column = 1;
  const uint32_t stop = std::min(offset, static_cast<uint32_t>(f.text.size()));
  for (uint32_t at = f.line_begins[line - 1]; at < stop; ++at)
    if ((static_cast<unsigned char>(f.text[at]) & 0xc0U) != 0x80U) ++column;
  return {line, column};
}

std::string_view SourceManager::line_text(FileId file, uint32_t line, uint32_t* begin) const {
  const File& f = files_[file.index()];
  const uint32_t from = f.line_begins[line - 1];
  const uint32_t to = line < f.line_begins.size() ? f.line_begins[line] - 1 : static_cast<uint32_t>(f.text.size());
  if (begin != nullptr) *begin = from;
  std::string_view text = std::string_view(f.text).substr(from, to - from);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace sw
