// The source needs replication where windows are wider than one element.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b1: tensor<8x4xf32>,
    %s1: tensor<f32>,
    %a2: tensor<8x16xf32>,
    %b2: tensor<8x4xf32>,
    %s2: tensor<f32>) -> (
    tensor<8x16xf32>,
    tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // select_and_scatter, forward
  %r1 = "stablehlo.select_and_scatter"(%a1, %b1, %s1) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %m1 = stablehlo.compare GE, %x1, %y1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m1 : tensor<i1>
  }, {
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %m1 = stablehlo.add %x1, %y1 : tensor<f32>
    stablehlo.return %m1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x16xf32>
  // select_and_scatter, backward
  %r2 = "stablehlo.select_and_scatter"(%a2, %b2, %s2) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
  ^bb0(%x2: tensor<f32>, %y2: tensor<f32>):
    %m2 = stablehlo.compare GE, %x2, %y2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m2 : tensor<i1>
  }, {
  ^bb0(%x2: tensor<f32>, %y2: tensor<f32>):
    %m2 = stablehlo.add %x2, %y2 : tensor<f32>
    stablehlo.return %m2 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %r1, %r2
      : tensor<8x16xf32>, tensor<8x16xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %b1      <[{"x"}, {}]>
// | %s1      -
// | %a2      <[{"x"}, {"y"}]>
// | %b2      <[{"x"}, {}]>
// | %s2      -
// | %x1      -
// | %y1      -
// | %x1      -
// | %y1      -
// | %x2      -
// | %y2      -
// | %x2      -
// | %y2      -
// | line 15  stablehlo.select_and_scatter  <([i, k], [i, j], [])->([i, k]) {i=8, j=4, k=16} need_replication={j} permutation={k}>
// |     <[{"x"}, {"y"}]>
// | line 17  stablehlo.compare  <([], [])->([])>
// |     -
// | line 21  stablehlo.add  <([], [])->([])>
// |     -
// | line 25  stablehlo.select_and_scatter  <([i, k], [i, j], [])->([i, k]) {i=8, j=4, k=16} need_replication={j} permutation={k}>
// |     <[{"x"}, {"y"}]>
// | line 27  stablehlo.compare  <([], [])->([])>
// |     -
// | line 31  stablehlo.add  <([], [])->([])>
// |     -
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
