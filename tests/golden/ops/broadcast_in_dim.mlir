// New and stretched dimensions are of the result alone.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<2x1xf32>,
    %a3: tensor<f32>,
    %a4: tensor<f32>) -> (
    tensor<2x3x64xf32>,
    tensor<2x3x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<3x1xf32>,
    tensor<3x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // broadcast_in_dim that stretches a dimension, forward
  %r1 = stablehlo.broadcast_in_dim %a1, dims = [0, 2] : (tensor<2x1xf32>) -> tensor<2x3x64xf32>
  // broadcast_in_dim that stretches a dimension, backward
  %r2 = stablehlo.broadcast_in_dim %a2, dims = [0, 2] : (tensor<2x1xf32>) -> tensor<2x3x64xf32>
  // broadcast_in_dim of a scalar, forward
  %r3 = stablehlo.broadcast_in_dim %a3, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
  // broadcast_in_dim of a scalar, backward
  %r4 = stablehlo.broadcast_in_dim %a4, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
  return %r1, %r2, %r3, %r4
      : tensor<2x3x64xf32>, tensor<2x3x64xf32>, tensor<3x1xf32>, tensor<3x1xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {}]>
// | %a2      <[{"x"}, {}]>
// | %a3      -
// | %a4      -
// | line 15  stablehlo.broadcast_in_dim  <([i, k])->([i, j, l]) {i=2, j=3, k=1, l=64}>
// |     <[{"x"}, {}, {}]>
// | line 17  stablehlo.broadcast_in_dim  <([i, k])->([i, j, l]) {i=2, j=3, k=1, l=64}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 19  stablehlo.broadcast_in_dim  <([])->([i, j]) {i=3, j=1}>
// |     -
// | line 21  stablehlo.broadcast_in_dim  <([])->([i, j]) {i=3, j=1}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}, {}]>
// | result 1  <[{"x"}, {}, {"z"}]>
// | result 2  -
// | result 3  <[{}, {}]>
