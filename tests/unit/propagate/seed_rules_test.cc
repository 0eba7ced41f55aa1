#include "propagate/seed_rules.h"

#include "ir/names.h"
#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

using namespace sw;

namespace {

const char* kNoMesh = R"(module @m {
  func.func public @main(%arg0: tensor<8x4xf32> loc("params['layers'][0]['w1']"), %arg1: tensor<4xf32> loc("params['b1']"), %arg2: tensor<16x8xf32> loc("x")) -> (tensor<16x4xf32> {jax.result_info = "result['y']"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32> loc(#loc1)
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32> loc(#loc1)
    %2 = stablehlo.add %0, %1 : tensor<16x4xf32> loc(#loc1)
    %3 = stablehlo.tanh %2 : tensor<16x4xf32> loc(#loc2)
    return %3 : tensor<16x4xf32>
  }
}
#loc1 = loc("src/model.py":41:0)
#loc2 = loc("src/model.py":42:0)
)";

const char* kMesh = R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"x"}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
)";

struct World {
  SourceManager sources;
  Diagnostics diagnostics;
  Program program;

  explicit World(const std::string& text) {
    const FileId file = sources.add("step.mlir", text);
    auto read =
        text.starts_with("HloModule") ? read_hlo(file, sources, diagnostics) : read_mlir(file, sources, diagnostics);
    INFO(test::told(diagnostics, sources));
    REQUIRE(read);
    program = std::move(*read);
    diagnostics = {};
  }
  // "name=sharding" of every seed, a pin with a `!`, then what was told.
  std::string resolve(const SeedRequest& request) {
    const auto seeds = resolve_seeds(program, request, sources, diagnostics);
    std::string out;
    if (seeds)
      for (const Seed& s : *seeds)
        out += std::string(s.is_pin ? "!" : "") + value_display_name(program.graph, s.value) + "=" +
               sdy_text(program.shardings, s.sharding) + "\n";
    return out + test::told(diagnostics, sources);
  }
  std::string found(const std::string& text) {
    std::string out;
    for (ValueId v : find_values(program, sources, text)) out += value_spelled_name(program.graph, v) + " ";
    return out;
  }
};

SeedRequest flags(std::string mesh, std::vector<std::string> shard, std::vector<std::string> pin = {}) {
  SeedRequest r;
  r.mesh_sizes = std::move(mesh);
  r.shard = std::move(shard);
  r.pin = std::move(pin);
  return r;
}

ShardingRule rule(std::string pattern, std::string spec) { return {std::move(pattern), std::move(spec), {}, {}}; }

}  // namespace

TEST_CASE("names of arguments as paths") {
  CHECK(name_as_path("params['layers'][0]['w1']") == "params/layers/0/w1");
  CHECK(name_as_path("state.params['a.b']") == "state/params/a.b");
  CHECK(name_as_path("x") == "x");
  CHECK(name_as_path("[0]") == "0");
}

TEST_CASE("patterns select arguments") {
  const auto selects = [](std::string_view pattern) {
    return pattern_selects(pattern, "params['layers'][0]['w1']", "%arg7", 7);
  };
  for (const char* yes : {"7", "%arg7", "params['layers'][0]['w1']", "params*w1*", "*", "params['layers'][?]['w1']",
                          "params/layers/0/w1", "params/*/*/w1", "params/**/w1", "**/w1", "params/**", "**/w?", " 7 "})
    CHECK(selects(yes));
  for (const char* no : {"8", "%arg70", "params", "params/*/w1", "params/layers", "*/w1", "params/layers/0/w1/x", "w1",
                         "params/layers/?0/w1", "", "70"})
    CHECK_FALSE(selects(no));
  // Without debug information only the spelling is there.
  CHECK(pattern_selects("%arg*", "", "%arg7", 7));
}

TEST_CASE("seeds: a program without a mesh gets one") {
  World w(kNoMesh);
  CHECK(w.resolve(flags("x=2,y=4", {"params/**/w1=P(None, 'y')", "x=P('x')", "1=[{\"y\"}]"})) ==
        "params['layers'][0]['w1']=<@mesh, [{}, {\"y\"}]>\n"
        "params['b1']=<@mesh, [{\"y\"}]>\n"
        "x=<@mesh, [{\"x\"}, {}]>\n");
}

TEST_CASE("seeds: the first that selects wins, flags before rules; unmatched arguments are listed") {
  World w(kNoMesh);
  SeedRequest r = flags("x=2", {"%arg2=P('x')"});
  r.rules = {rule("x", "P()"), rule("params/**", "P()"), rule("params['b1']", "P('x')")};
  CHECK(w.resolve(r) ==
        "params['layers'][0]['w1']=<@mesh, [{}, {}]>\n"
        "params['b1']=<@mesh, [{}]>\n"
        "x=<@mesh, [{\"x\"}, {}]>\n"
        "- unmatched-rule: every argument that `x` would select is taken by an earlier rule\n"
        "- unmatched-rule: every argument that `params['b1']` would select is taken by an earlier rule\n");
  World u(kNoMesh);
  r.shard.clear();
  r.rules = {rule("x", "P('x')")};
  CHECK(u.resolve(r) ==
        "x=<@mesh, [{\"x\"}, {}]>\n"
        "- unmatched-arguments: 2 of 3 arguments are selected by no rule: `params['layers'][0]['w1']`, "
        "`params['b1']`\n");
}

TEST_CASE("seeds: errors point into the flag") {
  CHECK(World(kNoMesh).resolve(flags("", {"x=P('x')"})) ==
        "1:3-9 unknown-mesh: the program has no mesh for this sharding to be on\n"
        "  help: give one: --mesh x=2,y=4, or --mesh FILE.yaml\n");
  CHECK(World(kNoMesh).resolve(flags("x=2", {"x=P('y')"})) ==
        "1:5-8 unknown-axis: the mesh has no axis `y`\n  help: its axes are `x`=2\n");
  CHECK(World(kNoMesh).resolve(flags("x=2", {"params/**=P('x', None)"})) ==
        "1:11-23 sharding-rank: the spec has 2 entries, `params['b1']` has 1 dimension\n");
  CHECK(World(kNoMesh).resolve(flags("x=2", {"P('x')"})) ==
        "1:1-7 bad-configuration: `P('x')` is not PATTERN=SPEC\n"
        "  help: for example --shard \"params['w1']=P('x', None)\"\n");
  CHECK(World(kNoMesh).resolve(flags("x=2", {"params['b2']=P()"})) ==
        "1:1-13 unmatched-rule: `params['b2']` selects no argument of the program\n"
        "  help: did you mean `params['b1']`?\n");
  CHECK(World(kNoMesh).resolve(flags("x", {})) ==
        "1:1-2 bad-configuration: expected the name of an axis, `=` and its size\n"
        "  help: for example --mesh data=2,tensor=4\n");
  CHECK(World(kNoMesh).resolve(flags("x=two", {})) ==
        "1:3-6 axis-size-invalid: `two` is not the size of an axis, expected a whole number\n");
  CHECK(World(kNoMesh).resolve(flags("x=2,x=4", {})) ==
        "1:5-6 duplicate-axis: the mesh has two axes named `x`\n  1:1-2 first defined here\n");
}

TEST_CASE("seeds: --mesh changes the sizes of the program's mesh, and its shardings follow") {
  World w(kMesh);
  CHECK(w.resolve(flags("y=16", {})).empty());
  CHECK(sdy_text(w.program.shardings.mesh(MeshId{0}).mesh) == R"(<["x"=2, "y"=16]>)");
  CHECK(sdy_text(w.program.shardings, NamedShardingId{0}) == R"(<@mesh, [{"y":(1)2}, {"x"}]>)");
  // The table finds by the new contents.
  NamedShardingSpec spec = w.program.shardings.spec(NamedShardingId{0});
  CHECK(w.program.shardings.intern(spec) == NamedShardingId{0});
  CHECK(World(kMesh).resolve(flags("y=3", {})) ==
        "1:1-4 sub-axis-invalid: the program's sharding `<@mesh, [{\"y\":(1)2}, {\"x\"}]>` uses a part of an axis that "
        "does "
        "not divide the new size\n");
  CHECK(World(kMesh).resolve(flags("tensor=4", {})) ==
        "1:1-7 unknown-axis: the mesh has no axis `tensor`\n  help: its axes are `x`=2, `y`=4\n");
  World files(kMesh);
  SeedRequest r;
  r.mesh_file = MeshFile{"other", {{{"x", 2}, {"y", 4}}, {0, 2, 4, 6, 1, 3, 5, 7}}, "", {}, {}};
  CHECK(files.resolve(r).empty());
  CHECK(sdy_text(files.program.shardings.mesh(MeshId{0}).mesh) ==
        R"(<["x"=2, "y"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>)");
}

TEST_CASE("seeds: what stands for the old sizes as numbers cannot follow") {
  World tiles(R"(HloModule m

ENTRY %main (p: f32[8,8]) -> f32[8,8] {
  ROOT %p = f32[8,8]{1,0} parameter(0), sharding={devices=[2,4]<=[8]}
}
)");
  CHECK(tiles.resolve(flags("x=4", {})) ==
        "1:1-4 not-expressible: the program holds shardings for 8 devices, such as `{devices=[2,4]<=[8]}`, the mesh "
        "has 4\n"
        "  help: only shardings that name mesh axes can follow a change of the mesh\n");
  World manual(R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
      sdy.return %arg1 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
)");
  CHECK(manual.resolve(flags("y=8", {})).empty());
  CHECK(manual.resolve(flags("x=4", {})).find("1:1-4 not-expressible: axis `x` cannot become 4 from 2") == 0);
}

TEST_CASE("values by name and line") {
  World w(kNoMesh);
  CHECK(w.found("%2") == "%2 ");
  CHECK(w.found("%2#0") == "%2 ");
  CHECK(w.found("params['b1']") == "%arg1 ");
  CHECK(w.found("result['y']") == "%3 ");
  CHECK(w.found("result[0]") == "%3 ");
  CHECK(w.found("5") == "%2 ");
  CHECK(w.found("step.mlir:5") == "%2 ");
  // Of the three values of line 41 one is used on other lines.
  CHECK(w.found("model.py:41") == "%2 ");
  CHECK(w.found("src/model.py:42") == "%3 ");
  CHECK(w.found("el.py:41").empty());
  CHECK(w.found("%9").empty());
}

TEST_CASE("seeds: pins") {
  CHECK(World(kNoMesh).resolve(flags("x=2", {}, {"%2=P('x')", "model.py:42=P(None, 'x')", "params['b1']=P('x')"})) ==
        "!%2=<@mesh, [{\"x\"}, {}]>\n!%3=<@mesh, [{}, {\"x\"}]>\n!params['b1']=<@mesh, [{\"x\"}]>\n");
  CHECK(
      World(kNoMesh).resolve(flags("x=2", {}, {"%12=P('x')"})) ==
      "1:1-4 unknown-name: there is no value or line `%12` in the program\n"
      "  help: name a value (%12, %12#1, dot.3, params['w1'], result[0]), a line (61, model.py:41) or both (61:%12)\n");
}

namespace {

// A loop, whose condition and body share names, and a function that repeats a name of main.
constexpr const char* kLoop = R"(sdy.mesh @mesh = <["x"=2]>
func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<8xf32>, tensor<i32>
   cond {
    %2 = stablehlo.compare LT, %iterArg_0, %iterArg_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.tanh %iterArg : tensor<8xf32>
    stablehlo.return %2, %iterArg_0 : tensor<8xf32>, tensor<i32>
  }
  %1 = call @f(%0#0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %1 = stablehlo.cosine %arg0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
)";

}  // namespace

TEST_CASE("seeds: names that several regions or functions have") {
  World w(kLoop);
  CHECK(w.found("%2") == "%2 %2 ");
  CHECK(w.found("9:%2") == "%2 ");
  CHECK(w.found("step.mlir:9:%2") == w.found("9:%2"));
  CHECK(w.found("4:%iterArg") == "%iterArg %iterArg ");
  CHECK(w.found("4:%iterArg@2") == "%iterArg ");
  CHECK(w.found("4:%iterArg@3").empty());
  CHECK(w.found("4:%iterArg@0").empty());
  CHECK(w.found("4:%0#1") == "%0#1 ");
  CHECK(w.found("4:%1").empty());
  CHECK(w.resolve(flags("", {}, {"9:%2=P('x')", "16:%1=P('x')", "15:%arg0=P('x')"})) ==
        "!%2=<@mesh, [{\"x\"}]>\n!%1=<@mesh, [{\"x\"}]>\n!%arg0=<@mesh, [{\"x\"}]>\n");
  CHECK(w.resolve(flags("", {}, {"%iterArg=P('x')"})) ==
        "1:1-9 unknown-name: `%iterArg` stands for 2 values, expected one\n"
        "  help: pin one of them: `4:%iterArg@1`, `4:%iterArg@2`\n");
}

TEST_CASE("seeds: every value has an address of its own") {
  const World w(kLoop);
  for (size_t i = 0; i < w.program.graph.value_count(); ++i) {
    const ValueId value{i};
    const Value& v = w.program.graph.value(value);
    if (v.def.valid() ? !w.program.graph.op(v.def).parent.valid() : !v.block.valid()) continue;
    const std::string address = value_address(w.program, w.sources, value);
    INFO(address);
    CHECK(find_values(w.program, w.sources, address) == std::vector{value});
  }
}
