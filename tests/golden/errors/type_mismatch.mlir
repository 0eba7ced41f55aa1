// Types that do not fit together.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x5xf32>) -> tensor<8x4xf32> {
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<33xf32>
    %3 = stablehlo.transpose %arg0, dims = [0, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    return %arg0 : tensor<8x4xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | type_mismatch.mlir:5:5: error: `stablehlo.add`: operand 1 has shape 8x5, the result 8x4, expected equal shapes [type-mismatch]
// |   5 |     %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<8x4xf32>
// |     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | type_mismatch.mlir:6:5: error: `stablehlo.dot_general`: contracting dimensions 1 of the left and 1 of the right operand have sizes 4 and 5, expected equal ones [type-mismatch]
// |   6 |     %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x5xf32...
// |     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | type_mismatch.mlir:7:5: error: `stablehlo.reshape`: the operand `tensor<8x4xf32>` has 32 elements, the result `tensor<33xf32>` has 33 [type-mismatch]
// |   7 |     %2 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<33xf32>
// |     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | type_mismatch.mlir:8:5: error: `stablehlo.transpose`: permuted dimension 0 is given twice [bad-attribute]
// |   8 |     %3 = stablehlo.transpose %arg0, dims = [0, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// |     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
