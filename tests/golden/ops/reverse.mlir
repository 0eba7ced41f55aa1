// Reversed dimensions stay sharded: shards are exchanged.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a2: tensor<4x6xf32>) -> (
    tensor<4x6xf32>,
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // reverse, forward
  %r1 = stablehlo.reverse %a1, dims = [1] : tensor<4x6xf32>
  // reverse, backward
  %r2 = stablehlo.reverse %a2, dims = [1] : tensor<4x6xf32>
  return %r1, %r2
      : tensor<4x6xf32>, tensor<4x6xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %a2      <[{"x"}, {"y"}]>
// | line 11  stablehlo.reverse  <([i, j])->([i, j]) {i=4, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | line 13  stablehlo.reverse  <([i, j])->([i, j]) {i=4, j=6} permutation={j}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{"x"}, {"y"}]>
// | result 1  <[{"x"}, {"y"}]>
