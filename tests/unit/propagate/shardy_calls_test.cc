// Calls: instances of functions, and how they are merged. Expected answers are those of the Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy calls: a function called once is planned as if it stood in its caller") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> tensor<8x8xf32> {
  %0 = call @f(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func private @f(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %2 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{}, {"a"}])");
  CHECK(p.of("%1") == R"([{}, {"a"}])");
  CHECK(p.of("%2") == R"([{}, {"a"}])");
  CHECK(p.out(0) == R"([{}, {"a"}])");
}

TEST_CASE("shardy calls: each call has its own shardings") {
  // Two instances of @f remain; the values inside are those of the first.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = call @f(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @f(%arg1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %2 = stablehlo.sine %arg0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{"b"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"b"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{"b"}, {}])");
}

TEST_CASE("shardy calls: an argument is what is passed, also where that is made once for every use") {
  // As JAX lowers it: the call is written out, and the iota, which needs no input, is copied to each of its uses.
  const Planned p(R"(module @m attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=4]>
  func.func public @main(%arg0: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %1 = stablehlo.negate %0 : tensor<8x8xi32>
    %2 = call @f(%arg0, %1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    return %2 : tensor<8x8xi32>
  }
  func.func private @f(%x: tensor<8x8xi32>, %y: tensor<8x8xi32>) -> tensor<8x8xi32> {
    %3 = stablehlo.add %x, %y : tensor<8x8xi32>
    return %3 : tensor<8x8xi32>
  }
})");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%x") == R"([{"a"}, {}])");
  CHECK(p.of("%y") == R"([{"a"}, {}])");
}

TEST_CASE("shardy calls: equal instances become one, and calls take the results of its function") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = call @f(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @f(%arg1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"b"}]>]>} : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"c", ?}]>}) {
  %3 = call @g(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
func.func private @g(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %4 = stablehlo.sine %arg0 : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
func.func private @unused(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%0") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%1") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%2") == R"([{}, {"b"}])");
  CHECK(p.of("%4") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%3") == R"([{"a"}, {"c"}])");
  CHECK(p.out(0) == R"([{"a"}, {"c"}])");
  CHECK(p.out(1) == R"([{}, {"b"}])");
}

}  // namespace
