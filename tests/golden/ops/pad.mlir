// A padded dimension stays sharded: neighbours exchange data.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %s1: tensor<f32>,
    %a2: tensor<8x6xf32>,
    %s2: tensor<f32>) -> (
    tensor<8x10xf32>,
    tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // pad, forward
  %r1 = stablehlo.pad %a1, %s1, low = [0, 1], high = [0, -2], interior = [0, 1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x10xf32>
  // pad, backward
  %r2 = stablehlo.pad %a2, %s2, low = [0, 1], high = [0, -2], interior = [0, 1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x10xf32>
  return %r1, %r2
      : tensor<8x10xf32>, tensor<8x10xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %s1      -
// | %a2      <[{"x"}, {"y"}]>
// | %s2      -
// | line 13  stablehlo.pad  <([i, j], [])->([i, j]) {i=8, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 15  stablehlo.pad  <([i, j], [])->([i, j]) {i=8, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
