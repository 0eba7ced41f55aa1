// chlo.top_k, which becomes mhlo.topk: the last dimension needs replication and does not propagate, unless k is all of it.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
    %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (
    tensor<8x4xf32>, tensor<8x4xi32>, tensor<8x16xf32>, tensor<8x16xi32>) {
  %0:2 = chlo.top_k(%a, k = 4) : tensor<8x16xf32> -> (tensor<8x4xf32>, tensor<8x4xi32>)
  %1:2 = chlo.top_k(%b, k = 16) : tensor<8x16xf32> -> (tensor<8x16xf32>, tensor<8x16xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<8x4xf32>, tensor<8x4xi32>, tensor<8x16xf32>, tensor<8x16xi32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a       <[{"x"}, {"y"}]>
// | %b       <[{"x"}, {"y"}]>
// | line 8  chlo.top_k  <([i, j])->([i, j], [i, j]) {i=8, j=16} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {}]>
// |     <[{"x"}, {}]>
// | line 9  chlo.top_k  <([i, j])->([i, j], [i, j]) {i=8, j=16}>
// |     <[{"x"}, {"y"}]>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {}]>
// | result 2  <[{"x"}, {"y"}]>
// | result 3  <[{"x"}, {"y"}]>
