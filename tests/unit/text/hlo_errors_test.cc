// Bad HLO texts: where the error is said to be, and what it says.
#include <string>

#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"

namespace sw {
namespace {

// What is told about a text that must not be accepted.
std::string told_about(std::string text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = read_hlo(sources.add("test.hlo", std::move(text)), sources, diagnostics);
  CHECK_FALSE(program);
  return test::told(diagnostics, sources);
}

// About an instruction on line 4, after one named `p`.
std::string about(const std::string& instruction) {
  return told_about("HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n" + instruction + "\n}\n");
}

TEST_CASE("hlo errors: instructions", "[hlo]") {
  CHECK(about("n = f32[4] negate(q)") ==
        "4:19-20 undefined-value: `q` is not defined in this computation\n"
        "  help: did you mean `%p`?\n");
  CHECK(about("n = f32[4] negate(%n)") ==
        "4:19-21 undefined-value: `%n` is used before it is defined\n"
        "  4:1-2 defined here\n");
  CHECK(about("p = f32[4] negate(p)") ==
        "4:1-2 redefined-value: second instruction named `p`\n"
        "  3:3-4 first one here\n");
  CHECK(about("n = negate(p)") ==
        "4:5-11 bad-type: saw `negate`, expected the type of the result, such as `f32[2,3]`\n");
  CHECK(about("n = f33[4] negate(p)") ==
        "4:5-8 bad-type: saw `f33`, expected an element type such as `f32` or `s32`\n");
  CHECK(about("n = f32[4 negate(p)") == "4:11-17 syntax: saw `negate`, expected `]` after the extents of a type\n");
  CHECK(about("n = f32[4294967296,4294967296] negate(p)") == "4:5-30 bad-type: array has 2^63 elements or more\n");
  CHECK(about("n = f32[4] negate p") == "4:19-20 syntax: saw `p`, expected `(` before the operands\n");
  CHECK(about("n = f32[4] negate(p") == "5:1-2 syntax: saw `}`, expected `)` after the operands\n");
  CHECK(about("n = f32[4] add(p, negate(p))") ==
        "4:19-25 unsupported: instruction in place of an operand, expected a name: give it a line of its own\n");
  CHECK(about("n = f32[4] parameter(0)") == "4:1-2 redefined-value: second parameter 0\n  3:3-4 first one here\n");
  CHECK(about("n = f32[4] parameter(2)") == "4:1-2 invalid-op: parameter 2 without a parameter 1\n");
  CHECK(about("ROOT n = f32[4] negate(p)\nROOT o = f32[4] negate(p)") ==
        "5:6-7 syntax: second `ROOT`, expected one in a computation\n");
}

TEST_CASE("hlo errors: attributes", "[hlo]") {
  CHECK(about("n = f32[4] reduce(p, p), dimensions={0,x}, to_apply=f") ==
        "4:40-41 bad-attribute: saw `x`, expected a number\n");
  CHECK(about("n = f32[4] call(p), to_apply=f") ==
        "4:30-31 undefined-symbol: there is no computation `f`\n"
        "  help: did you mean `%e`?\n");
  CHECK(
      about("n = f32[4] call(p), to_apply=e") ==
      "4:30-31 call-recursion: `e` is called before it is defined, expected computations that call only earlier ones\n"
      "  2:1-8 defined here\n");
  CHECK(about("n = f32[8] concatenate(p, p), dimensions={0,1}") == "4:42-47 bad-attribute: expected one dimension\n");
  CHECK(about("n = f32[4] copy(p), sharding={devices=[4]<=[8]}").find("invalid-sharding") != std::string::npos);
  CHECK(about("n = f32[4] copy(p), metadata={op_name=\"x\" source_line=}") ==
        "4:55-56 bad-attribute: saw `}`, expected a value\n");
  CHECK(about("n = f32[4] slice(p), slice={[0-4]}") ==
        "4:31-33 bad-attribute: saw `-4`, expected a range such as `[0:8]` or `[0:8:2]`\n");
  CHECK(about("n = f32[4] transpose(p), dimensions={0}, dimensions={0}") ==
        "4:42-52 bad-attribute: second `dimensions` of an instruction\n");
  CHECK(about("n = f32[4] convolution(p, p), dim_labels=b0f_0io->b0g") ==
        "4:42-54 bad-attribute: expected labels such as `b01f_01io->b01f`\n");
  CHECK(about("n = f32[4] reduce-window(p, p), window={sise=2}, to_apply=f") ==
        "4:41-45 bad-attribute: `sise` is no part of a window, expected `size`, `stride`, `pad`, `lhs_dilate`, "
        "`rhs_dilate` "
        "or `rhs_reversal`\n");
}

TEST_CASE("hlo errors: constants", "[hlo]") {
  CHECK(about("c = f32[2] constant({1, 2, 3})") == "4:29-30 bad-literal: list has 3 elements, expected 2\n");
  CHECK(about("c = f32[2,2] constant({{1, 2}, {3, 4}, {5, 6}})") ==
        "4:46-47 bad-literal: list has 3 elements, expected 2\n");
  CHECK(about("c = f32[2,2] constant({1, 2})") ==
        "4:24-25 bad-literal: saw `1`, expected `{` and a list of elements\n");
  CHECK(about("c = f32[2] constant({1, one})") == "4:25-28 bad-literal: saw `one`, expected a number\n");
  CHECK(about("c = f32[] constant(1").find("4:19-20 bad-literal: value of the constant is not closed, expected `)`") ==
        0);
}

TEST_CASE("hlo errors: the module", "[hlo]") {
  CHECK(told_about("") == "1:1-1 syntax: saw end of file, expected `HloModule` and the name of the module\n");
  CHECK(told_about("HloModule m\n") ==
        "2:1-1 syntax: saw end of file, expected a computation such as `ENTRY %main { ... }`\n");
  CHECK(told_about("{ }") == "1:1-2 syntax: saw `{`, expected `HloModule` and the name of the module\n");
  CHECK(told_about("HloModule m, num_partitions=many\nENTRY e { ROOT c = f32[] constant(0) }") ==
        "1:29-33 bad-attribute: saw `many`, expected a count below 2^31\n");
  CHECK(told_about("HloModule m\nENTRY e { }") ==
        "2:1-8 syntax: computation without instructions, expected at least one\n");
  CHECK(told_about("HloModule m\nENTRY e {\n  ROOT c = f32[] constant(0)\n") ==
        "2:9-10 syntax: computation is not closed, expected `}` before the end\n");
  CHECK(told_about("HloModule m\nENTRY e { ROOT c = f32[] constant(0) }\nHloModule n\n") ==
        "3:1-10 syntax: second `HloModule`, expected one module in a file\n");
  CHECK(told_about("HloModule m\nENTRY e { ROOT c = f32[] constant(0) }\nENTRY f { ROOT c = f32[] constant(0) }\n") ==
        "3:1-8 duplicate-symbol: second `ENTRY`, expected one in a module\n  2:1-8 first one here\n");
}

TEST_CASE("hlo errors: several in one run, and none that only follow", "[hlo]") {
  CHECK(
      told_about(
          "HloModule m\n"
          "f {\n  a = f32[4] parameter(0)\n  b = f32[4} negate(a)\n  ROOT c = f32[4] negate(b)\n}\n"
          "ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] call(p), to_apply=f\n  ROOT r = f32[4] negate(s)\n}\n") ==
      "4:12-13 syntax: saw `}`, expected `]` after the extents of a type\n"
      "10:26-27 undefined-value: `s` is not defined in this computation\n"
      "  help: did you mean `%p`?\n");
}

TEST_CASE("hlo errors: deep nesting and endless strings end in an error, soon", "[hlo]") {
  const auto repeat = [](std::string_view part, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += part;
    return out;
  };
  CHECK(about("n = " + repeat("(", 100'000) + "f32[4]").find("nesting-too-deep") != std::string::npos);
  CHECK(about("c = f32[] constant(" + repeat("{", 100'000)).find("bad-literal") != std::string::npos);
  const std::string nested = repeat("n = f32[4] call(p), to_apply={\n", 10'000);
  CHECK(about(nested).find("nesting-too-deep") != std::string::npos);
  const std::string open =
      told_about("HloModule m\nENTRY e {\n" + repeat("p = f32[4] parameter(0), metadata={\"\n", 50'000) + "}\n");
  CHECK(open.find("reading stopped here") != std::string::npos);
}

TEST_CASE("hlo: what is unknown is kept, with a warning", "[hlo]") {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = read_hlo(
      sources.add("test.hlo", "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negatte(p), dimension={1}\n}\n"),
      sources, diagnostics);
  REQUIRE(program);
  CHECK(test::told(diagnostics, sources) ==
        "3:19-26 unsupported-op: operation `negatte` is not known, it is kept as it stands\n"
        "  help: did you mean `negate`?\n"
        "3:31-40 unknown-name: attribute `dimension` is not known, it is kept as it stands\n"
        "  help: did you mean `dimensions`?\n");
  CHECK(print_hlo(*program).find("ROOT %n = f32[4] negatte(%p), dimension={1}\n") != std::string::npos);
}

}  // namespace
}  // namespace sw
