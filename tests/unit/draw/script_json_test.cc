// draw/script_json.h: whatever a name holds, it stays a string of the script element's JSON.
#include "draw/script_json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "support/catch.h"

namespace {

template <class Write>
std::string written(Write write) {
  std::string out;
  sw::TextSink sink([&](std::string_view text) {
    out += text;
    return true;
  });
  write(sink);
  sink.flush();
  return out;
}

nlohmann::json strings_of(sw::ScriptStrings& strings) {
  return nlohmann::json::parse(written([&](sw::TextSink& sink) { strings.write(sink); }));
}

}  // namespace

TEST_CASE("nothing in a text ends the element, opens a comment or breaks a line of script") {
  for (const std::string text : {"</script>", "<!--", "<script>", "a\u2028b\u2029c", "\"\\", "重み & 'q' > <"}) {
    const std::string json = sw::script_string(text);
    CHECK(json.find('<') == std::string::npos);
    CHECK(json.find("\u2028") == std::string::npos);
    CHECK(json.find("\u2029") == std::string::npos);
    CHECK(nlohmann::json::parse(json) == text);
  }
}

TEST_CASE("strings: equal texts have one number, long ones are cut, controls are shown") {
  sw::ScriptStrings strings;
  CHECK(strings.id_or_none("") == sw::ScriptStrings::kNone);
  const int64_t a = strings.id("a\tb\x01");
  CHECK(strings.id("plain") != a);
  CHECK(strings.id("a\tb\x01") == a);
  const int64_t cut = strings.id(std::string(10'000, 'n'));
  CHECK(strings.id(std::string(20'000, 'n')) == cut);
  const int64_t lines = strings.lines("one\ntwo\x7f\n" + std::string(1'000, '<'));
  const nlohmann::json all = strings_of(strings);
  CHECK(all[static_cast<size_t>(a)] == "a b\ufffd");
  CHECK(all[static_cast<size_t>(cut)] == std::string(399, 'n') + "…");
  CHECK(all[static_cast<size_t>(lines)] == "one\ntwo\ufffd\n" + std::string(399, '<') + "…");
}

TEST_CASE("a name that is not UTF-8 is cut without harm") {
  std::string name;
  for (int i = 0; i < 5'000; ++i) name += "\xe9\x87";  // first bytes of characters that never end
  CHECK_NOTHROW(nlohmann::json::parse(sw::script_string(sw::page_text(name))));
  CHECK(sw::page_text("重み重み", 3) == "重み…");
}

TEST_CASE("objects and columns") {
  const std::string json = written([](sw::TextSink& sink) {
    sw::ScriptObject object(sink);
    object.number("n", -1);
    object.boolean("b", true);
    object.string("s", "<x>");
    object.column("c", std::vector<int64_t>{1, -2, 9'007'199'254'740'993});
    object.column("none", {});
  });
  CHECK(json == "{\"n\":-1,\n\"b\":true,\n\"s\":\"\\u003cx>\",\n\"c\":[1,-2,9007199254740993],\n\"none\":[]}");
}
