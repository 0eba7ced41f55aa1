// What the update computation is decides the kind of the batch dimensions.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %i1: tensor<4x1xi32>,
    %u1: tensor<4x3xf32>,
    %a2: tensor<5x3xf32>,
    %i2: tensor<4x1xi32>,
    %u2: tensor<4x3xf32>,
    %a3: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %i3: tensor<4x2xi32>,
    %u3: tensor<4x2xf32>,
    %a4: tensor<5x3xf32>,
    %i4: tensor<4x2xi32>,
    %u4: tensor<4x2xf32>) -> (
    tensor<5x3xf32>,
    tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<5x3xf32>,
    tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // scatter that adds, forward
  %r1 = "stablehlo.scatter"(%a1, %i1, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x1: tensor<f32>, %y1: tensor<f32>):
    %m1 = stablehlo.add %y1, %x1 : tensor<f32>
    stablehlo.return %m1 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  // scatter that adds, backward
  %r2 = "stablehlo.scatter"(%a2, %i2, %u2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x2: tensor<f32>, %y2: tensor<f32>):
    %m2 = stablehlo.add %y2, %x2 : tensor<f32>
    stablehlo.return %m2 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  // scatter that overwrites a part, forward
  %r3 = "stablehlo.scatter"(%a3, %i3, %u3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%x3: tensor<f32>, %y3: tensor<f32>):
    stablehlo.return %y3 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<5x3xf32>
  // scatter that overwrites a part, backward
  %r4 = "stablehlo.scatter"(%a4, %i4, %u4) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%x4: tensor<f32>, %y4: tensor<f32>):
    stablehlo.return %y4 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<5x3xf32>
  return %r1, %r2, %r3, %r4
      : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {}]>
// | %i1      -
// | %u1      <[{}, {}]>
// | %a2      <[{}, {}]>
// | %i2      -
// | %u2      <[{}, {}]>
// | %a3      <[{}, {}]>
// | %i3      -
// | %u3      -
// | %a4      <[{}, {}]>
// | %i4      -
// | %u4      -
// | %x1      -
// | %y1      -
// | %x2      -
// | %y2      -
// | %x3      -
// | %y3      -
// | %x4      -
// | %y4      -
// | line 23  stablehlo.scatter  <([k, j], [i, l], [i, j])->([k, j]) {i=4, j=3, k=5, l=1} reduction={i} need_replication={l}>
// |     <[{"x"}, {"y"}]>
// | line 25  stablehlo.add  <([], [])->([])>
// |     -
// | line 29  stablehlo.scatter  <([k, j], [i, l], [i, j])->([k, j]) {i=4, j=3, k=5, l=1} reduction={i} need_replication={l}>
// |     <[{"x"}, {"y"}]>
// | line 31  stablehlo.add  <([], [])->([])>
// |     -
// | line 35  stablehlo.scatter  <([l, j], [i, m], [i, k])->([l, j]) {i=4, j=3, k=2, l=5, m=2} need_replication={i, j, k, m}>
// |     <[{"x"}, {"y"}]>
// | line 40  stablehlo.scatter  <([l, j], [i, m], [i, k])->([l, j]) {i=4, j=3, k=2, l=5, m=2} need_replication={i, j, k, m}>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{}, {}]>
// | result 1  <[{}, {}]>
// | result 2  <[{}, {}]>
// | result 3  <[{}, {}]>
