// The passes before propagation: constants, meshes, unknown ops, results of main. Expected answers are those of the
// Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy imports: each user of a constant has its own copy") {
  // Else "a" and "b" would meet in %0.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<8x8xf32>
  %2 = stablehlo.add %arg1, %0 : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{"b"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == R"([{"b"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{"b"}, {}])");
}

TEST_CASE("shardy imports: broadcasts of any scalar and whole constant expressions are copied too") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<f32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.iota dim = 0 : tensor<64xf32>
  %2 = stablehlo.reshape %1 : (tensor<64xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.sine %2 : tensor<8x8xf32>
  %4 = stablehlo.add %arg1, %3 : tensor<8x8xf32>
  %5 = stablehlo.dot_general %3, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.subtract %arg1, %0 : tensor<8x8xf32>
  return %4, %5, %6 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == "-");
  CHECK(p.of("%arg1") == R"([{"b"}, {}])");
  CHECK(p.of("%4") == R"([{"b"}, {}])");
  CHECK(p.of("%5") == "-");
  CHECK(p.of("%6") == R"([{"b"}, {}])");
  CHECK(p.out(0) == R"([{"b"}, {}])");
  CHECK(p.out(1) == "-");
  CHECK(p.out(2) == R"([{"b"}, {}])");
}

TEST_CASE("shardy imports: axes of size one disappear") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "one"=1]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", "a"}, {?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
}

TEST_CASE("shardy imports: results of main give to and take from what is returned") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"c"}]>}) {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = stablehlo.sine %arg1 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{}, {"c"}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{}, {"c"}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{}, {"c"}])");
}

TEST_CASE("shardy imports: unknown ops and custom calls propagate nothing; a rule on the op does") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.custom_call @foo(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @foo(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == "-");
  CHECK(p.of("%1") == R"([{}, {"a"}])");
  CHECK(p.out(0) == "-");
  CHECK(p.out(1) == R"([{}, {"a"}])");
}

}  // namespace
