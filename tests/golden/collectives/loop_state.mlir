// The loop carries its state as rows and computes on columns; a product inside it runs in every iteration.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x"), %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("w")) -> (tensor<64x64xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<64x64xf32> loc("jit(step)/sharding_constraint"("model.py":6:4 to :9))
    %1:2 = stablehlo.while(%i = %c, %state = %0) : tensor<i32>, tensor<64x64xf32>
    cond {
      %limit = stablehlo.constant dense<5> : tensor<i32>
      %2 = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = sdy.sharding_constraint %state <@mesh, [{}, {"x"}]> : tensor<64x64xf32> loc("jit(step)/sharding_constraint"("model.py":8:4 to :9))
      %3 = stablehlo.dot_general %arg1, %2, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("jit(step)/dot_general"("model.py":9:4 to :9))
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<64x64xf32>
    } loc("jit(step)/while"("model.py":10:4 to :9))
    return %1#1 : tensor<64x64xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  loop_state.mlir (StableHLO, 9 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   208.0 KiB a device and step, in 16 collectives
// |
// |   over {x}  2 of 8   128.0 KiB: 5 all-gather (80.0 KiB), 6 all-to-all (48.0 KiB)
// |     all-gather  f32[64,64]    16.0 KiB in a loop × 5  80.0 KiB  model.py:9  dot_general takes %2 as P(), it is P(None, 'x')
// |     all-to-all  f32[32,2,32]  8.0 KiB in a loop × 5   40.0 KiB  model.py:9  %3, carried by a loop or branch, is to be P(None, 'x'), it is P('x', None)
// |     all-to-all  f32[32,2,32]  8.0 KiB                           model.py:6  %0, carried by a loop or branch, is to be P(None, 'x'), it is P('x', None)
// |
// |   over {y}  4 of 8   80.0 KiB: 5 all-gather (80.0 KiB)
// |     all-gather  f32[64,64]  16.0 KiB in a loop × 5  80.0 KiB  model.py:9  no direct way from P('y', None) to P(None, 'x'): gathered whole on every device (full rematerialization)
