// report/json_writer.h: valid JSON whatever the text; long lists one entry a line.
#include "report/json_writer.h"

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
  sw::JsonWriter json(sink);
  write(json);
  sink.flush();
  return out;
}

}  // namespace

TEST_CASE("nesting, commas and indentation") {
  const std::string out = written([](sw::JsonWriter& json) {
    json.begin_object();
    json.key("a").number(-1);
    json.key("list").begin_array();
    json.begin_object().key("x").boolean(true).key("y").null().end();
    json.begin_array().number(1).number(2).end();
    json.end();
    json.key("none").begin_array().end();
    json.end();
  });
  CHECK(out ==
        "{\n  \"a\": -1,\n  \"list\": [\n    {\"x\": true, \"y\": null},\n    [1, 2]\n  ],\n  \"none\": []\n}\n");
}

TEST_CASE("any bytes become a valid JSON string") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const nlohmann::json parsed = nlohmann::json::parse(sw::json_string(all));
  CHECK(parsed.get<std::string>().substr(0, 128) == all.substr(0, 128));
  CHECK(sw::json_string("é\"\\\n\t\x01") == R"("é\"\\\n\t\u0001")");
  CHECK(sw::json_string("\xc0\x80") == "\"��\"");
}

TEST_CASE("a sink hands on in blocks and remembers a failure") {
  size_t blocks = 0, bytes = 0;
  sw::TextSink sink([&](std::string_view text) {
    ++blocks;
    bytes += text.size();
    return blocks < 3;
  });
  for (int i = 0; i < 10'000; ++i) sink.write(std::string(100, 'x'));
  sink.flush();
  CHECK(sink.failed());
  CHECK(blocks == 3);
  CHECK(bytes < 300'000);
}
