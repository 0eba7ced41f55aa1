// report/table.h: columns stay straight, whatever the characters.
#include "report/table.h"

#include <string>

#include "support/catch.h"

TEST_CASE("columns are as wide as their widest cell, up to a limit") {
  std::string out;
  sw::TextSink sink([&](std::string_view text) {
    out += text;
    return true;
  });
  sw::Table table({5, 0});
  table.add({"größe", "b", "c"});
  table.add({"too long", "bb", ""});
  table.write(sink);
  sink.flush();
  CHECK(out == "  größe  b   c\n  too …  bb\n");
}

TEST_CASE("bytes and counts for people") {
  CHECK(sw::bytes_text(0) == "0 B");
  CHECK(sw::bytes_text(1023) == "1023 B");
  CHECK(sw::bytes_text(1536) == "1.5 KiB");
  CHECK(sw::bytes_text((1 << 20) - 1) == "1.0 MiB");
  CHECK(sw::bytes_text(INT64_MAX) == "8.0 EiB");
  CHECK(sw::count_text(0) == "0");
  CHECK(sw::count_text(999) == "999");
  CHECK(sw::count_text(1648) == "1,648");
  CHECK(sw::count_text(1234567) == "1,234,567");
  CHECK(sw::count_text(-1234) == "-1,234");
}

TEST_CASE("input text cannot drive the terminal") { CHECK(sw::shown("a\x1b[31m\xff") == "a�[31m�"); }
