// See the header.
#include "draw/script_json.h"

#include <algorithm>
#include <charconv>

#include "report/json_writer.h"
#include "report/table.h"

namespace sw {

std::string script_string(std::string_view text) {
  const std::string json = json_string(text);
  std::string out;
  out.reserve(json.size());
  for (size_t at = 0; at < json.size(); ++at) {
    const std::string_view rest = std::string_view(json).substr(at, 3);
    if (json[at] == '<') {
      out += "\\u003c";
    } else if (rest == "\u2028" || rest == "\u2029") {
      out += rest == "\u2028" ? "\\u2028" : "\\u2029";
      at += 2;
    } else {
      out += json[at];
    }
  }
  return out;
}

std::string page_text(std::string_view text, size_t most) {
  // Cut by bytes first, so that a name of a megabyte costs no more than one of a line.
  std::string plain(text.substr(0, 4 * most + 4));
  std::replace(plain.begin(), plain.end(), '\t', ' ');
  return cut_to(shown(plain), most);
}

int64_t ScriptStrings::id(std::string_view text) {
  const bool plain = text.size() <= kMostShown && std::all_of(text.begin(), text.end(), [](char c) {
                       return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
                     });
  return static_cast<int64_t>((plain ? strings_.intern(text) : strings_.intern(page_text(text))).raw);
}

int64_t ScriptStrings::lines(std::string_view text) {
  if (text.empty()) return kNone;
  std::string all;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    all += (at > 0 ? "\n" : "") + page_text(text.substr(at, end - at));
    at = end + 1;
  }
  return static_cast<int64_t>(strings_.intern(all).raw);
}

void ScriptStrings::write(TextSink& out) const {
  out.write('[');
  for (size_t i = 0; i < strings_.count(); ++i) {
    if (i > 0) out.write(',');
    out.write(script_string(strings_.text(StringId{i})));
  }
  out.write(']');
}

TextSink& ScriptObject::key(std::string_view name) {
  out_.write(empty_ ? "\"" : ",\n\"");
  empty_ = false;
  out_.write(name);
  out_.write("\":");
  return out_;
}

void ScriptObject::number(std::string_view name, int64_t value) { key(name).write(std::to_string(value)); }
void ScriptObject::boolean(std::string_view name, bool value) { key(name).write(value ? "true" : "false"); }
void ScriptObject::string(std::string_view name, std::string_view text) {
  key(name).write(script_string(page_text(text)));
}
void ScriptObject::column(std::string_view name, std::span<const int64_t> values) { write_numbers(key(name), values); }

void write_numbers(TextSink& out, std::span<const int64_t> values) {
  char buffer[24];
  out.write('[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out.write(',');
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), values[i]).ptr;
    out.write(std::string_view(buffer, static_cast<size_t>(end - buffer)));
  }
  out.write(']');
}

}  // namespace sw
