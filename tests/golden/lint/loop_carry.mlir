// A loop whose body is constrained to another sharding than what it starts with.
// RUN: shardwright lint %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("carry")) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c) : tensor<8x8xf32>, tensor<i32>
     cond {
      %c_1 = stablehlo.constant dense<4> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_0, %c_1 : tensor<i32>
      %3 = sdy.sharding_constraint %iterArg <@mesh, [{"x"}, {}]> : tensor<8x8xf32> loc("jit(step)/c"("model.py":6:4 to :12))
      %4 = stablehlo.tanh %3 : tensor<8x8xf32> loc("jit(step)/tanh"("model.py":7:4 to :12))
      %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"x"}]> : tensor<8x8xf32> loc("jit(step)/c"("model.py":8:4 to :12))
      stablehlo.return %5, %2 : tensor<8x8xf32>, tensor<i32>
    }
    return %1#0 : tensor<8x8xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | step  ·  loop_carry.mlir (StableHLO, 9 operations)  ·  mesh x=2 (2 devices)  ·  Shardy
// |
// |     loop-carry-resharded  model.py:8   %5 sharding_constraint: the loop carries %1#0 as P('x', None), its body returns P(None, 'x') (128 B on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', None)) before the body returns it
// |     under-constrained     line 7   %1#0 while: 1 value depends on the partitioner or on the order of propagation: P('x', None) by Shardy and 11 more or P(None, 'x') by GSPMD and 3 more (128 B on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', None))  # x: while %1#0
