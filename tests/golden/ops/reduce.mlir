// Reduced dimensions are reductions, the others pass through.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2x64x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %s1: tensor<f32>,
    %a2: tensor<2x64x13xf32>,
    %s2: tensor<f32>) -> (
    tensor<2x13xf32>,
    tensor<2x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // reduce, forward
  %r1 = stablehlo.reduce(%a1 init: %s1) applies stablehlo.add across dimensions = [1] : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<2x13xf32>
  // reduce, backward
  %r2 = stablehlo.reduce(%a2 init: %s2) applies stablehlo.add across dimensions = [1] : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<2x13xf32>
  return %r1, %r2
      : tensor<2x13xf32>, tensor<2x13xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}, {}]>
// | %s1      -
// | %a2      <[{"x"}, {}, {}]>
// | %s2      -
// | %?       -
// | %?       -
// | %?       -
// | %?       -
// | line 13  stablehlo.reduce  <([i, j, k], [])->([i, k]) {i=2, j=64, k=13} reduction={j}>
// |     <[{"x"}, {"z"}]>
// | line 13  stablehlo.add  <([], [])->([])>
// |     -
// | line 15  stablehlo.reduce  <([i, j, k], [])->([i, k]) {i=2, j=64, k=13} reduction={j}>
// |     <[{"x"}, {"y"}]>
// | line 15  stablehlo.add  <([], [])->([])>
// |     -
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {}]>
