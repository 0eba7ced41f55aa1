// Each op of this program is faulty; every one is reported, with what was seen and expected.
// RUN: shardwright plan %s
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<5x3xf32>, %i: tensor<4x1xi32>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<8x4xf32>, tensor<5x3xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
  %2 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 1>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<5x6xf32>
  %4 = "stablehlo.gather"(%b, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  %5 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<8xf32>
  %6 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 5>, strides = array<i64: 1, 1>}> : (tensor<8x4xf32>) -> tensor<8x5xf32>
  %7:2 = "stablehlo.negate"(%a) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %8 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8x4xf32>
  %9 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k]) {i=8, j=4, k=2} reduction={k}, custom>} : (tensor<8x4xf32>) -> tensor<2xf32>
  return
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | faulty_ops.mlir:5:3: error: `stablehlo.add`: operand 1 has shape 5x3, the result 8x4, expected equal shapes [type-mismatch]
// |   5 |   %0 = "stablehlo.add"(%a, %b) : (tensor<8x4xf32>, tensor<5x3xf32>) -> tensor<8x4xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:6:3: error: `stablehlo.dot_general`: contracting dimensions 1 of the left and 0 of the right operand have sizes 4 and 5, expected equal ones [type-mismatch]
// |   6 |   %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<5x3xf32>) -> te...
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:7:3: error: `stablehlo.transpose`: permuted dimension 1 is given twice [bad-attribute]
// |   7 |   %2 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 1>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:8:3: error: `stablehlo.reshape`: the operand `tensor<8x4xf32>` has 32 elements, the result `tensor<5x6xf32>` has 30 [type-mismatch]
// |   8 |   %3 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<5x6xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:9:3: error: `stablehlo.gather`: slice size 4 of dimension 1 does not lie within its size 3 [bad-attribute]
// |   9 |   %4 = "stablehlo.gather"(%b, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice...
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:10:3: error: `stablehlo.concatenate`: no operands, expected at least one [invalid-op]
// |   10 |   %5 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<8xf32>
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:11:3: error: `stablehlo.slice`: bounds 0:5 of dimension 1 do not lie within its size 4 [bad-attribute]
// |   11 |   %6 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 5>, strides ...
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:12:3: error: `stablehlo.negate`: 2 results, expected 1 [wrong-arity]
// |   12 |   %7:2 = "stablehlo.negate"(%a) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:13:3: error: the sharding of `%8` has 1 dimension, the value has 2 [sharding-rank]
// |   13 |   %8 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8x4xf32>
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | faulty_ops.mlir:14:3: error: `stablehlo.custom_call`: sharding rule `<([i, j])->([k]) {i=8, j=4, k=2} reduction={k}, custom>`: reduction factor `k` stands in a result [bad-attribute]
// |   14 |   %9 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k]) {i=8, j=4, k...
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
