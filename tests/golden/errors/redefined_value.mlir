// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | redefined_value.mlir:5:5: error: `%0` is defined twice [redefined-value]
// |   5 |     %0 = stablehlo.multiply %arg0, %arg0 : tensor<8xf32>
// |     |     ^~
// | redefined_value.mlir:4:5: note: first defined here
// |   4 |     %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
// |     |     ^~
