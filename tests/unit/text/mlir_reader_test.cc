// The reader on small programs: what each form becomes, and that pretty and generic text give the same IR.
#include "text/mlir/reader.h"

#include <string>

#include "support/catch.h"

using namespace sw;

namespace {

struct Reading {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = reported();
  explicit Reading(std::string text) {
    const FileId file = sources.add("test.mlir", std::move(text));
    program = read_mlir(file, sources, diagnostics);
  }
  std::string messages() const {
    std::string all;
    for (const Diagnostic* d : diagnostics.sorted()) {
      const LineColumn at = sources.line_column(d->where.file, d->where.begin);
      all += std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + d->message + " [" +
             std::string(diagnostic_name(d->kind)) + "]\n";
    }
    return all;
  }
};

std::string errors_of(std::string text) { return Reading(std::move(text)).messages(); }

}  // namespace

TEST_CASE("a function with arguments, an op and a return") {
  const Reading r(
      "func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
      "  %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>\n"
      "  return %0 : tensor<2x3xf32>\n"
      "}\n");
  INFO(r.messages());
  REQUIRE(r.program);
  const Graph& graph = r.program->graph;
  REQUIRE(graph.op_count() == 2);
  const Op& add = graph.op(OpId{0});
  CHECK(add.kind == OpKind::add);
  CHECK(graph.operands(add).size() == 2);
  CHECK(r.sources.line(add.where) == 2);
  CHECK(graph.strings.text(graph.value(add.first_result).name) == "%0");
  CHECK(graph.function(graph.main).is_entry);
}

TEST_CASE("undefined and redefined values are reported with the nearest name") {
  CHECK(errors_of("func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n"
                  "  %0 = stablehlo.abs %arg1 : tensor<f32>\n"
                  "  %0 = stablehlo.abs %arg0 : tensor<f32>\n"
                  "  return %0 : tensor<f32>\n"
                  "}\n") ==
        "2:22: `%arg1` is not defined [undefined-value]\n"
        "3:3: `%0` is defined twice [redefined-value]\n");
}

TEST_CASE("several errors in one run, each at its place") {
  CHECK(errors_of("func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
                  "  %0 = stablehlo.add %arg0 : tensor<2xf32>\n"
                  "  %1 = stablehlo.abs %arg0 : tensor<3xf32>\n"
                  "  %2 = stablehlo.abs %arg0 ; tensor<2xf32>\n"
                  "  %3 = stablehlo.add %0, %1 : tensor<2xf32>\n"
                  "  return %3 : tensor<2xf32>\n"
                  "}\n") ==
        "2:8: `stablehlo.add` takes 2 operands, but has 1 [wrong-arity]\n"
        "3:22: operand 0 of `stablehlo.abs` is `%arg0` of type `tensor<2xf32>`, but the op lists `tensor<3xf32>` "
        "[type-mismatch]\n"
        "4:28: character `;`, expected `:` and a type [bad-character]\n");
}

TEST_CASE("the generic module is the same program") {
  const Reading r(
      "\"builtin.module\"() <{sym_name = \"jit_f\"}> ({\n"
      "  \"sdy.mesh\"() <{mesh = #sdy.mesh<[\"x\"=2]>, sym_name = \"mesh\"}> : () -> ()\n"
      "  \"func.func\"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}], function_type = "
      "(tensor<4xf32>) -> "
      "tensor<4xf32>, sym_name = \"main\"}> ({\n"
      "  ^bb0(%arg0: tensor<4xf32>):\n"
      "    %0 = \"stablehlo.abs\"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "    \"func.return\"(%0) : (tensor<4xf32>) -> ()\n"
      "  }) : () -> ()\n"
      "}) {mhlo.num_partitions = 2 : i32} : () -> ()\n");
  INFO(r.messages());
  REQUIRE(r.program);
  CHECK(print_mlir(*r.program) ==
        "module @jit_f attributes {mhlo.num_partitions = 2 : i32} {\n"
        "  sdy.mesh @mesh = <[\"x\"=2]>\n"
        "  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<4xf32> {\n"
        "    %0 = stablehlo.abs %arg0 : tensor<4xf32>\n"
        "    return %0 : tensor<4xf32>\n"
        "  }\n"
        "}\n");
}

TEST_CASE("locations by alias, defined before and after their use") {
  const Reading r(
      "#loc1 = loc(\"params['w1']\")\n"
      "func.func @main(%arg0: tensor<f32> loc(#loc1)) -> tensor<f32> {\n"
      "  %0 = stablehlo.abs %arg0 : tensor<f32> loc(#loc3)\n"
      "  return %0 : tensor<f32> loc(unknown)\n"
      "}\n"
      "#loc2 = loc(\"train.py\":12:4 to :20)\n"
      "#loc3 = loc(\"jit(f)/abs\"(#loc2))\n");
  INFO(r.messages());
  REQUIRE(r.program);
  const Graph& graph = r.program->graph;
  CHECK(graph.strings.text(graph.location(graph.value(ValueId{0}).loc).text) == "params['w1']");
  const UserPosition at = user_position(graph, graph.op(OpId{0}).loc);
  CHECK(at.file == "train.py");
  CHECK(at.line == 12);
  CHECK(at.function == "jit(f)/abs");
}

TEST_CASE("lists of integers come out the same from every spelling") {
  const auto groups = [](const std::string& spelling) {
    const Reading r(
        "func.func @main(%arg0: tensor<4xf32>) {\n"
        "  %0 = \"other.op\"(%arg0) {permutation = dense<[1, 0]> : tensor<2xi64>, replica_groups = " +
        spelling + "} : (tensor<4xf32>) -> tensor<4xf32>\n  return\n}\n");
    INFO(r.messages());
    REQUIRE(r.program);
    const Graph& graph = r.program->graph;
    const Attr order = graph.attr_table.get(graph.attr(graph.op(OpId{0}), "permutation"));
    CHECK(order.kind == AttrKind::dense_array);
    const Attr attr = graph.attr_table.get(graph.attr(graph.op(OpId{0}), "replica_groups"));
    CHECK(attr.kind == AttrKind::dense);
    return std::vector<int64_t>(attr.integers.begin(), attr.integers.end());
  };
  CHECK(groups("dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>") == std::vector<int64_t>{0, 1, 2, 3});
  CHECK(groups("dense<7> : tensor<1x3xi64>") == std::vector<int64_t>{7, 7, 7});
  CHECK(groups("dense<\"0x0100000000000000FFFFFFFFFFFFFFFF\"> : tensor<1x2xi64>") == std::vector<int64_t>{1, -1});
}

TEST_CASE("literals that do not fit their type are errors") {
  for (const char* literal :
       {"dense<[1, 2]> : tensor<3xi32>", "dense<[[1], [2, 3]]> : tensor<2x1xi32>", "dense<[1, 2> : tensor<2xi32>",
        "dense<> : tensor<2xi32>", "dense<[1], [2]> : tensor<2xi32>"}) {
    INFO(literal);
    const std::string text =
        std::string("func.func @main() {\n  %c = stablehlo.constant ") + literal + "\n  return\n}\n";
    CHECK(errors_of(text).find("[bad-literal]") != std::string::npos);
  }
}

TEST_CASE("what does not end, ends") {
  const std::string head = "func.func @main(%arg0: tensor<f32>) {\n";
  CHECK(errors_of("module {").find("[syntax]") != std::string::npos);
  CHECK(errors_of(head + "  %0 = stablehlo.abs %arg0 : tensor<4x").find("[bad-type]") != std::string::npos);
  CHECK(errors_of(head + "  %0 = stablehlo.abs %arg0 {a = #foo.bar<").find("[bad-attribute]") != std::string::npos);
  CHECK(errors_of(head + "  %0 = stablehlo.abs %arg0 {a = \"x").find("[syntax]") != std::string::npos);
  CHECK(errors_of("{-# dialect_resources").find("[syntax]") != std::string::npos);
}

TEST_CASE("a mesh may stand behind the shardings that name it, resources are kept") {
  const Reading r(
      "func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>}) {\n  return\n}\n"
      "sdy.mesh @m = <[\"x\"=2]>\n"
      "{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x04000000000000\"\n    }\n  }\n#-}\n");
  INFO(r.messages());
  REQUIRE(r.program);
  CHECK(r.program->shardings.mesh_count() == 1);
  CHECK(print_mlir(*r.program).find("w: \"0x04000000000000\"") != std::string::npos);
}
