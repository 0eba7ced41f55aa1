// Dimensions move with their shardings.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<2x3x5xf32>) -> (
    tensor<5x2x3xf32>,
    tensor<5x2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // transpose, forward
  %r1 = stablehlo.transpose %a1, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  // transpose, backward
  %r2 = stablehlo.transpose %a2, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  return %r1, %r2
      : tensor<5x2x3xf32>, tensor<5x2x3xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {}, {}]>
// | %a2      <[{"y"}, {}, {}]>
// | line 11  stablehlo.transpose  <([j, k, i])->([i, j, k]) {i=5, j=2, k=3}>
// |     <[{"z"}, {"x"}, {"y"}]>
// | line 13  stablehlo.transpose  <([j, k, i])->([i, j, k]) {i=5, j=2, k=3}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{}, {"x"}, {}]>
// | result 1  <[{}, {"y"}, {}]>
