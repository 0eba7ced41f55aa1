// Scalar bounds have no dimensions to shard.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %s1: tensor<f32>,
    %a1: tensor<8x4xf32>,
    %s2: tensor<f32>,
    %a2: tensor<8x4xf32>) -> (
    tensor<8x4xf32>,
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // clamp between scalars, forward
  %r1 = stablehlo.clamp %s1, %a1, %s1 : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  // clamp between scalars, backward
  %r2 = stablehlo.clamp %s2, %a2, %s2 : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %r1, %r2
      : tensor<8x4xf32>, tensor<8x4xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %s1      -
// | %a1      -
// | %s2      -
// | %a2      <[{"x"}, {"y"}]>
// | line 13  stablehlo.clamp  <([], [i, j], [])->([i, j]) {i=8, j=4}>
// |     -
// | line 15  stablehlo.clamp  <([], [i, j], [])->([i, j]) {i=8, j=4}>
// |     <[{"x"}, {"y"}]>
// | result 0  -
// | result 1  <[{"x"}, {"y"}]>
