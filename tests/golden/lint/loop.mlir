// A vector goes round a loop and is multiplied by a matrix cut by x and y. The real Shardy leaves the vector cut by x, the
// real GSPMD by y.
// RUN: shardwright lint %s
// RUN: shardwright lint %s --pin "10:%0#0=P('x', 'y')" --pin "10:%0#2=P('x')" --pin "16:%1=P('x')" --pin "24:%0=P('x')" --pin "25:%1=P('x')" --pin "8:%arg0=P('x', 'y')" --pin "8:%arg1=P()" --pin "10:%iterArg@1=P('x', 'y')" --pin "10:%iterArg_1@1=P('x')" --pin "10:%iterArg@2=P('x', 'y')" --pin "10:%iterArg_1@2=P('x')" --pin "23:%arg0=P('x', 'y')" --pin "23:%arg1=P('x')"
// RUN: shardwright lint %s --partitioner gspmd
module @jit_loop attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<64xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg1) : tensor<64x64xf32>, tensor<i32>, tensor<64xf32>
    cond {
      %c_2 = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg, %iterArg_1) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %2, %1 : tensor<64x64xf32>, tensor<i32>, tensor<64xf32>
    }
    return %0#2 : tensor<64xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %1 = stablehlo.tanh %0 : tensor<64xf32>
    return %1 : tensor<64xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | loop  ·  loop.mlir (StableHLO, 9 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |     axis-conflict         line 24   %0 dot_general: dimension 0 of %arg0 and dimension 0 of %arg1 both want `x`, and %arg1 is gathered along it (128 B on each device)
// |                           └ shard dimension 0 of %arg1 by another axis, or not at all
// |     under-constrained     line 10   %0#2 while: 3 values depend on the partitioner or on the order of propagation: this one is P('x') by Shardy and 6 more or P('y') by Shardy without priorities, GSPMD and 7 more; with it %iterArg_1, %arg1 (192 B to 384 B on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x'))  # x: argument %arg1, line 23
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x'))  # x: tanh %1, line 25
// ==== shardwright lint %s --pin "10:%0#0=P('x', 'y')" --pin "10:%0#2=P('x')" --pin "16:%1=P('x')" --pin "24:%0=P('x')" --pin "25:%1=P('x')" --pin "8:%arg0=P('x', 'y')" --pin "8:%arg1=P()" --pin "10:%iterArg@1=P('x', 'y')" --pin "10:%iterArg_1@1=P('x')" --pin "10:%iterArg@2=P('x', 'y')" --pin "10:%iterArg_1@2=P('x')" --pin "23:%arg0=P('x', 'y')" --pin "23:%arg1=P('x')"
// ---- exit 0
// ---- stdout
// | loop  ·  loop.mlir (StableHLO, 9 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   nothing to report
// ==== shardwright lint %s --partitioner gspmd
// ---- exit 1
// ---- stdout
// | loop  ·  loop.mlir (StableHLO, 9 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |     loop-carry-resharded  line 16   %1 @closed_call: the loop carries %0#2 as P('y'), its body returns P('x') (128 B on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y')) before the body returns it
// |     under-constrained     line 10   %0#2 while: 3 values depend on the partitioner or on the order of propagation: this one is P('y') by GSPMD and 8 more or P('x') by Shardy and 6 more; with it %iterArg_1, %arg1 (192 B to 384 B on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x'))  # x: argument %arg1, line 23
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x'))  # x: tanh %1, line 25
