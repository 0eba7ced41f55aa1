// Sharding groups. Expected answers are those of the Shardy in jaxlib 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy groups: members take the sharding of the first that has one") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  sdy.sharding_group %arg0 group_id = 5 : tensor<8x8xf32>
  %0 = stablehlo.sine %arg1 : tensor<8x8xf32>
  sdy.sharding_group %0 group_id = 5 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
}

TEST_CASE("shardy groups: what one member learns the others learn") {
  // %1 is far from %arg1 in the program.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b", ?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg1 : tensor<8x8xf32>
  sdy.sharding_group %0 group_id = 1 : tensor<8x8xf32>
  %1 = stablehlo.cosine %arg0 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id = 1 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{}, {"b"}])");
  CHECK(p.of("%0") == R"([{}, {"b"}])");
  CHECK(p.of("%1") == R"([{}, {"b"}])");
  CHECK(p.out(0) == R"([{}, {"b"}])");
  CHECK(p.out(1) == R"([{}, {"b"}])");
}

TEST_CASE("shardy groups: groups that share a value are one group") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = stablehlo.sine %arg1 : tensor<8x8xf32>
  sdy.sharding_group %0 group_id = 9 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id = 9 : tensor<8x8xf32>
  sdy.sharding_group %1 group_id = 4 : tensor<8x8xf32>
  sdy.sharding_group %arg2 group_id = 4 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"c"}, {}])");
  CHECK(p.of("%arg1") == R"([{"c"}, {}])");
  CHECK(p.of("%arg2") == R"([{"c"}, {}])");
  CHECK(p.of("%0") == R"([{"c"}, {}])");
  CHECK(p.of("%1") == R"([{"c"}, {}])");
  CHECK(p.out(0) == R"([{"c"}, {}])");
  CHECK(p.out(1) == R"([{"c"}, {}])");
}

TEST_CASE("shardy groups: members that disagree keep theirs; open constraints behind them form the group") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  sdy.sharding_group %arg0 group_id = 0 : tensor<8x8xf32>
  sdy.sharding_group %arg1 group_id = 0 : tensor<8x8xf32>
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = stablehlo.sine %arg1 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{}, {"b"}])");
  CHECK(p.of("%0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%1") == R"([{"a"}, {"b"}])");
  CHECK(p.out(0) == R"([{"a"}, {"b"}])");
  CHECK(p.out(1) == R"([{"a"}, {"b"}])");
}

}  // namespace
