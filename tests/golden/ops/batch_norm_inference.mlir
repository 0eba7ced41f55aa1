// The feature dimension is shared with scale, offset, mean and variance.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %s1: tensor<8xf32>,
    %a2: tensor<4x8x16xf32>,
    %s2: tensor<8xf32>) -> (
    tensor<4x8x16xf32>,
    tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // batch_norm_inference, forward
  %r1 = "stablehlo.batch_norm_inference"(%a1, %s1, %s1, %s1, %s1) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<4x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x16xf32>
  // batch_norm_inference, backward
  %r2 = "stablehlo.batch_norm_inference"(%a2, %s2, %s2, %s2, %s2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<4x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x16xf32>
  return %r1, %r2
      : tensor<4x8x16xf32>, tensor<4x8x16xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}, {"z"}]>
// | %s1      <[{"y"}]>
// | %a2      <[{"x"}, {"y"}, {"z"}]>
// | %s2      <[{"y"}]>
// | line 13  stablehlo.batch_norm_inference  <([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=4, j=8, k=16}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 15  stablehlo.batch_norm_inference  <([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=4, j=8, k=16}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{"x"}, {"y"}, {"z"}]>
// | result 1  <[{"x"}, {"y"}, {"z"}]>
