// propagate/explain.h: chains are read off a trace, which is given here by hand.
#include "propagate/explain.h"

#include <string>

#include "support/catch.h"
#include "text/mlir/reader.h"

namespace {

constexpr const char* kProgram = R"(module @jit_f {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>) -> tensor<32x8xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    return %1 : tensor<32x8xf32>
  }
}
)";

struct Fixture {
  Fixture() {
    const sw::FileId file = sources.add("f.mlir", kProgram);
    sw::Result<sw::Program> read = sw::read_mlir(file, sources, diags);
    REQUIRE(read.has_value());
    program = std::move(*read);
    plan.mesh = program.shardings.mesh_named("mesh");
    plan.named.resize(program.graph.value_count());
  }
  sw::ValueId value(std::string_view name) const {
    for (size_t i = 0; i < program.graph.value_count(); ++i)
      if (program.graph.strings.text(program.graph.value(sw::ValueId{i}).name) == name) return sw::ValueId{i};
    FAIL("no value " << name);
    return {};
  }
  sw::NamedShardingId sharding(std::vector<sw::AxisList> dims) {
    sw::NamedShardingSpec spec;
    spec.mesh = plan.mesh;
    for (const sw::AxisList& axes : dims) spec.dims.push_back({axes, true, sw::kNoPriority});
    return program.shardings.intern(spec);
  }
  void step(std::string_view name, sw::NamedShardingId after, sw::CauseKind kind, std::string_view from = "") {
    sw::Step s;
    s.value = value(name);
    s.before = plan.named[s.value.index()].raw;
    s.after = after.raw;
    s.cause.kind = kind;
    if (kind == sw::CauseKind::rule) s.cause.op = program.graph.value(s.value).def;
    if (!from.empty()) s.cause.from = value(from);
    plan.trace.steps.push_back(s);
    plan.named[s.value.index()] = after;
  }
  // "%arg1.1 > %0.1": values and dimensions of the chain to (value, dim, axis).
  std::string chain(const sw::Provenance& provenance, std::string_view name, uint16_t dim, sw::AxisRef axis) const {
    const uint32_t origin = provenance.find(value(name), {dim, axis});
    if (origin == sw::kNoOrigin) return "none";
    std::string text;
    for (uint32_t i : provenance.chain(origin)) {
      const sw::AxisOrigin& at = provenance.at(i);
      text += (text.empty() ? "" : " > ") +
              std::string(program.graph.strings.text(program.graph.value(at.value).name)) + "." +
              std::to_string(at.dim);
    }
    return text;
  }
  sw::SourceManager sources;
  sw::Diagnostics diags;
  sw::Program program;
  sw::Plan plan;
};

const sw::AxisRef kX{0, 1, 2}, kY{1, 1, 4}, kMajorY{1, 1, 2};

}  // namespace

TEST_CASE("axes go back to their own annotations, each by its own way") {
  Fixture f;
  using sw::CauseKind;
  f.step("%arg0", f.sharding({{kX}, {}}), CauseKind::seed);
  f.step("%arg1", f.sharding({{}, {kY}}), CauseKind::seed);
  f.step("%0", f.sharding({{kX}, {}}), CauseKind::rule, "%arg0");
  f.step("%0", f.sharding({{kX}, {kY}}), CauseKind::rule, "%arg1");
  f.step("%1", f.sharding({{kY}, {kX}}), CauseKind::rule, "%0");
  const sw::Provenance provenance(f.program, f.plan);
  CHECK(f.chain(provenance, "%1", 0, kY) == "%arg1.1 > %0.1 > %1.0");
  CHECK(f.chain(provenance, "%1", 1, kX) == "%arg0.0 > %0.0 > %1.1");
  CHECK(f.chain(provenance, "%1", 0, kX) == "none");
  CHECK(provenance.at(provenance.find(f.value("%1"), {0, kY})).depth == 2);
  REQUIRE(provenance.axes().of_value(f.value("%1")).size() == 2);
}

TEST_CASE("a step that does not say whence takes the value of the op that had the axis first; parts of axes match") {
  Fixture f;
  using sw::CauseKind;
  f.step("%arg1", f.sharding({{}, {kMajorY}}), CauseKind::seed);
  f.step("%0", f.sharding({{}, {kY}}), CauseKind::rule);
  const sw::Provenance provenance(f.program, f.plan);
  CHECK(f.chain(provenance, "%0", 1, kY) == "%arg1.1 > %0.1");
}

TEST_CASE("steps on results of main have no value and are passed over") {
  Fixture f;
  sw::Step s;
  s.after = f.sharding({{kX}, {}}).raw;
  f.plan.trace.steps.push_back(s);
  CHECK(sw::Provenance(f.program, f.plan).all().empty());
}

TEST_CASE("results of main are told apart, however many there are") {
  Fixture f;
  for (const uint32_t number : {3U, 126U, 127U, 300U, 70000U}) {
    sw::Step s;
    s.after = f.sharding({{kX}, {}}).raw;
    s.cause.to_slot = sw::OpSlot::result(number);
    f.plan.trace.steps.push_back(s);
  }
  const sw::Provenance provenance(f.program, f.plan);
  REQUIRE(provenance.all().size() == 5);
  CHECK(provenance.all()[2].output == 127);
  CHECK(provenance.find_output(300, {0, kX}) == 3);
  CHECK(provenance.find_output(70000, {0, kX}) == 4);
  CHECK(provenance.find_output(128, {0, kX}) == sw::kNoOrigin);
}
