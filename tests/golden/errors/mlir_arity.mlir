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
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_arity.mlir:4:8: error: `stablehlo.add` takes 2 operands, but has 1 [wrong-arity]
// |   4 |   %0 = stablehlo.add %arg0 : tensor<8xf32>
// |     |        ^~~~~~~~~~~~~
// | mlir_arity.mlir:5:8: error: `stablehlo.tanh` takes 1 operand, but has 2 [wrong-arity]
// |   5 |   %1 = "stablehlo.tanh"(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// |     |        ^~~~~~~~~~~~~~~~
// | mlir_arity.mlir:6:3: error: `stablehlo.tanh` has 1 result, but 2 are named [wrong-arity]
// |   6 |   %2:2 = stablehlo.tanh %arg0 : tensor<8xf32>
// |     |   ^~~~~~~~~~~~~~~~~~~~~
// | mlir_arity.mlir:7:8: error: `stablehlo.select` has 3 operands, but lists 2 operand types [wrong-arity]
// |   7 |   %3 = "stablehlo.select"(%arg1, %arg0, %arg0) : (tensor<i1>, tensor<8xf32>) -> tensor<8xf32>
// |     |        ^~~~~~~~~~~~~~~~~~
// | mlir_arity.mlir:8:12: error: `stablehlo.while` has 1 argument, but lists 2 types [wrong-arity]
// |   8 |   %4, %5 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>, tensor<8xf32>
// |     |            ^~~~~~~~~~~~~~~
