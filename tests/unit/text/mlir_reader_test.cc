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
