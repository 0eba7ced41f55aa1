// Two blocks are joined along rows; one is cut by rows, the other by columns. The real Shardy cuts the result by
// columns, the real GSPMD by rows.
// RUN: shardwright lint %s
// RUN: shardwright lint %s --pin "9:%0=P(None, 'x')" --pin "10:%1=P(None, 'x')" --pin "8:%arg0=P('x', None)" --pin "8:%arg1=P(None, 'x')"
// RUN: shardwright lint %s --partitioner gspmd
module @jit_blocks attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<128x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<128x32xf32>
    %1 = stablehlo.tanh %0 : tensor<128x32xf32>
    return %1 : tensor<128x32xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | blocks  ·  blocks.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |     axis-conflict         line 9   %0 concatenate: dimension 1 of %arg1 and dimension 0 of %arg0 both want `x`, and %arg0 is exchanged between its dimensions (4.0 KiB on each device)
// |                           └ shard dimension 0 of %arg0 by another axis, or not at all
// |     unused-axis           mesh axis `y` (4 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |     under-constrained     line 9   %0 concatenate: 2 values depend on the partitioner or on the order of propagation: this one is P(None, 'x') by Shardy and 6 more, P('x', None) by Shardy without priorities, GSPMD and 6 more or P() by Shardy basic; with it %1 (16.0 KiB to 32.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P(None, 'x'))  # x: concatenate %0
// ==== shardwright lint %s --pin "9:%0=P(None, 'x')" --pin "10:%1=P(None, 'x')" --pin "8:%arg0=P('x', None)" --pin "8:%arg1=P(None, 'x')"
// ---- exit 1
// ---- stdout
// | blocks  ·  blocks.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |     unused-axis           mesh axis `y` (4 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// ==== shardwright lint %s --partitioner gspmd
// ---- exit 1
// ---- stdout
// | blocks  ·  blocks.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |     axis-conflict         line 9   %0 concatenate: dimension 0 of %arg0 and dimension 1 of %arg1 both want `x`, and %arg1 is exchanged between its dimensions (4.0 KiB on each device)
// |                           └ shard dimension 1 of %arg1 by another axis, or not at all
// |     unused-axis           mesh axis `y` (4 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |     under-constrained     line 9   %0 concatenate: 2 values depend on the partitioner or on the order of propagation: this one is P('x', None) by GSPMD and 7 more, P(None, 'x') by Shardy and 6 more or P() by Shardy basic; with it %1 (16.0 KiB to 32.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', None))  # x: concatenate %0
