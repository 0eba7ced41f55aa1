// A sliced dimension stays sharded: neighbours exchange data.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<8x6xf32>) -> (
    tensor<8x3xf32>,
    tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // slice, forward
  %r1 = stablehlo.slice %a1 [0:8, 1:6:2] : (tensor<8x6xf32>) -> tensor<8x3xf32>
  // slice, backward
  %r2 = stablehlo.slice %a2 [0:8, 1:6:2] : (tensor<8x6xf32>) -> tensor<8x3xf32>
  return %r1, %r2
      : tensor<8x3xf32>, tensor<8x3xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %a2      <[{"x"}, {"y"}]>
// | line 11  stablehlo.slice  <([i, j])->([i, j]) {i=8, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 13  stablehlo.slice  <([i, j])->([i, j]) {i=8, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{"x"}, {}]>
