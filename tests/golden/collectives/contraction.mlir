// The contracting dimension is sharded: partial sums are added up.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>} loc("x"),
                         %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("params['w']")) -> (tensor<64x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/dot_general"("model.py":7:4 to :9))
    return %0 : tensor<64x16xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  contraction.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   4.0 KiB a device and step, in 1 collective
// |
// |   over {y}  4 of 8   4.0 KiB: 1 all-reduce (4.0 KiB)
// |     all-reduce  f32[64,16]  4.0 KiB    model.py:7  dot_general sums over a sharded dimension
