// Matrix times vector.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b1: tensor<32xf32>,
    %a2: tensor<8x32xf32>,
    %b2: tensor<32xf32>) -> (
    tensor<8xf32>,
    tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // dot of a matrix and a vector, forward
  %r1 = stablehlo.dot %a1, %b1 : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>
  // dot of a matrix and a vector, backward
  %r2 = stablehlo.dot %a2, %b2 : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>
  return %r1, %r2
      : tensor<8xf32>, tensor<8xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}, {"y"}]>
// | %b1      <[{"y"}]>
// | %a2      <[{"x"}, {}]>
// | %b2      -
// | line 13  stablehlo.dot  <([i, j], [j])->([i]) {i=8, j=32} reduction={j}>
// |     <[{"x"}]>
// | line 15  stablehlo.dot  <([i, j], [j])->([i]) {i=8, j=32} reduction={j}>
// |     <[{"x"}]>
// | result 0  <[{"x"}]>
// | result 1  <[{"x"}]>
