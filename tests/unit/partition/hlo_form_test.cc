#include "partition/hlo_form/hlo_form.h"

#include "support/catch.h"
#include "text/hlo/reader.h"

namespace sw {
namespace {

// The entry computation of a module that has these instructions, in the form that XLA reads; what was reported if it
// has none.
std::string form(const std::string& lines) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("m.hlo", "HloModule m\n\nENTRY main {\n" + lines + "}\n");
  Result<Program> program = read_hlo(file, sources, diagnostics);
  REQUIRE(program.has_value());
  Result<Graph> graph = hlo_form(program->graph, 4, diagnostics);
  if (!graph.has_value()) return diagnostics.in_order_reported().front().message;
  program->graph = std::move(*graph);
  const std::string text = print_hlo(*program);
  CHECK(text.find("num_partitions=4") != std::string::npos);
  const size_t begin = text.find("{\n", text.find("ENTRY")) + 2;
  return text.substr(begin, text.rfind('}') - begin);
}

TEST_CASE("hlo form: one number for many elements is broadcast, other constants are written out", "[hlo_form]") {
  CHECK(form("  ROOT c = f32[2,3] constant({ { 0, 1, 2 }, { 3, 4, 5 } })\n") ==
        "  ROOT %c = f32[2,3] constant({{0, 1, 2}, {3, 4, 5}})\n");
  CHECK(form("  ROOT c = f32[4,8] constant(1.5)\n") ==
        "  %constant.1 = f32[] constant(1.5)\n  ROOT %c = f32[4,8] broadcast(%constant.1), dimensions={}\n");
  CHECK(form("  ROOT c = s32[0,8] constant({})\n") ==
        "  %constant.1 = s32[] constant(0)\n  ROOT %c = s32[0,8] broadcast(%constant.1), dimensions={}\n");
}

TEST_CASE("hlo form: a constant that the text leaves out is an error", "[hlo_form]") {
  CHECK(form("  ROOT c = f32[2] constant({...})\n") ==
        "the elements of this constant are not in the text, so the program cannot be written out");
}

TEST_CASE("hlo form: calls keep their layouts with the shapes of what they are given", "[hlo_form]") {
  CHECK(form("  p = f32[4,8] parameter(0)\n  ROOT c = f32[4,8]{0,1} custom-call(p), custom_call_target=\"f\", "
             "operand_layout_constraints={f32[16,8]{0,1}}\n") ==
        "  %p = f32[4,8] parameter(0)\n  ROOT %c = f32[4,8]{0,1} custom-call(%p), custom_call_target=\"f\", "
        "operand_layout_constraints={f32[4,8]{0,1}}\n");
}

TEST_CASE("hlo form: TopK by its name is topk", "[hlo_form]") {
  CHECK(form("  p = f32[4,8] parameter(0)\n  ROOT t = (f32[4,2], s32[4,2]) custom-call(p), "
             "custom_call_target=\"TopK\"\n") ==
        "  %p = f32[4,8] parameter(0)\n  ROOT %t = (f32[4,2], s32[4,2]) topk(%p), k=2, largest=true\n");
}

}  // namespace
}  // namespace sw
