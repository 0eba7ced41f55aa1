// What surrounds the answers of Shardy: the trace, seeds from outside, refusals, errors.
#include <algorithm>
#include <map>

#include "support/shardy_plan.h"

namespace {

using sw::CauseKind;
using sw::test::Planned;

constexpr const char* kChain = R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8x16xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
)";

sw::NamedShardingId closed_on(Planned& p, uint32_t axis, uint32_t size, size_t dim) {
  sw::NamedShardingSpec spec;
  spec.mesh = p.program().shardings.mesh_named("mesh");
  spec.dims.resize(2);
  for (auto& d : spec.dims) d.closed = true;
  spec.dims[dim].axes.push_back({axis, 1, size});
  return p.program().shardings.intern(spec);
}

TEST_CASE("shardy trace: steps replay to the answer and name their causes") {
  Planned p(kChain);
  std::map<uint32_t, uint32_t> last;
  for (const sw::Step& step : p.plan().trace.steps) {
    if (!step.value.valid()) continue;
    const auto known = last.find(step.value.raw);
    CHECK((known == last.end() ? 0xffffffffU : known->second) == step.before);
    last[step.value.raw] = step.after;
  }
  for (const char* name : {"%arg0", "%0", "%1"}) CHECK(last.count(p.value(name).raw) == 1);
  const auto& steps = p.plan().trace.steps;
  CHECK(steps.front().cause.kind == CauseKind::seed);
  const auto dot =
      std::find_if(steps.begin(), steps.end(), [&](const sw::Step& s) { return s.value == p.value("%1"); });
  REQUIRE(dot != steps.end());
  CHECK(dot->cause.kind == CauseKind::rule);
  CHECK(dot->cause.op == p.program().graph.value(p.value("%1")).def);
  CHECK(dot->cause.from == p.value("%0"));
  CHECK(dot->cause.from_slot == sw::OpSlot::operand(0));
  CHECK(dot->cause.to_slot == sw::OpSlot::result(0));
}

TEST_CASE("shardy seeds: one on an argument replaces its sharding, a pin is a constraint behind the value") {
  Planned p(kChain);
  p.again({}, {{p.value("%arg0"), closed_on(p, 2, 4, 1), {}, false}});
  CHECK(p.of("%arg0") == R"([{}, {"c"}])");
  CHECK(p.of("%0") == R"([{}, {"c"}])");
  CHECK(p.of("%arg1") == R"([{"c"}, {}])");
  p.again({}, {{p.value("%1"), closed_on(p, 1, 2, 1), {}, true}});
  CHECK(p.of("%1") == R"([{}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{}, {"b"}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
}

TEST_CASE("shardy refusals: what was offered and why it was not taken") {
  sw::ShardyOptions options;
  options.record_refusals = true;
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)",
                  options);
  const auto& refusals = p.plan().trace.refusals;
  const auto of = [&](const char* name, uint16_t dim) {
    return std::find_if(refusals.begin(), refusals.end(),
                        [&](const sw::Refusal& r) { return r.value == p.value(name) && r.dim == dim; });
  };
  REQUIRE(of("%arg1", 0) != refusals.end());
  CHECK(of("%arg1", 0)->reason == sw::RefusalReason::axis_in_use);
  CHECK(of("%arg1", 0)->blocker_dim == 1);
  REQUIRE(of("%arg0", 1) != refusals.end());
  CHECK(of("%arg0", 1)->reason == sw::RefusalReason::axis_in_use);
  CHECK(Planned(kChain).plan().trace.refusals.empty());
}

TEST_CASE("shardy options: the basic strategy stops an axis for the whole op") {
  const char* text = R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)";
  sw::ShardyOptions basic;
  basic.strategy = sw::ShardyOptions::Strategy::basic;
  CHECK(Planned(text, basic).of("%0") == "-");
  CHECK(Planned(text).of("%0") == R"([{"a"}, {}])");
}

TEST_CASE("shardy errors: groups that do not fit together") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> tensor<8x8xf32> {
  sdy.sharding_group %arg0 group_id = 3 : tensor<8x8xf32>
  sdy.sharding_group %arg1 group_id = 3 : tensor<8xf32>
  return %arg0 : tensor<8x8xf32>
}
)");
  CHECK_FALSE(p.planned());
  CHECK(p.errors().find("values of sharding group 3 have different shapes") != std::string::npos);
}

TEST_CASE("shardy as JAX compiles it: ops in post-order from the result, calls inlined, loop invariants outside") {
  sw::ShardyOptions options;
  options.through_xla = true;
  const Planned p(R"(module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<1x8xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg1) : tensor<8x8xf32>, tensor<i32>, tensor<8xf32>
    cond {
      %c_2 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_0, %c_2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = func.call @f(%iterArg, %iterArg_1) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %iterArg, %iterArg_0, %4 : tensor<8x8xf32>, tensor<i32>, tensor<8xf32>
    }
    %1 = stablehlo.broadcast_in_dim %0#2, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    return %0#0, %1 : tensor<8x8xf32>, tensor<1x8xf32>
  }
  func.func private @f(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %5 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5 : tensor<8xf32>
  }
}
)",
                  options);
  CHECK(p.of("%0#0") == R"([{"a"}, {}])");  // the argument itself
  CHECK(p.of("%5") == R"([{"a"}])");
  CHECK(p.of("%4") == R"([{"a"}])");
  CHECK(p.of("%1") == R"([{}, {"a"}])");
  CHECK(p.plan().instances.empty());
}

}  // namespace
