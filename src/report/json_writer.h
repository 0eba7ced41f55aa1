// A streaming JSON writer: opens and closes arrays and objects, puts the commas and the indentation. What is written
// comes out at once; nothing is kept but the stack of what is open. Indentation stops at a given depth, so that each
// entry of a long list is one line: good to read, to grep and to diff.
//
//   JsonWriter json(sink);
//   json.begin_object(); json.key("version").number(1); json.key("names").begin_array(); json.string("a"); ...
//   json.end();
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/text_sink.h"

namespace sw {

// `text` with its quotes, escaped; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

class JsonWriter {
 public:
  // Containers nested deeper than `indent_depth` are written on one line.
  explicit JsonWriter(TextSink& sink, size_t indent_depth = 2) : sink_(sink), indent_depth_(indent_depth) {}

  JsonWriter& begin_object() { return begin('{', '}'); }
  JsonWriter& begin_array() { return begin('[', ']'); }
  JsonWriter& end();
  JsonWriter& key(std::string_view name);  // plain ASCII names only
  JsonWriter& string(std::string_view text) { return raw(json_string(text)); }
  JsonWriter& string_or_null(std::string_view text) { return text.empty() ? null() : string(text); }
  JsonWriter& number(int64_t value) { return raw(std::to_string(value)); }
  JsonWriter& number_or_null(std::optional<int64_t> value) { return value.has_value() ? number(*value) : null(); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  // A value that is JSON already.
  JsonWriter& raw(std::string_view json) {
    before_item();
    sink_.write(json);
    return *this;
  }

 private:
  struct Open {
    char close;
    bool empty = true;
  };
  JsonWriter& begin(char open, char close);
  void before_item();
  void new_line(size_t depth);

  TextSink& sink_;
  size_t indent_depth_;
  std::vector<Open> open_;
  bool after_key_ = false;
};

}  // namespace sw
