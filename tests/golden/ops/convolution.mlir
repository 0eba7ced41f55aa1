// Batch and features pass through or are reduced; spatial dimensions split into positions and offsets; groups.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x32x30x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    %b1: tensor<3x5x16x64xf32>,
    %a2: tensor<8x32x30x16xf32>,
    %b2: tensor<3x5x16x64xf32>,
    %a3: tensor<8x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b3: tensor<20x16x64xf32>,
    %a4: tensor<8x32x16xf32>,
    %b4: tensor<20x16x64xf32>,
    %a5: tensor<8x32x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b5: tensor<3x4x6xf32>,
    %a6: tensor<8x32x12xf32>,
    %b6: tensor<3x4x6xf32>,
    %a7: tensor<8x32x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b7: tensor<3x1x12xf32>,
    %a8: tensor<8x32x12xf32>,
    %b8: tensor<3x1x12xf32>,
    %a9: tensor<8x32x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b9: tensor<3x12x16xf32>,
    %a10: tensor<8x32x12xf32>,
    %b10: tensor<3x12x16xf32>,
    %a11: tensor<4x32x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b11: tensor<3x12x16xf32>,
    %a12: tensor<4x32x12xf32>,
    %b12: tensor<3x12x16xf32>) -> (
    tensor<8x16x30x64xf32>,
    tensor<8x16x30x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    tensor<8x13x64xf32>,
    tensor<8x13x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<8x32x6xf32>,
    tensor<8x32x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<8x32x12xf32>,
    tensor<8x32x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<2x32x16xf32>,
    tensor<2x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<1x32x16xf32>,
    tensor<1x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // convolution, forward
  %r1 = stablehlo.convolution(%a1, %b1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x30x16xf32>, tensor<3x5x16x64xf32>) -> tensor<8x16x30x64xf32>
  // convolution, backward
  %r2 = stablehlo.convolution(%a2, %b2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x30x16xf32>, tensor<3x5x16x64xf32>) -> tensor<8x16x30x64xf32>
  // convolution with a kernel larger than its output, forward
  %r3 = stablehlo.convolution(%a3, %b3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x16xf32>, tensor<20x16x64xf32>) -> tensor<8x13x64xf32>
  // convolution with a kernel larger than its output, backward
  %r4 = stablehlo.convolution(%a4, %b4) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x16xf32>, tensor<20x16x64xf32>) -> tensor<8x13x64xf32>
  // convolution by groups of features, forward
  %r5 = stablehlo.convolution(%a5, %b5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<8x32x12xf32>, tensor<3x4x6xf32>) -> tensor<8x32x6xf32>
  // convolution by groups of features, backward
  %r6 = stablehlo.convolution(%a6, %b6) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<8x32x12xf32>, tensor<3x4x6xf32>) -> tensor<8x32x6xf32>
  // depthwise convolution, forward
  %r7 = stablehlo.convolution(%a7, %b7) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<8x32x12xf32>, tensor<3x1x12xf32>) -> tensor<8x32x12xf32>
  // depthwise convolution, backward
  %r8 = stablehlo.convolution(%a8, %b8) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<8x32x12xf32>, tensor<3x1x12xf32>) -> tensor<8x32x12xf32>
  // convolution by groups of batches, forward
  %r9 = stablehlo.convolution(%a9, %b9) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x32x12xf32>, tensor<3x12x16xf32>) -> tensor<2x32x16xf32>
  // convolution by groups of batches, backward
  %r10 = stablehlo.convolution(%a10, %b10) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x32x12xf32>, tensor<3x12x16xf32>) -> tensor<2x32x16xf32>
  // convolution by as many groups as batches, forward
  %r11 = stablehlo.convolution(%a11, %b11) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x32x12xf32>, tensor<3x12x16xf32>) -> tensor<1x32x16xf32>
  // convolution by as many groups as batches, backward
  %r12 = stablehlo.convolution(%a12, %b12) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x32x12xf32>, tensor<3x12x16xf32>) -> tensor<1x32x16xf32>
  return %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12
      : tensor<8x16x30x64xf32>, tensor<8x16x30x64xf32>, tensor<8x13x64xf32>, tensor<8x13x64xf32>, tensor<8x32x6xf32>, tensor<8x32x6xf32>, tensor<8x32x12xf32>, tensor<8x32x12xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<1x32x16xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}, {"z"}, {}]>
// | %b1      -
// | %a2      <[{"x"}, {"y"}, {"z"}, {}]>
// | %b2      -
// | %a3      <[{"x"}, {"y"}, {"z"}]>
// | %b3      <[{"y"}, {"z"}, {}]>
// | %a4      <[{"x"}, {}, {}]>
// | %b4      <[{}, {}, {"z"}]>
// | %a5      <[{"x"}, {"y"}, {"z"}]>
// | %b5      -
// | %a6      <[{"x"}, {"y"}, {}]>
// | %b6      -
// | %a7      <[{"x"}, {"y"}, {"z"}]>
// | %b7      <[{}, {}, {"z"}]>
// | %a8      <[{"x"}, {"y"}, {"z"}]>
// | %b8      <[{}, {}, {"z"}]>
// | %a9      <[{"x"}, {"y"}, {"z"}]>
// | %b9      <[{}, {"z"}, {"x"}]>
// | %a10     <[{"z"}, {"y"}, {}]>
// | %b10     <[{}, {}, {"z"}]>
// | %a11     <[{"x"}, {"y"}, {"z"}]>
// | %b11     <[{}, {"z"}, {"x"}]>
// | %a12     <[{"z"}, {"y"}, {}]>
// | %b12     <[{}, {}, {"z"}]>
// | line 43  stablehlo.convolution  <([i, jk, l, m], [k, o, m, n])->([i, j, l, n]) {i=8, j=16, k=2, l=30, m=16, n=64, o=1} reduction={k, m} permutation={j, l}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 45  stablehlo.convolution  <([i, jk, l, m], [k, o, m, n])->([i, j, l, n]) {i=8, j=16, k=2, l=30, m=16, n=64, o=1} reduction={k, m} permutation={j, l}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 47  stablehlo.convolution  <([i, j, k], [j, k, l])->([i, m, l]) {i=8, j=20, k=16, l=64, m=1} reduction={j, k}>
// |     <[{"x"}, {}, {}]>
// | line 49  stablehlo.convolution  <([i, j, k], [j, k, l])->([i, m, l]) {i=8, j=20, k=16, l=64, m=1} reduction={j, k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 51  stablehlo.convolution  <([i, j, kl], [n, l, km])->([i, j, km]) {i=8, j=32, k=3, l=4, m=2, n=1} reduction={l} permutation={j}>
// |     <[{"x"}, {"y"}, {}]>
// | line 53  stablehlo.convolution  <([i, j, kl], [n, l, km])->([i, j, km]) {i=8, j=32, k=3, l=4, m=2, n=1} reduction={l} permutation={j}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 55  stablehlo.convolution  <([i, j, k], [m, l, k])->([i, j, k]) {i=8, j=32, k=12, l=1, m=1} reduction={l} permutation={j}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 57  stablehlo.convolution  <([i, j, k], [m, l, k])->([i, j, k]) {i=8, j=32, k=12, l=1, m=1} reduction={l} permutation={j}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 59  stablehlo.convolution  <([ij, k, l], [n, l, im])->([j, k, im]) {i=4, j=2, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>
// |     <[{}, {"y"}, {"x"}]>
// | line 61  stablehlo.convolution  <([ij, k, l], [n, l, im])->([j, k, im]) {i=4, j=2, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 63  stablehlo.convolution  <([i, k, l], [n, l, im])->([j, k, im]) {i=4, j=1, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>
// |     <[{}, {"y"}, {"x"}]>
// | line 65  stablehlo.convolution  <([i, k, l], [n, l, im])->([j, k, im]) {i=4, j=1, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{"x"}, {"y"}, {"z"}, {}]>
// | result 1  <[{"x"}, {"y"}, {"z"}, {}]>
// | result 2  <[{"x"}, {}, {}]>
// | result 3  <[{"x"}, {}, {"z"}]>
// | result 4  <[{"x"}, {"y"}, {}]>
// | result 5  <[{"x"}, {"y"}, {"z"}]>
// | result 6  <[{"x"}, {"y"}, {"z"}]>
// | result 7  <[{"x"}, {"y"}, {"z"}]>
// | result 8  <[{}, {"y"}, {"x"}]>
// | result 9  <[{"x"}, {"y"}, {"z"}]>
// | result 10  <[{}, {"y"}, {"x"}]>
// | result 11  <[{}, {"y"}, {"z"}]>
