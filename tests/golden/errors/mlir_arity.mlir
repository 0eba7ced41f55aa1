// RUN: shardwright plan %s
// Too few and too many operands, types and results.
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0 : tensor<8xf32>
  %1 = "stablehlo.tanh"(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2:2 = stablehlo.tanh %arg0 : tensor<8xf32>
  %3 = "stablehlo.select"(%arg1, %arg0, %arg0) : (tensor<i1>, tensor<8xf32>) -> tensor<8xf32>
  %4, %5 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>, tensor<8xf32>
    cond {
      stablehlo.return %arg1 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<8xf32>
    }
  return %arg0 : tensor<8xf32>
}
