// RUN: shardwright plan %s
// The short form of an op of another dialect cannot be read; the generic form can.
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %c = arith.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.gather %arg0 : tensor<f32>
  %1 = "cf.br"()[^bb1] : () -> tensor<f32>
  %2 = "other.op"(%arg0) {key = "value"} : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
