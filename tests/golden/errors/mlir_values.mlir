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
