#include "text/yaml/model.h"

#include "ir/names.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/mlir/reader.h"

using namespace sw;

namespace {

struct World {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = reported();

  explicit World(const std::string& text) {
    const FileId file = sources.add("m.yaml", text);
    program = read_yaml_model(file, sources, diagnostics);
  }
  std::string told() const { return test::told(diagnostics, sources); }
};

const std::string kHead = "format: shardwright-model\nmesh: {axes: {x: 2}}\n";

}  // namespace

TEST_CASE("YAML models are told by their first key") {
  CHECK(is_yaml_model("# a comment\n---\nformat: shardwright-model\n"));
  CHECK(is_yaml_model("\n  \r\nformat: other"));
  CHECK_FALSE(is_yaml_model("module @m {\nformat: x"));
  CHECK_FALSE(is_yaml_model(""));
}

TEST_CASE("a YAML model is the program that StableHLO text would be, at the places of the YAML") {
  World w(kHead + R"yaml(name: m
arguments:
  - {name: "params['w']", type: "f32[4,8]", sharding: "P('x', None)"}
ops:
  - {value: t, op: transpose, operands: ["params['w']"], attributes: {permutation: [1, 0]}, type: "f32[8,4]"}
  - {value: a b, op: tanh, operands: [t], sharding: "P(None, 'x')", source: "model.py:7"}
  - {value: zero, op: constant, attributes: {value: "dense<0.0> : tensor<f32>"}, type: "f32[]"}
  - {value: s, op: reduce, operands: [a b, zero], attributes: {dimensions: [0, 1]}, reducer: add, type: "f32[]"}
results: [{value: a b, sharding: "P('x', None)"}, s]
)yaml");
  INFO(w.told());
  REQUIRE(w.program);
  const Graph& graph = w.program->graph;
  CHECK(argument_source_name(graph, graph.main, 0) == "params['w']");
  CHECK(result_source_name(graph, graph.main, 0) == "a b");
  std::string ops;
  for (OpId op : graph.block(graph.entry_block(graph.function(graph.main).body)).ops) {
    const Op& o = graph.op(op);
    ops += std::to_string(w.sources.line(o.where)) + " " + std::string(graph.strings.text(o.name)) + "\n";
    CHECK(o.where.file == w.program->file);
  }
  CHECK(
      ops ==
      "7 stablehlo.transpose\n8 stablehlo.tanh\n8 sdy.sharding_constraint\n9 stablehlo.constant\n10 stablehlo.reduce\n"
      "11 func.return\n");
  CHECK(user_position(graph, graph.op(OpId{1}).loc).line == 7);
  // Printed as StableHLO it reads back.
  Diagnostics again;
  const FileId printed = w.sources.add("printed.mlir", print_mlir(*w.program));
  CHECK(read_mlir(printed, w.sources, again));
  INFO(test::told(again, w.sources));
  CHECK_FALSE(again.has_errors());
}

TEST_CASE("YAML models: errors") {
  const auto errors = [](const std::string& rest) { return World(kHead + rest).told(); };
  CHECK(errors("arguments: []\nops: [{value: a, op: tahn, operands: []}]\nresults: []\n") ==
        "4:22-26 unknown-name: StableHLO has no operation `tahn`\n  help: did you mean `tan`?\n");
  CHECK(errors("arguments: [{name: x, type: f32}]\nops: []\nresults: [y]\n") ==
        "3:29-32 bad-configuration: `f32` is not a type such as `f32[8,4]`\n"
        "5:11-12 undefined-value: there is no value `y` before this place\n");
  CHECK(errors("arguments: [{name: x, type: 'f32[2]'}, {name: x, type: 'f32[]'}]\nops: []\nresults: []\n") ==
        "3:47-48 redefined-value: value `x` is defined twice\n  3:20-21 first defined here\n");
  CHECK(errors("arguments: [{name: x, type: 'f32[2]', sharding: \"P('y')\"}]\nops: []\nresults: []\n") ==
        "3:52-55 unknown-axis: the mesh has no axis `y`\n  help: its axes are `x`=2\n");
  CHECK(
      errors("arguments: [{name: x, type: 'f32[2]'}]\nops: [{value: c, op: convert, operands: [x]}]\nresults: [c]\n") ==
      "4:22-29 bad-configuration: the type of `stablehlo.convert` does not follow from its operands, expected a key "
      "`type`\n");
  CHECK(errors("arguments: []\nops: []\n") == "1:1-2 bad-configuration: a model has no key `results`\n");
  CHECK(World("format: other\narguments: []\nops: []\nresults: []\n").told() ==
        "1:9-14 bad-configuration: the format is `other`, expected `shardwright-model`\n");
  // What the MLIR reader says about the made-up text comes back to the operation.
  CHECK(errors("arguments: [{name: x, type: 'f32[2]'}]\nops:\n  - {value: c, op: tanh, operands: [x], attributes: {a: "
               "\"#\"}}\n"
               "results: [c]\n")
            .find("5:5-6 ") == 0);
}
