// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %arg0, %agr0 : tensor<8xf32>
    %1 = stablehlo.add %0, %7 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | undefined_value.mlir:4:31: error: `%agr0` is not defined [undefined-value]
// |   4 |     %0 = stablehlo.add %arg0, %agr0 : tensor<8xf32>
// |     |                               ^~~~~
// | undefined_value.mlir:5:28: error: `%7` is not defined [undefined-value]
// |   5 |     %1 = stablehlo.add %0, %7 : tensor<8xf32>
// |     |                            ^~
