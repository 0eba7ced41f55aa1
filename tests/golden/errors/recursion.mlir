// Functions that call one another in a circle.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | recursion.mlir:13:5: error: `@f` calls itself, directly or through others [call-recursion]
// |   13 |     %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
// |      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | recursion.mlir:8:21: note: declared here
// |   8 |   func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// |     |                     ^~
