// RUN: shardwright plan %s
// A call that comes back.
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @even(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @even(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @odd(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @odd(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @even(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
