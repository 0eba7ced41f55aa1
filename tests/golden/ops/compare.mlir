// A comparison is pointwise; its result has other elements.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<8x4xf32>) -> (
    tensor<8x4xi1>,
    tensor<8x4xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // compare, forward
  %r1 = stablehlo.compare GT, %a1, %a1 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
  // compare, backward
  %r2 = stablehlo.compare GT, %a2, %a2 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
  return %r1, %r2
      : tensor<8x4xi1>, tensor<8x4xi1>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %a2      <[{"x"}, {"y"}]>
// | line 11  stablehlo.compare  <([i, j], [i, j])->([i, j]) {i=8, j=4}>
// |     <[{"x"}, {"y"}]>
// | line 13  stablehlo.compare  <([i, j], [i, j])->([i, j]) {i=8, j=4}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
