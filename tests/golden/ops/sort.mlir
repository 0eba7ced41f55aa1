// The sorted dimension needs replication, and does not propagate when it is the only one.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<4x8xf32>,
    %a3: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a4: tensor<1x8xf32>) -> (
    tensor<4x8xf32>,
    tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<1x8xf32>,
    tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // sort, forward
  %r1 = "stablehlo.sort"(%a1) <{dimension = 1 : i64}> ({
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %m1 = stablehlo.compare LT, %x1, %y1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m1 : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // sort, backward
  %r2 = "stablehlo.sort"(%a2) <{dimension = 1 : i64}> ({
  ^bb0(%x2: tensor<f32>, %y2: tensor<f32>):
    %m2 = stablehlo.compare LT, %x2, %y2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m2 : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // sort of the only dimension, forward
  %r3 = "stablehlo.sort"(%a3) <{dimension = 1 : i64}> ({
  ^bb0(%x3: tensor<f32>, %y3: tensor<f32>):
    %m3 = stablehlo.compare LT, %x3, %y3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m3 : tensor<i1>
  }) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // sort of the only dimension, backward
  %r4 = "stablehlo.sort"(%a4) <{dimension = 1 : i64}> ({
  ^bb0(%x4: tensor<f32>, %y4: tensor<f32>):
    %m4 = stablehlo.compare LT, %x4, %y4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m4 : tensor<i1>
  }) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r1, %r2, %r3, %r4
      : tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %a2      <[{"x"}, {"y"}]>
// | %a3      <[{}, {"y"}]>
// | %a4      <[{}, {}]>
// | %x1      -
// | %y1      -
// | %x2      -
// | %y2      -
// | %x3      -
// | %y3      -
// | %x4      -
// | %y4      -
// | line 15  stablehlo.sort  <([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 17  stablehlo.compare  <([], [])->([])>
// |     -
// | line 21  stablehlo.sort  <([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 23  stablehlo.compare  <([], [])->([])>
// |     -
// | line 27  stablehlo.sort  <([i, j])->([i, j]) {i=1, j=8} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {}]>
// | line 29  stablehlo.compare  <([], [])->([])>
// |     -
// | line 33  stablehlo.sort  <([i, j])->([i, j]) {i=1, j=8} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {"y"}]>
// | line 35  stablehlo.compare  <([], [])->([])>
// |     -
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
// | result 2  <[{}, {}]>
// | result 3  <[{}, {"y"}]>
