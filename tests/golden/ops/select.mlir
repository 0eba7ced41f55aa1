// A scalar predicate has no dimension to shard.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %p1: tensor<i1>,
    %a1: tensor<8x4xf32>,
    %p2: tensor<i1>,
    %a2: tensor<8x4xf32>) -> (
    tensor<8x4xf32>,
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // select by a scalar, forward
  %r1 = stablehlo.select %p1, %a1, %a1 : tensor<i1>, tensor<8x4xf32>
  // select by a scalar, backward
  %r2 = stablehlo.select %p2, %a2, %a2 : tensor<i1>, tensor<8x4xf32>
  return %r1, %r2
      : tensor<8x4xf32>, tensor<8x4xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %p1      -
// | %a1      -
// | %p2      -
// | %a2      <[{"x"}, {"y"}]>
// | line 13  stablehlo.select  <([], [i, j], [i, j])->([i, j]) {i=8, j=4}>
// |     -
// | line 15  stablehlo.select  <([], [i, j], [i, j])->([i, j]) {i=8, j=4}>
// |     <[{"x"}, {"y"}]>
// | result 0  -
// | result 1  <[{"x"}, {"y"}]>
