// report/plan_json.h and report/subject.h on a program with the shardings written in it (partitioner none).
#include "report/plan_report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "propagate/as_written.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "report/subject.h"
#include "support/catch.h"
#include "text/mlir/reader.h"

namespace {

constexpr const char* kProgram = R"(#loc1 = loc("params['w']")
#loc2 = loc("/home/user/model.py":41:10 to :20)
#loc3 = loc("mlp"(#loc2))
module @jit_f {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<7x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>} loc(#loc1), %arg1: tensor<4xi1>) -> (tensor<7x32xf32> {jax.result_info = "['out']", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<7x32xf32>) {
    %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>]>} : tensor<7x32xf32> loc(#loc3)
    %1:2 = stablehlo.optimization_barrier %0, %0 : tensor<7x32xf32>, tensor<7x32xf32>
    return %0, %1#1 : tensor<7x32xf32>, tensor<7x32xf32>
  }
}
)";

struct Written {
  Written() {
    const sw::FileId file = sources.add("dir/f.mlir", kProgram);
    sw::Result<sw::Program> read = sw::read_mlir(file, sources, diags);
    REQUIRE(read.has_value());
    program = std::move(*read);
    plan = sw::plan_as_written(program, {});
  }
  sw::PlanReport report() const { return {sources, program, plan, "f.mlir"}; }
  template <class Write>
  std::string text(Write write) const {
    std::string out;
    sw::TextSink sink([&](std::string_view block) {
      out += block;
      return true;
    });
    write(sink);
    sink.flush();
    return out;
  }
  std::vector<std::string> find(std::string_view subject) {
    const sw::Result<sw::Subject> found = find_subject(program, sources, subject, diags);
    std::vector<std::string> names;
    if (found.has_value())
      for (sw::ValueId v : found->values)
        names.push_back(std::string(program.graph.strings.text(program.graph.value(v).name)));
    return names;
  }
  sw::SourceManager sources;
  sw::Diagnostics diags;
  sw::Program program;
  sw::Plan plan;
};

}  // namespace

TEST_CASE("the JSON report has every key, and the values of the program") {
  const Written w;
  const nlohmann::json report = nlohmann::json::parse(w.text([&](sw::TextSink& s) { write_plan_json(w.report(), s); }));
  for (const char* key : {"schema_version", "input", "partitioner", "meshes", "values", "outputs", "collectives",
                          "findings", "unsupported"})
    CHECK(report.contains(key));
  CHECK(report["input"] == nlohmann::json({{"file", "f.mlir"}, {"format", "stablehlo"}, {"module", "jit_f"}}));
  REQUIRE(report["values"].size() == 5);
  const nlohmann::json& add = report["values"][0];
  CHECK(add["name"] == "%0");
  CHECK(add["kind"] == "result");
  CHECK(add["line"] == 7);
  CHECK(add["op"] == "stablehlo.add");
  CHECK(add["function"] == "main");
  CHECK(add["type"] == nlohmann::json({{"element", "f32"}, {"shape", {7, 32}}}));
  CHECK(add["sharding"]["sdy"] == R"(<@mesh, [{}, {"x", "y"}]>)");
  CHECK(add["sharding"]["hlo"] == "{devices=[1,8]<=[8]}");
  CHECK(add["sharding"]["spec"] == "P(None, ('x', 'y'))");
  CHECK(add["device_shape"] == nlohmann::json({7, 4}));
  CHECK(add["source"] == nlohmann::json({{"file", "/home/user/model.py"}, {"line", 41}, {"function", "mlp"}}));
  CHECK(report["values"][2]["name"] == "%1#1");
  CHECK(report["values"][2]["index"] == 1);
  const nlohmann::json& argument = report["values"][3];
  CHECK(argument["kind"] == "argument");
  CHECK(argument["argument"] == "params['w']");
  CHECK(argument["device_shape"] == nlohmann::json({2, 16}));  // 7 over 4, rounded up
  CHECK(report["values"][4]["type"]["element"] == "i1");
  REQUIRE(report["outputs"].size() == 2);
  CHECK(report["outputs"][0]["name"] == "['out']");
  CHECK(report["outputs"][0]["sharding"]["spec"] == "P('x', None)");
  CHECK(report["outputs"][1]["name"] == "result[1]");
  CHECK(report["outputs"][1]["sharding"]["sdy"].is_null());
}

TEST_CASE("what explain may be asked for") {
  Written w;
  using Names = std::vector<std::string>;
  CHECK(w.find("%0") == Names{"%0"});
  CHECK(w.find("%1#1") == Names{"%1"});
  CHECK(w.find("%1") == Names{"%1", "%1"});
  CHECK(w.find("params['w']") == Names{"%arg0"});
  CHECK(w.find("%arg1") == Names{"%arg1"});
  CHECK(w.find("['out']") == Names{"%0"});
  CHECK(w.find("result[1]") == Names{"%1"});
  CHECK(w.find("7") == Names{"%0"});
  CHECK(w.find("f.mlir:7") == Names{"%0"});
  CHECK(w.find("model.py:41") == Names{"%0"});
  CHECK(w.find("user/model.py:41") == Names{"%0"});
  CHECK(w.find("del.py:41").empty());
  CHECK(w.find("%9").empty());
  CHECK(w.find("result[2]").empty());
  CHECK(w.find("999999999999").empty());
}

TEST_CASE("the first screen names the user's own arguments and results") {
  const Written w;
  const std::string text = w.text([&](sw::TextSink& s) { write_plan_text(w.report(), {}, s); });
  CHECK(text.find("f  ·  f.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  as written\n") == 0);
  CHECK(text.find("    params['w']  f32[7,32]") != std::string::npos);
  CHECK(text.find("[2,16]       P('y', 'x')") != std::string::npos);
  CHECK(text.find("    ['out']    f32[7,32]") != std::string::npos);
}
