// See the header.
#include "report/json_writer.h"

#include "source/utf8.h"

namespace sw {

std::string json_string(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  out.reserve(text.size() + 2);
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const uint32_t length = utf8_length(text, at);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++at;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[at];
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out + '"';
}

JsonWriter& JsonWriter::begin(char open, char close) {
  before_item();
  sink_.write(open);
  open_.push_back({close});
  return *this;
}

JsonWriter& JsonWriter::end() {
  const Open last = open_.back();
  open_.pop_back();
  if (!last.empty && open_.size() < indent_depth_) new_line(open_.size());
  sink_.write(last.close);
  if (open_.empty()) sink_.write('\n');
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_item();
  sink_.write('"');
  sink_.write(name);
  sink_.write("\": ");
  after_key_ = true;
  return *this;
}

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!open_.back().empty) sink_.write(open_.size() <= indent_depth_ ? std::string_view(",") : std::string_view(", "));
  open_.back().empty = false;
  if (open_.size() <= indent_depth_) new_line(open_.size());
}

void JsonWriter::new_line(size_t depth) {
  sink_.write('\n');
  for (size_t i = 0; i < depth; ++i) sink_.write("  ");
}

}  // namespace sw
