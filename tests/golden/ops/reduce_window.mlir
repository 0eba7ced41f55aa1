// Windows of more than one element move data between neighbours.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %s1: tensor<f32>,
    %a2: tensor<8x16xf32>,
    %s2: tensor<f32>) -> (
    tensor<8x4xf32>,
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // reduce_window, forward
  %r1 = "stablehlo.reduce_window"(%a1, %s1) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %m1 = stablehlo.maximum %x1, %y1 : tensor<f32>
    stablehlo.return %m1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x4xf32>
  // reduce_window, backward
  %r2 = "stablehlo.reduce_window"(%a2, %s2) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
  ^bb0(%x2: tensor<f32>, %y2: tensor<f32>):
    %m2 = stablehlo.maximum %x2, %y2 : tensor<f32>
    stablehlo.return %m2 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x4xf32>
  return %r1, %r2
      : tensor<8x4xf32>, tensor<8x4xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %s1      -
// | %a2      <[{"x"}, {"y"}]>
// | %s2      -
// | %x1      -
// | %y1      -
// | %x2      -
// | %y2      -
// | line 13  stablehlo.reduce_window  <([i, j], [])->([i, j]) {i=8, j=4} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 15  stablehlo.maximum  <([], [])->([])>
// |     -
// | line 19  stablehlo.reduce_window  <([i, j], [])->([i, j]) {i=8, j=4} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 21  stablehlo.maximum  <([], [])->([])>
// |     -
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
