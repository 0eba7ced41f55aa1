#include <string>

#include "support/catch.h"
#include "support/same_program.h"
#include "text/hlo/reader.h"

namespace sw {
namespace {

// Reads, prints and reads again; the printed text. Empty when something is not as it should be.
std::string printed(std::string text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = read_hlo(sources.add("test.hlo", std::move(text)), sources, diagnostics);
  REQUIRE(program);
  const std::string out = print_hlo(*program);
  const auto again = read_hlo(sources.add("printed.hlo", out), sources, diagnostics);
  REQUIRE(again);
  CHECK(first_difference(*program, *again) == "");
  return out;
}

// A module around these lines of an entry computation, and the same lines back.
std::string lines_back(const std::string& lines) {
  const std::string head =
      "HloModule m, num_partitions=8\n\n"
      "%add (x: f32[], y: f32[]) -> f32[] {\n"
      "  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %sum = f32[] add(%x, %y)\n}\n\n";
  const std::string out = printed(head + "ENTRY %main {\n" + lines + "}\n");
  CHECK(out.substr(0, head.size()) == head);
  const size_t begin = out.find("{\n", out.find("ENTRY")) + 2;
  return out.substr(begin, out.size() - begin - 2);
}

void check_same(const std::string& lines) { CHECK(lines_back(lines) == lines); }

TEST_CASE("hlo print: what XLA prints comes back letter for letter", "[hlo]") {
  check_same(
      "  %p = f32[8,16]{1,0:T(8,128)S(1)} parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}\n"
      "  %z = f32[] constant(-1.5e-08)\n"
      "  %c = f32[2,2]{1,0} constant({ { 1, 2 }, { nan, -inf } })\n"
      "  %s = f32[4,8]{1,0} slice(%p), slice={[0:8:2], [4:12]}\n"
      "  %q = f32[10,19]{1,0} pad(%p, %z), padding=0_2x1_2\n"
      "  %i = f32[15,16]{1,0} pad(%p, %z), padding=0_0_1x0_0_0\n"
      "  %r = f32[8]{0} reduce(%p, %z), dimensions={1}, to_apply=%add\n"
      "  %w = f32[4,16]{1,0} reduce-window(%p, %z), window={size=2x1 stride=2x1 pad=0_0x0_0}, to_apply=%add\n"
      "  %b = f32[8,16,2]{2,1,0} broadcast(%p), dimensions={0,1}\n"
      "  %t = f32[16,8]{0,1} transpose(%p), dimensions={1,0}\n"
      "  %e = pred[8,16]{1,0} compare(%p, %p), direction=LT, type=TOTALORDER\n"
      "  ROOT %d = f32[8,8]{1,0} dot(%p, %t), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
      "operand_precision={highest,default}\n");
}

TEST_CASE("hlo print: collectives with groups in all three spellings", "[hlo]") {
  check_same(
      "  %p = f32[8,16]{1,0} parameter(0)\n"
      "  %a = f32[8,16]{1,0} all-reduce(%p), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, "
      "to_apply=%add\n"
      "  %b = f32[8,64]{1,0} all-gather(%a), channel_id=2, replica_groups=[2,4]<=[4,2]T(1,0), dimensions={1}, "
      "use_global_device_ids=true\n"
      "  %c = f32[2,64]{1,0} reduce-scatter(%b), channel_id=3, replica_groups=mesh['x'=2,'y'=4], "
      "device_ids=([4,2]T(1,0)) {'y'}, dimensions={0}, to_apply=%add\n"
      "  %d = f32[2,64]{1,0} collective-permute(%c), channel_id=4, source_target_pairs={{0,1},{1,0}}\n"
      "  %e = f32[2,64]{1,0} all-to-all(%d), channel_id=5, replica_groups={}, dimensions={1}\n"
      "  %f = ((f32[2,64]{1,0}), f32[2,64]{1,0}) all-to-all-start(%e), replica_groups=[1,8]<=[8], dimensions={0}\n"
      "  ROOT %g = f32[2,64]{1,0} all-to-all-done(%f)\n");
}

TEST_CASE("hlo print: strings, braces and custom calls", "[hlo]") {
  check_same(
      "  %p = f32[8] parameter(0), frontend_attributes={xla.sdy.sharding=\"#sdy.sharding<@mesh, [{\\\"x\\\"}]>\"}, "
      "metadata={op_name=\"jit(f)/p\" source_file=\"f.py\" source_line=3}\n"
      "  %c = f32[8] custom-call(%p), custom_call_target=\"Sharding\", sharding={devices=[8]<=[8]}, "
      "backend_config=\"unspecified_dims=[0]\"\n"
      "  %d = (f32[8], s32[]) custom-call(%c), custom_call_target=\"lapack\", operand_layout_constraints={f32[8]{0}}, "
      "output_to_operand_aliasing={{0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, "
      "backend_config={uplo = 76 : ui8, s = \"}\"}\n"
      "  ROOT %e = f32[8] get-tuple-element(%d), index=0, control-predecessors={%c}\n");
}

TEST_CASE("hlo print: parameters keep their places", "[hlo]") {
  check_same(
      "  %one = f32[] constant(1)\n"
      "  %b = f32[] parameter(1)\n"
      "  ROOT %n = f32[] negate(%b)\n"
      "  %a = f32[] parameter(0)\n");
}

TEST_CASE("hlo print: parts of a window come in a fixed order", "[hlo]") {
  CHECK(lines_back("  %p = f32[1,2,1] parameter(0)\n  %k = f32[1,1,1] parameter(1)\n"
                   "  ROOT %c = f32[1,5,1] convolution(%p, %k), feature_group_count=1, dim_labels=b0f_0io->b0f, "
                   "window={pad=1_2 size=1}\n") ==
        "  %p = f32[1,2,1] parameter(0)\n  %k = f32[1,1,1] parameter(1)\n"
        "  ROOT %c = f32[1,5,1] convolution(%p, %k), dim_labels=b0f_0io->b0f, window={size=1 pad=1_2}\n");
}

TEST_CASE("hlo print: a computation in place gets a name", "[hlo]") {
  const std::string out = printed(
      "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply={\n"
      "    x = f32[] parameter(0)\n    y = f32[] parameter(1)\n    ROOT s = f32[] add(x, y)\n  }\n}\n");
  CHECK(out.find("to_apply=%r.computation0") != std::string::npos);
}

TEST_CASE("hlo print: source positions and the header", "[hlo]") {
  const std::string text =
      "HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, "
      "entry_computation_layout={(f32[4]{0})->f32[4]{0}}, allow_spmd_sharding_propagation_to_parameters={false,true}, "
      "replica_count=2, frontend_attributes={a=\"b\"}\n\n"
      "FileNames\n1 \"f.py\"\n\nFunctionNames\n1 \"mlp\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=7 end_column=9}\n\n"
      "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n"
      "ENTRY %main (p: f32[4]) -> f32[4] {\n"
      "  %p = f32[4]{0} parameter(0)\n"
      "  ROOT %n = f32[4]{0} negate(%p), metadata={op_name=\"jit(f)/neg\" stack_frame_id=1}\n"
      "}, execution_thread=\"main\"\n";
  CHECK(printed(text) == text);
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = read_hlo(sources.add("test.hlo", text), sources, diagnostics);
  REQUIRE(program);
  const Graph& g = program->graph;
  const UserPosition at = user_position(g, g.op(g.block(g.entry_block(g.function(g.main).body)).ops[0]).loc);
  CHECK(at.file == "f.py");
  CHECK(at.line == 3);
  CHECK(at.column == 7);
}

TEST_CASE("hlo: a partitioned module is told by its entry or by what crosses partitions", "[hlo]") {
  const auto looks = [](std::string text, std::string* reason) {
    SourceManager sources;
    Diagnostics diagnostics;
    const auto program = read_hlo(sources.add("test.hlo", std::move(text)), sources, diagnostics);
    REQUIRE(program);
    return looks_partitioned(*program, reason);
  };
  const std::string head = "HloModule m, num_partitions=8\n";
  const std::string body = "p = f32[4] parameter(0), sharding={devices=[8]<=[8]}\n";
  std::string reason;
  CHECK(looks(head + "ENTRY main_spmd {\n" + body + "ROOT n = f32[4] negate(p)\n}\n", &reason));
  CHECK(reason.find("main_spmd") != std::string::npos);
  CHECK_FALSE(looks(head + "ENTRY main {\n" + body + "ROOT n = f32[4] negate(p)\n}\n", nullptr));
  const std::string gather = "g = f32[32] all-gather(p), channel_id=1, replica_groups=[1,8]<=[8], dimensions={0}\n";
  CHECK(looks(head + "ENTRY main {\n" + body + gather + "ROOT n = f32[32] negate(g)\n}\n", &reason));
  CHECK(reason == "`g` works across partitions and no operation has a sharding");
  CHECK_FALSE(looks(head + "ENTRY main {\n" + body + gather +
                        "h = f32[32] negate(g), sharding={manual}\nROOT n = f32[32] negate(h)\n}\n",
                    nullptr));
}

}  // namespace
}  // namespace sw
