// An operation with one operand too few, and one too many.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.add"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.negate"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | arity.mlir:5:10: error: `stablehlo.add` takes 2 operands, but has 1 [wrong-arity]
// |   5 |     %0 = "stablehlo.add"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// |     |          ^~~~~~~~~~~~~~~
// | arity.mlir:6:10: error: `stablehlo.negate` takes 1 operand, but has 2 [wrong-arity]
// |   6 |     %1 = "stablehlo.negate"(%arg0, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// |     |          ^~~~~~~~~~~~~~~~~~
