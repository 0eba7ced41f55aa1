// Conflicts between axes: who wins, where it stops, in which order. Expected answers are those of the Shardy in jaxlib
// 0.10.2.
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

TEST_CASE("shardy conflicts: an axis conflict stops only the tensor where it occurs") {
  // The larger source wins: the result takes "a" from lhs.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{}, {"a"}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
}

TEST_CASE("shardy conflicts: between sources of one size the smaller index wins") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%arg1") == R"([{}, {"a"}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
}

TEST_CASE("shardy conflicts: compatible prefixes extend, others are cut at the conflict") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}, {}]>}, %arg2: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<16x8xf32>
  %1 = stablehlo.multiply %arg0, %arg2 : tensor<16x8xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<16x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a", "b"}, {}])");
  CHECK(p.of("%arg1") == R"([{"a", "c"}, {}])");
  CHECK(p.of("%arg2") == R"([{"a", "b"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a", "b"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{"a", "b"}, {}])");
}

TEST_CASE("shardy conflicts: users are visited in use order") {
  // The transpose is the first user that sees %arg0 sharded, so add and subtract meet a conflict.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<8x8xf32>
  %2 = stablehlo.subtract %0, %arg0 : tensor<8x8xf32>
  %3 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {?}]>]>} : tensor<8x8xf32>
  return %1, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{}, {"a"}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == R"([{}, {"a"}])");
  CHECK(p.of("%3") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{"a"}, {}])");
  CHECK(p.out(1) == R"([{}, {"a"}])");
  CHECK(p.out(2) == R"([{"a"}, {}])");
}

TEST_CASE("shardy conflicts: closed dimensions are not extended and replicated axes keep out") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"c"}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {?}]>]>} : tensor<8x16xf32>
  %1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}], replicated={"c"}>]>} : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {"c"}])");
  CHECK(p.of("%0") == R"([{}, {"c"}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.out(0) == R"([{}, {"c"}])");
  CHECK(p.out(1) == R"([{"a"}, {}])");
}

TEST_CASE("shardy conflicts: a reshape splits an axis between factors") {
  // Only 2 of the 4 shards of "c" fit into the major factor; with 3 x 4 nothing does.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>}, %arg1: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>}) -> (tensor<2x8xf32>, tensor<3x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.negate %0 : tensor<2x8xf32>
  %2 = stablehlo.reshape %arg1 : (tensor<12xf32>) -> tensor<3x4xf32>
  return %1, %2 : tensor<2x8xf32>, tensor<3x4xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"c"}])");
  CHECK(p.of("%arg1") == R"([{"c"}])");
  CHECK(p.of("%0") == R"([{"c":(1)2}, {"c":(2)2}])");
  CHECK(p.of("%1") == R"([{"c":(1)2}, {"c":(2)2}])");
  CHECK(p.of("%2") == "-");
  CHECK(p.out(0) == "-");
  CHECK(p.out(1) == "-");
}

TEST_CASE("shardy conflicts: padding is allowed inside and repaired at the boundary") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c", ?}]>]>} : tensor<6xf32>
  %1 = stablehlo.negate %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}
)");
  CHECK(p.of("%arg0") == "-");
  CHECK(p.of("%0") == R"([{"c"}])");
  CHECK(p.of("%1") == R"([{"c"}])");
  CHECK(p.out(0) == "-");
}

TEST_CASE("shardy conflicts: an elementwise op does not shard an operand sideways beyond its result") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
  %1 = stablehlo.cosine %0 : tensor<8x8xf32>
  %2 = stablehlo.add %arg0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {}])");
  CHECK(p.of("%1") == R"([{"a"}, {}])");
  CHECK(p.of("%2") == "-");
}

TEST_CASE("shardy conflicts: meshes must have equal contents") {
  // @twin has the content of @mesh and counts as it; @other does not.
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>
sdy.mesh @twin = <["a"=2, "b"=2, "c"=4]>
sdy.mesh @other = <["a"=2, "b"=8]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@twin, [{?}, {"b", ?}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a", ?}, {?}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  %1 = stablehlo.multiply %0, %arg2 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  CHECK(p.of("%arg0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%arg1") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%arg2") == R"([{"a"}, {}])");
  CHECK(p.of("%0") == R"([{"a"}, {"b"}])");
  CHECK(p.of("%1") == "-");
  CHECK(p.out(0) == R"([{"a"}, {"b"}])");
  CHECK(p.out(1) == "-");
}

TEST_CASE("shardy conflicts: dead ops are gone before they can pull") {
  const Planned p(R"(sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4]>

func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.negate %arg0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
)");
  CHECK(p.of("%1") == "-");
}

}  // namespace
