// See the header.
#include "report/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "source/utf8.h"

namespace sw {

size_t text_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string cut_to(std::string_view text, size_t width) {
  if (width == 0 || text_width(text) <= width) return std::string(text);
  size_t at = 0;
  for (size_t i = 0; i + 1 < width; ++i) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) ++at;
  }
  return std::string(text.substr(0, at)) + "…";
}

std::string padded(std::string_view text, size_t width) {
  std::string out(text);
  const size_t have = text_width(text);
  if (have < width) out.append(width - have, ' ');
  return out;
}

std::string shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const uint32_t length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += "\xef\xbf\xbd";
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

void Table::write(TextSink& out) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) {
      const size_t most = c < most_.size() ? most_[c] : 0;
      const size_t width = text_width(row[c]);
      widths[c] = std::max(widths[c], most == 0 ? width : std::min(width, most));
    }
  }
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (size_t c = 0; c < row.size(); ++c) {
      const size_t most = c < most_.size() ? most_[c] : 0;
      const std::string cell = cut_to(row[c], most);
      const bool last = c + 1 == row.size();
      line += last ? cell : padded(cell, widths[c]) + "  ";
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out.write(line + '\n');
  }
}

std::string bytes_text(int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double scaled = static_cast<double>(bytes);
  size_t unit = 0;
  while (scaled >= 1023.95 && unit + 1 < std::size(kUnits)) {
    scaled /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", scaled, kUnits[unit]);
  return text;
}

std::string count_text(int64_t count) {
  std::string text = std::to_string(count);
  for (size_t at = text.size(); at > 3 && at - 3 > (count < 0 ? 1U : 0U); at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + markdown_cell(cell) + " |";
  return row + "\n";
}

std::string signed_bytes_text(int64_t bytes) {
  return bytes == 0 ? "same bytes" : (bytes > 0 ? "+" : "-") + bytes_text(std::abs(bytes));
}

}  // namespace sw
