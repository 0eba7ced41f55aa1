// RUN: shardwright plan %s
// The text ends in the middle of an op.
module @jit_f {
  func.func public @main(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<8x16xf32>
    %1 = stablehlo.add %0, %0
