// Two axes of different sizes change places: a part of the larger one moves, then devices are reordered.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("x")) -> (tensor<64x32xf32> {jax.result_info = "result"}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":7:4 to :9))
    %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {"x"}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":8:4 to :9))
    return %1 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  permute.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   2.0 KiB a device and step, in 2 collectives
// |
// |   over {y:(2)2}  2 of 8   1.0 KiB: 1 all-to-all (1.0 KiB)
// |     all-to-all  f32[2,16,8]  1.0 KiB    model.py:8  with_sharding_constraint: P('x', 'y') becomes P('y', 'x')
// |
// |   over {x, y:(1)2}   1.0 KiB: 1 collective-permute (1.0 KiB)
// |     collective-permute  f32[16,16]  1.0 KiB    model.py:8  with_sharding_constraint: P('x', 'y') becomes P('y', 'x')
