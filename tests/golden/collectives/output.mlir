// A result of main is to have another sharding than what is computed.
// RUN: shardwright collectives %s
// RUN: shardwright collectives %s --partitioner gspmd
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("x")) -> (tensor<64x32xf32> {jax.result_info = "result['loss']", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<64x32xf32> loc("jit(step)/tanh"("model.py":7:4 to :9))
    return %0 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  output.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   4.0 KiB a device and step, in 1 collective
// |
// |   over {y}  4 of 8   4.0 KiB: 1 all-gather (4.0 KiB)
// |     all-gather  f32[32,32]  4.0 KiB    model.py:7  result['loss'] is to be P('x', None), it is P('x', 'y')
// ==== shardwright collectives %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | step  ·  output.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |   4.0 KiB a device and step, in 1 collective
// |
// |   over {y}  4 of 8   4.0 KiB: 1 all-gather (4.0 KiB)
// |     all-gather  f32[32,32]  4.0 KiB      the result of an operation is to be P('x', None), it is P('x', 'y')
