// A sort along a sharded dimension is done along whole rows, and brought back.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x")) -> (tensor<64x32xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("jit(step)/sort"("model.py":7:4 to :9))
    return %0 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  result.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   8.0 KiB a device and step, in 2 collectives
// |
// |   over {x}  2 of 8   8.0 KiB: 2 all-to-all (8.0 KiB)
// |     all-to-all  f32[32,2,16]  4.0 KiB    model.py:7  sort takes x as P(None, 'x'), it is P('x', None)
// |     all-to-all  f32[2,32,16]  4.0 KiB    model.py:7  the result of sort is to be P('x', None), it is P(None, 'x')
