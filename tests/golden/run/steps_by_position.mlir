// Nothing is said about memory: the first results are the first arguments, as long as their types are the same.
// RUN: shardwright run %s --steps 2
// RUN: shardwright run %s --steps 2 --feed 1=0
// RUN: shardwright run %s --steps 2 --feed 5=0
// RUN: shardwright run %s --steps 2 --feed 0=0 --feed 0=0
// RUN: shardwright run %s --steps 2 --feed one=two
// RUN: shardwright run %s --feed 0=0
// RUN: shardwright run %s --steps 0
module @jit_step {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<2xi32>) -> (tensor<4xi32>, tensor<4xf32>) {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xi32>
    %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xf32>
    return %0, %1 : tensor<4xi32>, tensor<4xf32>
  }
}
// ==== shardwright run %s --steps 2
// ---- exit 0
// ---- stdout
// | step  ·  steps_by_position.mlir (StableHLO, 2 operations)  ·  Shardy
// |
// |   results        2 of 2 as the program computes them, on every device (within 1e-05 of the largest magnitude; integers exactly)
// |   inputs         random, seed 0, floats from -1 to 1
// |   steps          2, each with 1 result of the one before, the first
// |   moved          nothing
// |   memory         40 B at most, on device 0; 64 B expected before the run
// |
// |   results, the least exact first
// |     result[0]  s32[4]  equal
// |     result[1]  f32[4]  equal
// ==== shardwright run %s --steps 2 --feed 1=0
// ---- exit 2
// ---- stderr
// | error: `--feed`: result 1 cannot be argument 0: it is `tensor<4xf32>`, the argument is `tensor<4xi32>` [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
// ==== shardwright run %s --steps 2 --feed 5=0
// ---- exit 2
// ---- stderr
// | error: `--feed`: result 5 cannot be argument 0: the program has 2 results and 2 arguments, counted from 0 [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
// ==== shardwright run %s --steps 2 --feed 0=0 --feed 0=0
// ---- exit 2
// ---- stderr
// | error: `--feed`: result 0 cannot be argument 0: one of them is fed already [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
// ==== shardwright run %s --steps 2 --feed one=two
// ---- exit 2
// ---- stderr
// | error: `--feed`: cannot read `one=two`; a result and an argument are `2=0`, several of both are `0-3=1-4` [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
// ==== shardwright run %s --feed 0=0
// ---- exit 2
// ---- stderr
// | error: `--feed` is for more than one of `--steps` [bad-configuration]
// | help: `--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0
// ==== shardwright run %s --steps 0
// ---- exit 2
// ---- stderr
// | error: --steps: too small [bad-configuration]
