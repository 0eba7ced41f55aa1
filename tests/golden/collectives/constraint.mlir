// Two constraints, one after the other.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x")) -> (tensor<64x32xf32> {jax.result_info = "result"}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":7:4 to :9))
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":8:4 to :9))
    %2 = stablehlo.tanh %1 : tensor<64x32xf32> loc("jit(step)/tanh"("model.py":9:4 to :9))
    return %2 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  constraint.mlir (StableHLO, 3 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   4.0 KiB a device and step, in 1 collective
// |
// |   over {x}  2 of 8   4.0 KiB: 1 all-to-all (4.0 KiB)
// |     all-to-all  f32[32,2,16]  4.0 KiB    model.py:8  with_sharding_constraint: P('x', None) becomes P(None, 'x')
