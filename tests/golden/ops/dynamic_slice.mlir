// A sliced dimension does not propagate.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %i1: tensor<i32>,
    %a2: tensor<32x4xf32>,
    %i2: tensor<i32>) -> (
    tensor<32x1xf32>,
    tensor<32x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // dynamic_slice, forward
  %r1 = stablehlo.dynamic_slice %a1, %i1, %i1, sizes = [32, 1] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<32x1xf32>
  // dynamic_slice, backward
  %r2 = stablehlo.dynamic_slice %a2, %i2, %i2, sizes = [32, 1] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<32x1xf32>
  return %r1, %r2
      : tensor<32x1xf32>, tensor<32x1xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %i1      -
// | %a2      <[{"x"}, {}]>
// | %i2      -
// | line 13  stablehlo.dynamic_slice  <([i, j], [], [])->([i, j]) {i=32, j=4} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {}]>
// | line 15  stablehlo.dynamic_slice  <([i, j], [], [])->([i, j]) {i=32, j=4} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {}]>
