// RUN: shardwright plan %s
module @jit_f {
  func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
  func.func private @g(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | no_main.mlir:3:21: error: none of the 2 functions is `@main` with a body [no-main-function]
// |   3 |   func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// |     |                     ^~
