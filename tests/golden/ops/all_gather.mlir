// The gathered dimension needs replication.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<4x8xf32>) -> (
    tensor<4x16xf32>,
    tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // all_gather, forward
  %r1 = "stablehlo.all_gather"(%a1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  // all_gather, backward
  %r2 = "stablehlo.all_gather"(%a2) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return %r1, %r2
      : tensor<4x16xf32>, tensor<4x16xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %a2      <[{"x"}, {}]>
// | line 11  stablehlo.all_gather  <([i, j])->([i, k]) {i=4, j=8, k=16} need_replication={j, k}>
// |     <[{"x"}, {}]>
// | line 13  stablehlo.all_gather  <([i, j])->([i, k]) {i=4, j=8, k=16} need_replication={j, k}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {"y"}]>
