// RUN: shardwright plan %s
// Several functions, and none is the one to plan.
func.func @forward(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
func.func @backward(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
