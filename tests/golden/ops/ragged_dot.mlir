// Groups of rows meet different matrices: the ragged and the group dimension need replication. In the second product the
// contracting dimension is ragged.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
    %a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<4x8x32xf32>,
    %c: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %g: tensor<4xi32>) -> (tensor<16x32xf32>, tensor<4x16x32xf32>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<16x8xf32>, tensor<4x8x32xf32>, tensor<4xi32>) -> tensor<16x32xf32>
  %1 = "chlo.ragged_dot"(%a, %c, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<16x8xf32>, tensor<8x32xf32>, tensor<4xi32>) -> tensor<4x16x32xf32>
  return %0, %1 : tensor<16x32xf32>, tensor<4x16x32xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a       <[{"x"}, {"y"}]>
// | %b       <[{}, {"y"}, {}]>
// | %c       <[{}, {"x"}]>
// | %g       -
// | line 10  chlo.ragged_dot  <([i, k], [l, k, j], [l])->([i, j]) {i=16, j=32, k=8, l=4} reduction={k} need_replication={i, l}>
// |     <[{"x"}, {}]>
// | line 11  chlo.ragged_dot  <([i, k], [k, j], [l])->([l, i, j]) {i=16, j=32, k=8, l=4} need_replication={k, l}>
// |     <[{}, {}, {"x"}]>
// | result 0  <[{"x"}, {}]>
// | result 1  <[{}, {}, {"x"}]>
