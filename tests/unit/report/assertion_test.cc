#include "report/assertion.h"

#include <random>

#include "report/assertion_value.h"
#include "support/catch.h"

namespace sw {
namespace {

struct Read {
  Result<Assertion> assertion = reported();
  std::string message;
  uint32_t column = 0;
};

Read read(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  Mesh mesh;
  mesh.axes = {{"data", 2}, {"model", 4}};
  Read out;
  out.assertion = read_assertion(sources.add("--assert", text), sources, &mesh, diagnostics);
  CHECK(out.assertion.has_value() != diagnostics.has_errors());
  if (!diagnostics.has_errors()) return out;
  out.message = diagnostics.in_order_reported().front().message;
  out.column = diagnostics.in_order_reported().front().where.begin + 1;
  return out;
}

// Of an expression without measures.
double value(const std::string& text) {
  const Read side = read(text + " == 0");
  REQUIRE(side.assertion.has_value());
  const Program program;
  const Plan plan;
  const SourceManager sources;
  Diagnostics diagnostics;
  const PlanReport report{sources, program, plan, "f"};
  const AssertionValues values(nullptr, report, {});
  return values.side(side.assertion->left, *side.assertion, nullptr, diagnostics)->value;
}

TEST_CASE("assertions: products before sums, from the left", "[assertion]") {
  CHECK(value("1 + 2*3") == 7);
  CHECK(value("(1 + 2)*3") == 9);
  CHECK(value("7 - 2 - 1") == 4);
  CHECK(value("8/2/2") == 2);
  CHECK(value("-(2 - 5)*2") == 6);
  CHECK(value("1.5e3 + .5") == 1500.5);
  CHECK(value("2 - -1") == 3);
  CHECK(value("count(any)") == 0);
}

TEST_CASE("assertions: bytes and numbers", "[assertion]") {
  CHECK(read("peak <= 0.9*capacity").assertion->in_bytes);
  CHECK(read("peak / capacity < 0.9").assertion.has_value());
  CHECK_FALSE(read("peak / capacity < 0.9").assertion->in_bytes);
  CHECK(read("2 GiB > bytes(any)").assertion.has_value());
  CHECK(read("bytes(all-reduce) <= 2147483648").assertion.has_value());
  CHECK(read("memory(activations) < 1GiB").assertion->needs_target);
  CHECK(read("peak <= 0.9").message == "bytes are compared with the number 0.9");
  CHECK(read("count(any) < 2GiB").message == "bytes are compared with a number");
  CHECK(read("peak - 3 > 0").message == "bytes and a number are added");
  CHECK(read("3 / peak > 0").message == "a number is divided by bytes");
}

TEST_CASE("assertions: the place of what is wrong", "[assertion]") {
  CHECK(read("peak <= 0.9*capacty").column == 13);
  CHECK(read("count(all-gather, axis=modle) == 0").column == 24);
  CHECK(read("count(all-gather, axis=modle) == 0").message == "the mesh has no axis `modle`");
  CHECK(read("no finding full-rmat").column == 12);
  CHECK(read("spec(x) == P()").column == 6);
  CHECK(read("a-b < 1").message == "`a-b` is not a measure");
}

TEST_CASE("assertions: deep nesting ends in an error", "[assertion]") {
  CHECK(read(std::string(100'000, '(') + "1" + std::string(100'000, ')') + " == 1").message ==
        "more than 64 nested parentheses or signs");
  CHECK(read(std::string(100'000, '-') + "1 == 1").message == "more than 64 nested parentheses or signs");
}

TEST_CASE("assertions: any text is read or refused", "[assertion]") {
  const std::vector<std::string> words = {"peak",  "count(", "all-gather", "any",     ",",   "axis",    "=",
                                          "model", ")",      "<=",         "==",      "0.9", "GiB",     "*",
                                          "/",     "-",      "+",          "(",       "no",  "finding", "full-remat",
                                          "spec(", "\"x\"",  "\"",         "in_loop", "not", "\xc3",    "\xc3\xa9",
                                          "1e",    "1e9999", "..",         " "};
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 12); n >= 0; --n)
      text += words[random() % words.size()] + (random() % 2 == 0 ? " " : "");
    const Read result = read(text);
    if (!result.assertion.has_value()) CHECK_FALSE(result.message.empty());
  }
}

}  // namespace
}  // namespace sw
