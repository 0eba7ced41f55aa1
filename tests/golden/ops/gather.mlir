// Rows by index, partial windows, batching dimensions.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %i1: tensor<4x1xi32>,
    %a2: tensor<5x3xf32>,
    %i2: tensor<4x1xi32>,
    %a3: tensor<7x6x5x1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}, {}]>},
    %i3: tensor<4x2xi32>,
    %a4: tensor<7x6x5x1x2xf32>,
    %i4: tensor<4x2xi32>,
    %a5: tensor<5x3x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    %i5: tensor<7x5x3x2xi32>,
    %a6: tensor<5x3x7x4xf32>,
    %i6: tensor<7x5x3x2xi32>) -> (
    tensor<4x3xf32>,
    tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<4x4x1x2xf32>,
    tensor<4x4x1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>},
    tensor<7x5x3x2xf32>,
    tensor<7x5x3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}, {}]>}) {
  // gather of rows, forward
  %r1 = "stablehlo.gather"(%a1, %i1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  // gather of rows, backward
  %r2 = "stablehlo.gather"(%a2, %i2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  // gather with partial, single and collapsed windows, forward
  %r3 = "stablehlo.gather"(%a3, %i3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], collapsed_slice_dims = [0, 3], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4, 1, 1, 2>}> : (tensor<7x6x5x1x2xf32>, tensor<4x2xi32>) -> tensor<4x4x1x2xf32>
  // gather with partial, single and collapsed windows, backward
  %r4 = "stablehlo.gather"(%a4, %i4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], collapsed_slice_dims = [0, 3], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4, 1, 1, 2>}> : (tensor<7x6x5x1x2xf32>, tensor<4x2xi32>) -> tensor<4x4x1x2xf32>
  // gather with batching dimensions, forward
  %r5 = "stablehlo.gather"(%a5, %i5) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1, 3], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x5x3x2xi32>) -> tensor<7x5x3x2xf32>
  // gather with batching dimensions, backward
  %r6 = "stablehlo.gather"(%a6, %i6) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1, 3], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x5x3x2xi32>) -> tensor<7x5x3x2xf32>
  return %r1, %r2, %r3, %r4, %r5, %r6
      : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x1x2xf32>, tensor<4x4x1x2xf32>, tensor<7x5x3x2xf32>, tensor<7x5x3x2xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {}]>
// | %i1      -
// | %a2      <[{}, {}]>
// | %i2      <[{"x"}, {}]>
// | %a3      <[{}, {"y"}, {}, {}, {}]>
// | %i3      -
// | %a4      -
// | %i4      <[{"y"}, {}]>
// | %a5      <[{}, {}, {}, {}]>
// | %i5      <[{}, {}, {}, {}]>
// | %a6      <[{}, {}, {}, {}]>
// | %i6      <[{}, {}, {}, {}]>
// | line 25  stablehlo.gather  <([k, j], [i, l])->([i, j]) {i=4, j=3, k=5, l=1} reduction={k} need_replication={l}>
// |     <[{}, {"y"}]>
// | line 27  stablehlo.gather  <([k, j], [i, l])->([i, j]) {i=4, j=3, k=5, l=1} reduction={k} need_replication={l}>
// |     <[{"x"}, {"y"}]>
// | line 29  stablehlo.gather  <([n, i, k, o, m], [j, p])->([i, j, l, m]) {i=6, j=4, k=5, l=1, m=2, n=7, o=1, p=2} reduction={k, n} need_replication={i, l, o, p} blocked_propagation={i}>
// |     -
// | line 31  stablehlo.gather  <([n, i, k, o, m], [j, p])->([i, j, l, m]) {i=6, j=4, k=5, l=1, m=2, n=7, o=1, p=2} reduction={k, n} need_replication={i, l, o, p} blocked_propagation={i}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | line 33  stablehlo.gather  <([j, m, i, l], [i, j, k, n])->([i, j, k, l]) {i=7, j=5, k=3, l=4, m=3, n=2} reduction={m} need_replication={l, n} blocked_propagation={l}>
// |     <[{"z"}, {"x"}, {}, {}]>
// | line 35  stablehlo.gather  <([j, m, i, l], [i, j, k, n])->([i, j, k, l]) {i=7, j=5, k=3, l=4, m=3, n=2} reduction={m} need_replication={l, n} blocked_propagation={l}>
// |     <[{"x"}, {"y"}, {"z"}, {}]>
// | result 0  <[{}, {}]>
// | result 1  <[{"x"}, {}]>
// | result 2  -
// | result 3  <[{"x"}, {"y"}, {}, {}]>
// | result 4  <[{}, {}, {}, {}]>
// | result 5  <[{}, {}, {}, {}]>
