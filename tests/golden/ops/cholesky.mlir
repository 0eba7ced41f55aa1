// Matrices need replication, batches pass through.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<3x8x8xf32>) -> (
    tensor<3x8x8xf32>,
    tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // cholesky, forward
  %r1 = stablehlo.cholesky %a1, lower = true : tensor<3x8x8xf32>
  // cholesky, backward
  %r2 = stablehlo.cholesky %a2, lower = true : tensor<3x8x8xf32>
  return %r1, %r2
      : tensor<3x8x8xf32>, tensor<3x8x8xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {"y"}, {"z"}]>
// | %a2      <[{}, {"y"}, {"z"}]>
// | line 11  stablehlo.cholesky  <([i, j, k])->([i, j, k]) {i=3, j=8, k=8} need_replication={j, k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 13  stablehlo.cholesky  <([i, j, k])->([i, j, k]) {i=3, j=8, k=8} need_replication={j, k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{}, {"y"}, {"z"}]>
// | result 1  <[{}, {"y"}, {"z"}]>
