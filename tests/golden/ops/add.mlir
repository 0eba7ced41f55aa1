// Pointwise ops: every dimension passes through, forward and backward.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<2x1x4xf32>,
    %a3: tensor<2x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a4: tensor<2x0xf32>,
    %a5: tensor<f32>,
    %a6: tensor<f32>) -> (
    tensor<2x1x4xf32>,
    tensor<2x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<2x0xf32>,
    tensor<2x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<f32>,
    tensor<f32>) {
  // add, forward
  %r1 = stablehlo.add %a1, %a1 : tensor<2x1x4xf32>
  // add, backward
  %r2 = stablehlo.add %a2, %a2 : tensor<2x1x4xf32>
  // add without elements, forward
  %r3 = stablehlo.add %a3, %a3 : tensor<2x0xf32>
  // add without elements, backward
  %r4 = stablehlo.add %a4, %a4 : tensor<2x0xf32>
  // add of scalars, forward
  %r5 = stablehlo.add %a5, %a5 : tensor<f32>
  // add of scalars, backward
  %r6 = stablehlo.add %a6, %a6 : tensor<f32>
  return %r1, %r2, %r3, %r4, %r5, %r6
      : tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2x0xf32>, tensor<2x0xf32>, tensor<f32>, tensor<f32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {}, {"z"}]>
// | %a2      <[{"x"}, {}, {"z"}]>
// | %a3      <[{"x"}, {"y"}]>
// | %a4      <[{"x"}, {"y"}]>
// | %a5      -
// | %a6      -
// | line 19  stablehlo.add  <([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=1, k=4}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 21  stablehlo.add  <([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=1, k=4}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 23  stablehlo.add  <([i, j], [i, j])->([i, j]) {i=2, j=0}>
// |     <[{"x"}, {"y"}]>
// | line 25  stablehlo.add  <([i, j], [i, j])->([i, j]) {i=2, j=0}>
// |     <[{"x"}, {"y"}]>
// | line 27  stablehlo.add  <([], [])->([])>
// |     -
// | line 29  stablehlo.add  <([], [])->([])>
// |     -
// | result 0  <[{"x"}, {}, {"z"}]>
// | result 1  <[{"x"}, {}, {"z"}]>
// | result 2  <[{"x"}, {"y"}]>
// | result 3  <[{"x"}, {"y"}]>
// | result 4  -
// | result 5  -
