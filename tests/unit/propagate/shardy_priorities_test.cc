// User priorities, op priorities, barriers. Expected answers are those of the Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy priorities: a lower number propagates first") {
  // In round 0 the sum takes "a" for dimension 1 only.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{}, {"a"}])");
  CHECK(p.of("%0") == R"([{}, {"a"}])");
  CHECK(p.out(0) == R"([{}, {"a"}])");
}

TEST_CASE("shardy priorities: rounds may skip numbers and free other axes") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p3, {"b"}p0]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"c"}p7]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{"b"}, {"c"}])");
  CHECK(p.of("%0") == R"([{"a"}, {"c"}])");
  CHECK(p.out(0) == R"([{"a"}, {"c"}])");
}

TEST_CASE("shardy priorities: elementwise ops go before products") {
  // The product would give its first operand "a" on dimension 1; the chain of elementwise ops is faster.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %arg0, %arg2 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {}])");
  CHECK(p.of("%arg2") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{"a"}, {}])");
}

TEST_CASE("shardy priorities: broadcasts go forward last") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.sine %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?}]>]>} : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}])");
  CHECK(p.of("%arg1") == R"([{}, {"a"}])");
  CHECK(p.of("%arg2") == "-");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{}, {"a"}])");
  CHECK(p.of("%2") == R"([{}, {"a"}])");
  CHECK(p.out(0) == R"([{}, {"a"}])");
  CHECK(p.out(1) == R"([{}, {"a"}])");
}

TEST_CASE("shardy priorities: a barrier lets one direction through") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8xf32>
  %1 = stablehlo.abs %0 : tensor<8xf32>
  %2 = sdy.propagation_barrier %arg1 allowed_direction=BACKWARD : tensor<8xf32>
  %3 = stablehlo.abs %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b", ?}]>]>} : tensor<8xf32>
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}])");
  CHECK(p.of("%arg1") == R"([{"b"}])");
  CHECK(p.of("%0") == "-");
  CHECK(p.of("%1") == "-");
  CHECK(p.of("%2") == R"([{"b"}])");
  CHECK(p.of("%3") == R"([{"b"}])");
  CHECK(p.out(0) == "-");
  CHECK(p.out(1) == R"([{"b"}])");
}

}  // namespace
