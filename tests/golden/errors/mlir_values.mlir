// RUN: shardwright plan %s
// Names: not defined, defined twice, another result than there is; and the types an op lists against those of its operands.
module @jit_f {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1:2 = stablehlo.optimization_barrier %0, %arg0 : tensor<8x4xf32>, tensor<8x16xf32>
    %2 = stablehlo.tanh %1#2 : tensor<8x16xf32>
    %1 = stablehlo.tanh %arg0 : tensor<8x16xf32>
    %3 = stablehlo.add %arg0, %arg1 : tensor<8x16xf32>
    %4 = "stablehlo.case"(%5) ({
      %6 = stablehlo.abs %arg0 : tensor<8x16xf32>
      stablehlo.return %6 : tensor<8x16xf32>
    }) : (tensor<i32>) -> tensor<8x16xf32>
    %7 = stablehlo.abs %6 : tensor<8x16xf32>
    return %0 : tensor<8x4xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_values.mlir:5:39: error: `%arg2` is not defined [undefined-value]
// |   5 |     %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf...
// |     |                                       ^~~~~
// | help: did you mean `%arg1`?
// | mlir_values.mlir:7:25: error: `%1#2`, but `%1` has 2 results [undefined-value]
// |   7 |     %2 = stablehlo.tanh %1#2 : tensor<8x16xf32>
// |     |                         ^~~~
// | mlir_values.mlir:6:5: note: defined here
// |   6 |     %1:2 = stablehlo.optimization_barrier %0, %arg0 : tensor<8x4xf32>, tensor<8x16xf32>
// |     |     ^~
// | mlir_values.mlir:8:5: error: `%1` is defined twice [redefined-value]
// |   8 |     %1 = stablehlo.tanh %arg0 : tensor<8x16xf32>
// |     |     ^~
// | mlir_values.mlir:6:5: note: first defined here
// |   6 |     %1:2 = stablehlo.optimization_barrier %0, %arg0 : tensor<8x4xf32>, tensor<8x16xf32>
// |     |     ^~
// | mlir_values.mlir:9:31: error: operand 1 of `stablehlo.add` is `%arg1` of type `tensor<16x4xf32>`, but the op lists `tensor<8x16xf32>` [type-mismatch]
// |   9 |     %3 = stablehlo.add %arg0, %arg1 : tensor<8x16xf32>
// |     |                               ^~~~~
// | mlir_values.mlir:4:51: note: defined here
// |   4 |   func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
// |     |                                                   ^~~~~
// | mlir_values.mlir:10:27: error: `%5` is not defined [undefined-value]
// |   10 |     %4 = "stablehlo.case"(%5) ({
// |      |                           ^~
// | mlir_values.mlir:14:24: error: `%6` is not defined [undefined-value]
// |   14 |     %7 = stablehlo.abs %6 : tensor<8x16xf32>
// |      |                        ^~
