// From both sides, plain and transposed.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %b1: tensor<3x8x5xf32>,
    %a2: tensor<3x8x8xf32>,
    %b2: tensor<3x8x5xf32>,
    %a3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b3: tensor<5x8xf32>,
    %a4: tensor<8x8xf32>,
    %b4: tensor<5x8xf32>) -> (
    tensor<3x8x5xf32>,
    tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<5x8xf32>,
    tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // triangular_solve from the left, forward
  %r1 = "stablehlo.triangular_solve"(%a1, %b1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x8x8xf32>, tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  // triangular_solve from the left, backward
  %r2 = "stablehlo.triangular_solve"(%a2, %b2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x8x8xf32>, tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  // triangular_solve from the right, transposed, forward
  %r3 = "stablehlo.triangular_solve"(%a3, %b3) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  // triangular_solve from the right, transposed, backward
  %r4 = "stablehlo.triangular_solve"(%a4, %b4) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return %r1, %r2, %r3, %r4
      : tensor<3x8x5xf32>, tensor<3x8x5xf32>, tensor<5x8xf32>, tensor<5x8xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {"y"}, {"z"}]>
// | %b1      <[{}, {"y"}, {}]>
// | %a2      <[{}, {}, {"y"}]>
// | %b2      <[{}, {}, {}]>
// | %a3      <[{"x"}, {"y"}]>
// | %b3      <[{}, {"x"}]>
// | %a4      <[{}, {"y"}]>
// | %b4      <[{}, {}]>
// | line 19  stablehlo.triangular_solve  <([i, j, l], [i, j, k])->([i, l, k]) {i=3, j=8, k=5, l=8} need_replication={j, k, l}>
// |     <[{"x"}, {"z"}, {}]>
// | line 21  stablehlo.triangular_solve  <([i, j, l], [i, j, k])->([i, l, k]) {i=3, j=8, k=5, l=8} need_replication={j, k, l}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 23  stablehlo.triangular_solve  <([j, k], [i, j])->([i, k]) {i=5, j=8, k=8} need_replication={i, j, k}>
// |     <[{}, {"y"}]>
// | line 25  stablehlo.triangular_solve  <([j, k], [i, j])->([i, k]) {i=5, j=8, k=8} need_replication={i, j, k}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{}, {"z"}, {}]>
// | result 1  <[{}, {"y"}, {}]>
// | result 2  <[{}, {"y"}]>
// | result 3  <[{}, {"y"}]>
