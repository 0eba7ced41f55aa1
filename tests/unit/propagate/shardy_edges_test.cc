// Data-flow edges: loops, branches, optimization barriers, manual computations. Expected answers are those of the
// Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy edges: a loop variable has one sharding everywhere") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> tensor<8x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<8x8xf32>, tensor<i32>
  cond {
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg_0, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
    %3 = stablehlo.add %iterArg, %arg1 : tensor<8x8xf32>
    stablehlo.return %3, %2 : tensor<8x8xf32>, tensor<i32>
  }
  %4 = stablehlo.negate %0#0 : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{}, {"b"}])");
  CHECK(p.of("%0#0") == R"([{}, {"b"}])");
  CHECK(p.of("%0#1") == "-");
  CHECK(p.of("%3") == R"([{}, {"b"}])");
  CHECK(p.of("%4") == R"([{}, {"b"}])");
  CHECK(p.out(0) == R"([{}, {"b"}])");
}

TEST_CASE("shardy edges: branches of a case and a barrier") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<i32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg2 : tensor<8x8xf32>
  %1 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1 : tensor<8x8xf32>
  }, {
    stablehlo.return %0 : tensor<8x8xf32>
  }) : (tensor<i32>) -> tensor<8x8xf32>
  %2:2 = stablehlo.optimization_barrier %1, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>
  %3 = stablehlo.abs %2#1 : tensor<8x8xf32>
  return %2#0, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == "-");
  CHECK(p.of("%arg1") == R"([{"a"}, {}])");
  CHECK(p.of("%arg2") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2#0") == R"([{"a"}, {}])");
  CHECK(p.of("%2#1") == R"([{"a"}, {}])");
  CHECK(p.of("%3") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{"a"}, {}])");
}

TEST_CASE("shardy edges: free axes cross a manual computation, manual axes do not") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}, {}]>}) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}]>] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    %1 = stablehlo.abs %arg1 : tensor<4x16xf32>
    %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [1] : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.negate %1 : tensor<4x16xf32>
    sdy.return %3 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a", "c"}, {}])");
  CHECK(p.of("%0") == R"([{"a", "c"}, {}])");
  CHECK(p.of("%1") == R"([{"c"}, {}])");
  CHECK(p.of("%3") == R"([{"c"}, {}])");
  CHECK(p.out(0) == R"([{"a", "c"}, {}])");
}

TEST_CASE("shardy edges: an operand of a manual computation does not bring its edge back") {
  // %0 learns "a" from the add, in the last round, after the edge had its turn.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg1 : tensor<8x8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={} (%arg2: tensor<8x8xf32>) {
    %4 = stablehlo.tanh %arg2 : tensor<8x8xf32>
    sdy.return %4 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == "-");
  CHECK(p.of("%4") == "-");
  CHECK(p.of("%2") == R"([{"a"}, {}])");
  CHECK(p.of("%3") == R"([{"a"}, {}])");
  CHECK(p.out(0) == "-");
  CHECK(p.out(1) == R"([{"a"}, {}])");
}

TEST_CASE("shardy edges: manual axes that shard nothing count as replicated") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"b", "a"} (%arg1: tensor<8x16xf32>) {
    %1 = stablehlo.abs %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c", ?}, {?}]>]>} : tensor<8x16xf32>
    sdy.return %1 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.negate %0 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"c"}, {"a"}])");
  CHECK(p.of("%0") == R"([{"c"}, {}])");
  CHECK(p.of("%1") == R"([{"c"}, {}])");
  CHECK(p.of("%2") == R"([{"c"}, {}])");
  CHECK(p.out(0) == R"([{"c"}, {}])");
}

}  // namespace
