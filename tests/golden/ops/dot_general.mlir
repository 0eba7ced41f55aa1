// Batching, free and contracting dimensions.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2x4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    %b1: tensor<32x4x16x2xf32>,
    %a2: tensor<2x4x8x32xf32>,
    %b2: tensor<32x4x16x2xf32>,
    %a3: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %b3: tensor<6xf32>,
    %a4: tensor<4xf32>,
    %b4: tensor<6xf32>) -> (
    tensor<2x4x8x16xf32>,
    tensor<2x4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    tensor<4x6xf32>,
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // dot_general, forward
  %r1 = stablehlo.dot_general %a1, %b1, batching_dims = [0, 1] x [3, 1], contracting_dims = [3] x [0] : (tensor<2x4x8x32xf32>, tensor<32x4x16x2xf32>) -> tensor<2x4x8x16xf32>
  // dot_general, backward
  %r2 = stablehlo.dot_general %a2, %b2, batching_dims = [0, 1] x [3, 1], contracting_dims = [3] x [0] : (tensor<2x4x8x32xf32>, tensor<32x4x16x2xf32>) -> tensor<2x4x8x16xf32>
  // dot_general as an outer product, forward
  %r3 = stablehlo.dot_general %a3, %b3, contracting_dims = [] x [] : (tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  // dot_general as an outer product, backward
  %r4 = stablehlo.dot_general %a4, %b4, contracting_dims = [] x [] : (tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return %r1, %r2, %r3, %r4
      : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}, {"z"}, {}]>
// | %b1      <[{}, {"y"}, {}, {"x"}]>
// | %a2      <[{"x"}, {"y"}, {"z"}, {}]>
// | %b2      <[{}, {"y"}, {}, {"x"}]>
// | %a3      <[{"x"}]>
// | %b3      -
// | %a4      <[{"x"}]>
// | %b4      <[{"y"}]>
// | line 19  stablehlo.dot_general  <([i, j, k, m], [m, j, l, i])->([i, j, k, l]) {i=2, j=4, k=8, l=16, m=32} reduction={m}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 21  stablehlo.dot_general  <([i, j, k, m], [m, j, l, i])->([i, j, k, l]) {i=2, j=4, k=8, l=16, m=32} reduction={m}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 23  stablehlo.dot_general  <([i], [j])->([i, j]) {i=4, j=6}>
// |     <[{"x"}, {}]>
// | line 25  stablehlo.dot_general  <([i], [j])->([i, j]) {i=4, j=6}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}, {"z"}, {}]>
// | result 1  <[{"x"}, {"y"}, {"z"}, {}]>
// | result 2  <[{"x"}, {}]>
// | result 3  <[{"x"}, {"y"}]>
