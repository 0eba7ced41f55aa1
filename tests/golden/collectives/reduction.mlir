// A reduced dimension is sharded: by a sum, and by the index of the largest.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("x")) -> (tensor<32xf32> {jax.result_info = "result[0]"}, tensor<64xi32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32> loc("jit(step)/reduce_sum"("model.py":7:4 to :9))
    %1 = stablehlo.iota dim = 1 : tensor<64x32xi32>
    %2:2 = stablehlo.reduce(%arg0 init: %cst), (%1 init: %c) across dimensions = [1] : (tensor<64x32xf32>, tensor<64x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %3 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
      %5 = stablehlo.select %3, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %4, %5 : tensor<f32>, tensor<i32>
    } loc("jit(step)/argmax"("model.py":8:4 to :9))
    return %0, %2#1 : tensor<32xf32>, tensor<64xi32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  reduction.mlir (StableHLO, 9 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   1.0 KiB a device and step, in 3 collectives
// |
// |   over {y}  4 of 8   1.0 KiB: 2 all-gather (1.0 KiB)
// |     all-gather  f32[32,4]  512 B    model.py:8  reduce over a sharded dimension
// |     all-gather  s32[32,4]  512 B    model.py:8  reduce over a sharded dimension
// |
// |   over {x}  2 of 8   32 B: 1 all-reduce (32 B)
// |     all-reduce  f32[8]  32 B    model.py:7  reduce over a sharded dimension
