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
