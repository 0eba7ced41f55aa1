// JSON for a script element of a page: strings that many rows share are written once and referred to by number, numbers
// stand in columns, and nothing in a name can end the element or begin a comment: `<`, U+2028 and U+2029 are escaped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "report/text_sink.h"

namespace sw {

// `text` with its quotes.
std::string script_string(std::string_view text);

// Texts of the input as the page shows them: safe characters only, at most kMostShown of them.
class ScriptStrings {
 public:
  static constexpr size_t kMostShown = 400;
  static constexpr int64_t kNone = -1;

  int64_t id(std::string_view text);
  // kNone for an empty text.
  int64_t id_or_none(std::string_view text) { return text.empty() ? kNone : id(text); }
  // Of several lines, each cut by itself.
  int64_t lines(std::string_view text);
  void write(TextSink& out) const;  // as one array

 private:
  StringInterner strings_;
};

// Text as it may be shown: cut, tabs as blanks, control characters replaced.
std::string page_text(std::string_view text, size_t most = ScriptStrings::kMostShown);

// One object whose keys are written one after the other.
class ScriptObject {
 public:
  explicit ScriptObject(TextSink& out) : out_(out) { out_.write('{'); }
  ~ScriptObject() { out_.write('}'); }
  ScriptObject(const ScriptObject&) = delete;
  ScriptObject& operator=(const ScriptObject&) = delete;

  // `name`: plain ASCII. The caller writes the value.
  TextSink& key(std::string_view name);
  void number(std::string_view name, int64_t value);
  void boolean(std::string_view name, bool value);
  void string(std::string_view name, std::string_view text);
  void column(std::string_view name, std::span<const int64_t> values);

 private:
  TextSink& out_;
  bool empty_ = true;
};

void write_numbers(TextSink& out, std::span<const int64_t> values);

}  // namespace sw
