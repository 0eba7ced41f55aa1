// The joined dimension needs replication, unless slices feed it.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b1: tensor<4x5xf32>,
    %a2: tensor<4x3xf32>,
    %b2: tensor<4x5xf32>,
    %a3: tensor<4x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b3: tensor<4x5xf32>,
    %a4: tensor<4x9xf32>,
    %b4: tensor<4x5xf32>,
    %a5: tensor<4x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a6: tensor<4x9xf32>,
    %a7: tensor<4x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b7: tensor<4x5xf32>,
    %a8: tensor<4x9xf32>,
    %b8: tensor<4x5xf32>,
    %a9: tensor<4x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a10: tensor<4x9xf32>) -> (
    tensor<4x8xf32>,
    tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<4x7xf32>,
    tensor<4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<4x12xf32>,
    tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<4x8xf32>,
    tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<8x9xf32>,
    tensor<8x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // concatenate, forward
  %r1 = stablehlo.concatenate %a1, %b1, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  // concatenate, backward
  %r2 = stablehlo.concatenate %a2, %b2, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  // concatenate of slices, forward
  %x3 = stablehlo.slice %a3 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %y3 = stablehlo.slice %b3 [0:4, 1:5] : (tensor<4x5xf32>) -> tensor<4x4xf32>
  %r3 = stablehlo.concatenate %x3, %y3, dim = 1 : (tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<4x7xf32>
  // concatenate of slices, backward
  %x4 = stablehlo.slice %a4 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %y4 = stablehlo.slice %b4 [0:4, 1:5] : (tensor<4x5xf32>) -> tensor<4x4xf32>
  %r4 = stablehlo.concatenate %x4, %y4, dim = 1 : (tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<4x7xf32>
  // concatenate of a value and its slice, forward
  %x5 = stablehlo.slice %a5 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %r5 = stablehlo.concatenate %x5, %a5, dim = 1 : (tensor<4x3xf32>, tensor<4x9xf32>) -> tensor<4x12xf32>
  // concatenate of a value and its slice, backward
  %x6 = stablehlo.slice %a6 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %r6 = stablehlo.concatenate %x6, %a6, dim = 1 : (tensor<4x3xf32>, tensor<4x9xf32>) -> tensor<4x12xf32>
  // concatenate of a slice and another value, forward
  %x7 = stablehlo.slice %a7 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %r7 = stablehlo.concatenate %x7, %b7, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  // concatenate of a slice and another value, backward
  %x8 = stablehlo.slice %a8 [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
  %r8 = stablehlo.concatenate %x8, %b8, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  // concatenate of one value with itself, forward
  %r9 = stablehlo.concatenate %a9, %a9, dim = 0 : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<8x9xf32>
  // concatenate of one value with itself, backward
  %r10 = stablehlo.concatenate %a10, %a10, dim = 0 : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<8x9xf32>
  return %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10
      : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x9xf32>, tensor<8x9xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {}]>
// | %b1      <[{"x"}, {}]>
// | %a2      <[{"x"}, {}]>
// | %b2      <[{"x"}, {}]>
// | %a3      <[{"x"}, {}]>
// | %b3      <[{"x"}, {}]>
// | %a4      <[{"x"}, {}]>
// | %b4      <[{"x"}, {}]>
// | %a5      <[{"x"}, {}]>
// | %a6      <[{"x"}, {}]>
// | %a7      <[{"x"}, {}]>
// | %b7      <[{"x"}, {}]>
// | %a8      <[{"x"}, {}]>
// | %b8      <[{"x"}, {}]>
// | %a9      <[{"x"}, {}]>
// | %a10     <[{"x"}, {}]>
// | line 33  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 35  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 37  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 38  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=5} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 39  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=7} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 41  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 42  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=5} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 43  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=7} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 45  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 46  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=12} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 48  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 49  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=12} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 51  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 52  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 54  stablehlo.slice  <([i, j])->([i, j]) {i=4, j=9} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 55  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// |     <[{"x"}, {"y"}]>
// | line 57  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=8, j=9} need_replication={i}>
// |     <[{"x"}, {"y"}]>
// | line 59  stablehlo.concatenate  <([i, j], [i, j])->([i, j]) {i=8, j=9} need_replication={i}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
// | result 2  <[{"x"}, {}]>
// | result 3  <[{"x"}, {}]>
// | result 4  <[{"x"}, {"y"}]>
// | result 5  <[{"x"}, {"y"}]>
// | result 6  <[{"x"}, {"y"}]>
// | result 7  <[{"x"}, {"y"}]>
// | result 8  <[{"x"}, {}]>
// | result 9  <[{"x"}, {}]>
