// An operation in short form lists one type; the value has another.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x5xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | wrong_operand_type.mlir:5:31: error: operand 1 of `stablehlo.add` is `%arg1` of type `tensor<8x5xf32>`, but the op lists `tensor<8x4xf32>` [type-mismatch]
// |   5 |     %0 = stablehlo.add %arg0, %arg1 : tensor<8x4xf32>
// |     |                               ^~~~~
// | wrong_operand_type.mlir:4:50: note: defined here
// |   4 |   func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x5xf32>) -> tensor<8x4xf32> {
// |     |                                                  ^~~~~
