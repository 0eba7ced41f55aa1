// Constant indices let the update be sharded.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %u1: tensor<32x1xf32>,
    %i1: tensor<i32>,
    %a2: tensor<32x4xf32>,
    %u2: tensor<32x1xf32>,
    %i2: tensor<i32>,
    %a3: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %u3: tensor<32x1xf32>,
    %a4: tensor<32x4xf32>,
    %u4: tensor<32x1xf32>) -> (
    tensor<32x4xf32>,
    tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<32x4xf32>,
    tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // dynamic_update_slice, forward
  %r1 = stablehlo.dynamic_update_slice %a1, %u1, %i1, %i1 : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>
  // dynamic_update_slice, backward
  %r2 = stablehlo.dynamic_update_slice %a2, %u2, %i2, %i2 : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>
  // dynamic_update_slice at constant indices, forward
  %i3 = stablehlo.constant dense<0> : tensor<i32>
  %r3 = stablehlo.dynamic_update_slice %a3, %u3, %i3, %i3 : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>
  // dynamic_update_slice at constant indices, backward
  %i4 = stablehlo.constant dense<0> : tensor<i32>
  %r4 = stablehlo.dynamic_update_slice %a4, %u4, %i4, %i4 : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>
  return %r1, %r2, %r3, %r4
      : tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %u1      <[{"x"}, {}]>
// | %i1      -
// | %a2      <[{"x"}, {"y"}]>
// | %u2      <[{"x"}, {}]>
// | %i2      -
// | %a3      <[{"x"}, {"y"}]>
// | %u3      <[{"x"}, {}]>
// | %a4      <[{"x"}, {"y"}]>
// | %u4      <[{"x"}, {}]>
// | line 21  stablehlo.dynamic_update_slice  <([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1} need_replication={k}>
// |     <[{"x"}, {"y"}]>
// | line 23  stablehlo.dynamic_update_slice  <([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1} need_replication={k}>
// |     <[{"x"}, {"y"}]>
// | line 25  stablehlo.constant  -
// |     -
// | line 26  stablehlo.dynamic_update_slice  <([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1}>
// |     <[{"x"}, {"y"}]>
// | line 28  stablehlo.constant  -
// |     -
// | line 29  stablehlo.dynamic_update_slice  <([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
// | result 2  <[{"x"}, {"y"}]>
// | result 3  <[{"x"}, {"y"}]>
