// Sharding constraints: applied to their inputs, chains, open ones, loop variables. Expected answers are those of the
// Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy constraints: a closed constraint acts on its input before propagation") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == R"([{}, {"a"}])");
  CHECK(p.out(0) == R"([{}, {"a"}])");
}

TEST_CASE("shardy constraints: two different constraints leave the input alone") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == R"([{}, {"a"}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{}, {"a"}])");
}

TEST_CASE("shardy constraints: later users take the tail of a chain") {
  // %3 uses %0 in the text and %2 in effect; the return is left alone.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
  %3 = stablehlo.negate %0 : tensor<8x8xf32>
  return %0, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == R"([{}, {"b"}])");
  CHECK(p.of("%3") == R"([{}, {"b"}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{}, {"b"}])");
}

TEST_CASE("shardy constraints: an open constraint only propagates") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%1") == R"([{"a"}, {"b"}])");
  CHECK(p.out(0) == R"([{"a"}, {"b"}])");
}

TEST_CASE("shardy constraints: a constraint on a loop variable does not bind the loop") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<8x8xf32>, tensor<i32>
  cond {
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg_0, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = sdy.sharding_constraint %iterArg <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %3 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %3, %iterArg_0 : tensor<8x8xf32>, tensor<i32>
  }
  %4 = sdy.sharding_constraint %0#0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  %5 = stablehlo.negate %0#0 : tensor<8x8xf32>
  return %4, %5 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{}, {"a"}])");
  CHECK(p.of("%0#0") == R"([{"a"}, {}])");
  CHECK(p.of("%0#1") == "-");
  CHECK(p.of("%2") == R"([{"a"}, {}])");
  CHECK(p.of("%3") == R"([{}, {"a"}])");
  CHECK(p.of("%4") == R"([{"b"}, {}])");
  CHECK(p.of("%5") == R"([{"b"}, {}])");
  CHECK(p.out(0) == R"([{"b"}, {}])");
  CHECK(p.out(1) == R"([{"b"}, {}])");
}

}  // namespace
