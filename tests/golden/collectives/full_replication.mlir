// No way between two shardings but through every device holding all of it.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>} loc("x")) -> (tensor<64x32xf32> {jax.result_info = "result"}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"b", "a"}, {}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":7:4 to :9))
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"c"}]> : tensor<64x32xf32> loc("jit(step)/sharding_constraint"("model.py":8:4 to :9))
    return %1 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  full_replication.mlir (StableHLO, 2 operations)  ·  mesh a=2 × b=2 × c=2 (8 devices)  ·  Shardy
// |
// |   10.0 KiB a device and step, in 2 collectives
// |
// |   over {a, b}  4 of 8   10.0 KiB: 1 all-gather (8.0 KiB), 1 collective-permute (2.0 KiB)
// |     all-gather          f32[64,32]  8.0 KiB    model.py:8  no direct way from P(('b', 'a'), None) to P(None, 'c'): gathered whole on every device (full rematerialization)
// |     collective-permute  f32[16,32]  2.0 KiB    model.py:7  with_sharding_constraint: P(('a', 'b'), None) becomes P(('b', 'a'), None)
