// The innermost dimension of the narrower side needs replication.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<6x5xf32>,
    %a3: tensor<6x4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a4: tensor<6x4xui8>) -> (
    tensor<6x5x4xui8>,
    tensor<6x5x4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<6xf32>,
    tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // bitcast_convert to narrower elements, forward
  %r1 = stablehlo.bitcast_convert %a1 : (tensor<6x5xf32>) -> tensor<6x5x4xui8>
  // bitcast_convert to narrower elements, backward
  %r2 = stablehlo.bitcast_convert %a2 : (tensor<6x5xf32>) -> tensor<6x5x4xui8>
  // bitcast_convert to wider elements, forward
  %r3 = stablehlo.bitcast_convert %a3 : (tensor<6x4xui8>) -> tensor<6xf32>
  // bitcast_convert to wider elements, backward
  %r4 = stablehlo.bitcast_convert %a4 : (tensor<6x4xui8>) -> tensor<6xf32>
  return %r1, %r2, %r3, %r4
      : tensor<6x5x4xui8>, tensor<6x5x4xui8>, tensor<6xf32>, tensor<6xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {}]>
// | %a2      <[{"x"}, {}]>
// | %a3      <[{"x"}, {"y"}]>
// | %a4      <[{"x"}, {}]>
// | line 15  stablehlo.bitcast_convert  <([i, j])->([i, j, k]) {i=6, j=5, k=4} need_replication={k}>
// |     <[{"x"}, {"y"}, {}]>
// | line 17  stablehlo.bitcast_convert  <([i, j])->([i, j, k]) {i=6, j=5, k=4} need_replication={k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 19  stablehlo.bitcast_convert  <([i, j])->([i]) {i=6, j=4} need_replication={j}>
// |     <[{"x"}]>
// | line 21  stablehlo.bitcast_convert  <([i, j])->([i]) {i=6, j=4} need_replication={j}>
// |     <[{"x"}]>
// | result 0  <[{"x"}, {}, {}]>
// | result 1  <[{"x"}, {}, {"z"}]>
// | result 2  <[{"x"}]>
// | result 3  <[{"x"}]>
