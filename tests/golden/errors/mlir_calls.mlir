// RUN: shardwright plan %s
// A call of no function, a call that does not fit, returns that do not fit, and a body without a return.
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @sofmax(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @softmax(%0) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<4xf32>
}
func.func private @softmax(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
func.func private @two(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %arg0 : tensor<4xf32>
}
func.func private @other(%arg0: tensor<4xf32>) -> tensor<2xf32> {
  return %arg0 : tensor<4xf32>
}
func.func private @open(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_calls.mlir:4:3: error: function `@sofmax` is not defined [undefined-symbol]
// |   4 |   %0 = call @sofmax(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | help: did you mean `@softmax`?
// | mlir_calls.mlir:5:3: error: the call does not fit `@softmax` of type `(tensor<4xf32>) -> tensor<4xf32>` [type-mismatch]
// |   5 |   %1 = call @softmax(%0) : (tensor<4xf32>) -> tensor<2xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | mlir_calls.mlir:8:19: note: declared here
// |   8 | func.func private @softmax(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// |     |                   ^~~~~~~~
// | mlir_calls.mlir:12:3: error: returns 1 value, but `@two` has 2 results [wrong-arity]
// |   12 |   return %arg0 : tensor<4xf32>
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | mlir_calls.mlir:11:19: note: declared here
// |   11 | func.func private @two(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// |      |                   ^~~~
// | mlir_calls.mlir:15:3: error: value 0 has type `tensor<4xf32>`, but result 0 of `@other` is `tensor<2xf32>` [type-mismatch]
// |   15 |   return %arg0 : tensor<4xf32>
// |      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
// | mlir_calls.mlir:14:19: note: declared here
// |   14 | func.func private @other(%arg0: tensor<4xf32>) -> tensor<2xf32> {
// |      |                   ^~~~~~
// | mlir_calls.mlir:17:19: error: the body of `@open` does not end with `return` [invalid-op]
// |   17 | func.func private @open(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// |      |                   ^~~~~
