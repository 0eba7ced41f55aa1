// No result can be an argument.
// RUN: shardwright run %s --steps 2
module @jit_step {
  func.func public @main(%arg0: tensor<4xi32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<4xi32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// ==== shardwright run %s --steps 2
// ---- exit 2
// ---- stderr
// | error: `--steps`: no result has the type of an argument that it could become [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
