// The exchanged dimensions need replication.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<4x8x3xf32>) -> (
    tensor<8x4x3xf32>,
    tensor<8x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // all_to_all, forward
  %r1 = "stablehlo.all_to_all"(%a1) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8x3xf32>) -> tensor<8x4x3xf32>
  // all_to_all, backward
  %r2 = "stablehlo.all_to_all"(%a2) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8x3xf32>) -> tensor<8x4x3xf32>
  return %r1, %r2
      : tensor<8x4x3xf32>, tensor<8x4x3xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}, {}]>
// | %a2      <[{}, {}, {}]>
// | line 11  stablehlo.all_to_all  <([l, j, i])->([m, k, i]) {i=3, j=8, k=4, l=4, m=8} need_replication={j, k, l, m}>
// |     <[{}, {}, {"z"}]>
// | line 13  stablehlo.all_to_all  <([l, j, i])->([m, k, i]) {i=3, j=8, k=4, l=4, m=8} need_replication={j, k, l, m}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{}, {}, {}]>
// | result 1  <[{"x"}, {"y"}, {}]>
