// RUN: shardwright plan %s
// A function and a mesh defined twice, aliases that are not defined or stand for themselves.
#loc1 = loc(#loc2)
#loc2 = loc(callsite(#loc1 at unknown))
#spec = #spec
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %arg0 {a = #other} : tensor<f32>
  %1 = stablehlo.abs %arg0 : !handle
  %2 = stablehlo.abs %arg0 : tensor<f32> loc(#loc7)
  return %arg0 : tensor<f32>
}
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
