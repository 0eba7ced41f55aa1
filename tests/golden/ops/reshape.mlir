// Dimensions split and merge by common factors.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %a2: tensor<8xf32>,
    %a3: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a4: tensor<2x4xf32>,
    %a5: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a6: tensor<4x12xf32>,
    %a7: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a8: tensor<4x6xf32>,
    %a9: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a10: tensor<2x3xf32>,
    %a11: tensor<12x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a12: tensor<12x5xf32>,
    %a13: tensor<1x8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a14: tensor<1x8x1xf32>,
    %a15: tensor<30x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a16: tensor<30x30xf32>) -> (
    tensor<2x4xf32>,
    tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<8xf32>,
    tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    tensor<4x2x3x2xf32>,
    tensor<4x2x3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    tensor<6x4xf32>,
    tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<3x2xf32>,
    tensor<3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<2x15x2xf32>,
    tensor<2x15x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<2x1x4xf32>,
    tensor<2x1x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<36x25xf32>,
    tensor<36x25xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // reshape of (8) to (2, 4), forward
  %r1 = stablehlo.reshape %a1 : (tensor<8xf32>) -> tensor<2x4xf32>
  // reshape of (8) to (2, 4), backward
  %r2 = stablehlo.reshape %a2 : (tensor<8xf32>) -> tensor<2x4xf32>
  // reshape of (2, 4) to (8), forward
  %r3 = stablehlo.reshape %a3 : (tensor<2x4xf32>) -> tensor<8xf32>
  // reshape of (2, 4) to (8), backward
  %r4 = stablehlo.reshape %a4 : (tensor<2x4xf32>) -> tensor<8xf32>
  // reshape of (4, 12) to (4, 2, 3, 2), forward
  %r5 = stablehlo.reshape %a5 : (tensor<4x12xf32>) -> tensor<4x2x3x2xf32>
  // reshape of (4, 12) to (4, 2, 3, 2), backward
  %r6 = stablehlo.reshape %a6 : (tensor<4x12xf32>) -> tensor<4x2x3x2xf32>
  // reshape of (4, 6) to (6, 4), forward
  %r7 = stablehlo.reshape %a7 : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // reshape of (4, 6) to (6, 4), backward
  %r8 = stablehlo.reshape %a8 : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // reshape of (2, 3) to (3, 2), forward
  %r9 = stablehlo.reshape %a9 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // reshape of (2, 3) to (3, 2), backward
  %r10 = stablehlo.reshape %a10 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // reshape of (12, 5) to (2, 15, 2), forward
  %r11 = stablehlo.reshape %a11 : (tensor<12x5xf32>) -> tensor<2x15x2xf32>
  // reshape of (12, 5) to (2, 15, 2), backward
  %r12 = stablehlo.reshape %a12 : (tensor<12x5xf32>) -> tensor<2x15x2xf32>
  // reshape of (1, 8, 1) to (2, 1, 4), forward
  %r13 = stablehlo.reshape %a13 : (tensor<1x8x1xf32>) -> tensor<2x1x4xf32>
  // reshape of (1, 8, 1) to (2, 1, 4), backward
  %r14 = stablehlo.reshape %a14 : (tensor<1x8x1xf32>) -> tensor<2x1x4xf32>
  // reshape of (30, 30) to (36, 25), forward
  %r15 = stablehlo.reshape %a15 : (tensor<30x30xf32>) -> tensor<36x25xf32>
  // reshape of (30, 30) to (36, 25), backward
  %r16 = stablehlo.reshape %a16 : (tensor<30x30xf32>) -> tensor<36x25xf32>
  return %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16
      : tensor<2x4xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x2x3x2xf32>, tensor<4x2x3x2xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x15x2xf32>, tensor<2x15x2xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<36x25xf32>, tensor<36x25xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}]>
// | %a2      <[{"x", "y"}]>
// | %a3      <[{"x"}, {"y"}]>
// | %a4      <[{"x"}, {}]>
// | %a5      <[{"x"}, {"y"}]>
// | %a6      <[{"x"}, {"y"}]>
// | %a7      <[{"x"}, {"y"}]>
// | %a8      <[{"x"}, {}]>
// | %a9      <[{"x"}, {}]>
// | %a10     -
// | %a11     <[{"x"}, {}]>
// | %a12     <[{"x"}, {}]>
// | %a13     <[{}, {"y"}, {}]>
// | %a14     <[{}, {"x", "z"}, {}]>
// | %a15     <[{"x"}, {"y"}]>
// | %a16     <[{"x"}, {}]>
// | line 39  stablehlo.reshape  <([ij])->([i, j]) {i=2, j=4}>
// |     <[{"x"}, {}]>
// | line 41  stablehlo.reshape  <([ij])->([i, j]) {i=2, j=4}>
// |     <[{"x"}, {"y"}]>
// | line 43  stablehlo.reshape  <([i, j])->([ij]) {i=2, j=4}>
// |     <[{"x", "y"}]>
// | line 45  stablehlo.reshape  <([i, j])->([ij]) {i=2, j=4}>
// |     <[{"x"}]>
// | line 47  stablehlo.reshape  <([i, jkl])->([i, j, k, l]) {i=4, j=2, k=3, l=2}>
// |     <[{"x"}, {"y"}, {}, {}]>
// | line 49  stablehlo.reshape  <([i, jkl])->([i, j, k, l]) {i=4, j=2, k=3, l=2}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 51  stablehlo.reshape  <([ij, ln])->([ik, mn]) {i=2, j=2, k=3, l=3, m=2, n=2}>
// |     <[{"x"}, {}]>
// | line 53  stablehlo.reshape  <([ij, ln])->([ik, mn]) {i=2, j=2, k=3, l=3, m=2, n=2}>
// |     <[{"x"}, {"y"}]>
// | line 55  stablehlo.reshape  <([i, k])->([j, l]) {i=2, j=3, k=3, l=2}>
// |     -
// | line 57  stablehlo.reshape  <([i, k])->([j, l]) {i=2, j=3, k=3, l=2}>
// |     <[{"x"}, {"y"}]>
// | line 59  stablehlo.reshape  <([ijk, m])->([i, jl, n]) {i=2, j=3, k=2, l=5, m=5, n=2}>
// |     <[{"x"}, {}, {}]>
// | line 61  stablehlo.reshape  <([ijk, m])->([i, jl, n]) {i=2, j=3, k=2, l=5, m=5, n=2}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 63  stablehlo.reshape  <([i, jl, m])->([j, k, l]) {i=1, j=2, k=1, l=4, m=1}>
// |     <[{"y"}, {}, {}]>
// | line 65  stablehlo.reshape  <([i, jl, m])->([j, k, l]) {i=1, j=2, k=1, l=4, m=1}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 67  stablehlo.reshape  <([ij, ln])->([ik, mn]) {i=6, j=5, k=6, l=6, m=5, n=5}>
// |     <[{"x"}, {}]>
// | line 69  stablehlo.reshape  <([ij, ln])->([ik, mn]) {i=6, j=5, k=6, l=6, m=5, n=5}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {"y"}]>
// | result 2  <[{"x", "y"}]>
// | result 3  <[{"x"}]>
// | result 4  <[{"x"}, {"y"}, {}, {}]>
// | result 5  <[{"x"}, {"y"}, {}, {}]>
// | result 6  <[{"x"}, {}]>
// | result 7  <[{"x"}, {"y"}]>
// | result 8  -
// | result 9  <[{}, {"y"}]>
// | result 10  <[{"x"}, {}, {}]>
// | result 11  <[{"x"}, {}, {"z"}]>
// | result 12  <[{"y"}, {}, {}]>
// | result 13  <[{"x"}, {}, {"z"}]>
// | result 14  <[{"x"}, {}]>
// | result 15  <[{"x"}, {}]>
