// Functions that are not there, or there twice.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @realu(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @relu(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
  func.func private @relu(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | symbols.mlir:11:21: error: function `@relu` is defined twice [duplicate-symbol]
// |   11 |   func.func private @relu(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// |      |                     ^~~~~
// | symbols.mlir:8:21: note: first defined here
// |   8 |   func.func private @relu(%arg0: tensor<8xf32>) -> tensor<8xf32> {
// |     |                     ^~~~~
