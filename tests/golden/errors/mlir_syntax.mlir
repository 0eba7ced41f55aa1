// RUN: shardwright plan %s
// Several mistakes in one text: all are reported, and none because of another.
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mehs, [{"x"}, {}]>}, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] y [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.transpose %0, dim = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %0 {a = } : tensor<8x4xf32>
    %3 = stablehlo.while(%iterArg = %0) : tensor<8x4xf32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c, : tensor<i1>
    } do {
      %4 = stablehlo.add %iterArg %iterArg : tensor<8x4xf32>
      stablehlo.return %4 : tensor<8x4xf32>
    }
    %5 = stablehlo.constant dense<"abc : tensor<2xi32>
    %6 = stablehlo.abs %arg1
    %7 = stablehlo.slice %arg1 [0:2:1, 0;4] : (tensor<16x4xf32>) -> tensor<2x4xf32>
    %8 = stablehlo.compare LT %arg1, %arg1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %9 = stablehlo.abs %arg1 : tensor<16x4xfloat>
    %10 = stablehlo.iota dim = 99999999999999999999 : tensor<4xi32>
    return %0 : tensor<8x4xf32>
  }
}
