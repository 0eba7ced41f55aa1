// One branch keeps the array as it is, the other turns it. The real Shardy cuts the result by x and y, the real GSPMD by
// the turned axes, with the devices in reverse.
// RUN: shardwright lint %s
// RUN: shardwright lint %s --pin "12:%2=P('x', 'y')" --pin "13:%3=P('y', 'x')" --pin "14:%4=P('x', 'y')" --pin "18:%3=P('x', 'y')" --pin "19:%4=P('x', 'y')" --pin "25:%0=P('x', 'y')" --pin "8:%arg1=P('x', 'y')" --pin "24:%arg0=P('y', 'x')"
// RUN: shardwright lint %s --partitioner gspmd
module @jit_route attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<64x64xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare GT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %3 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %4 = func.call @_flip(%3) : (tensor<64x64xf32>) -> tensor<64x64xf32>
      stablehlo.return %4 : tensor<64x64xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
      %4 = stablehlo.multiply %arg1, %3 : tensor<64x64xf32>
      stablehlo.return %4 : tensor<64x64xf32>
    }) : (tensor<i32>) -> tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
  func.func private @_flip(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | route  ·  route.mlir (StableHLO, 10 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |     under-constrained     line 12   %2 case: 5 values depend on the partitioner or on the order of propagation: this one is P('x', 'y') by Shardy and 9 more, P() by Shardy without priorities or {devices=[4,2]3,7,2,6,1,5,0,4} by GSPMD and 4 more; with it %4, %3, %4, %0 (10.0 KiB to 24.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', 'y'))  # x: reverse %0, line 25
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y', 'x'))  # x: transpose %3, line 13
// ==== shardwright lint %s --pin "12:%2=P('x', 'y')" --pin "13:%3=P('y', 'x')" --pin "14:%4=P('x', 'y')" --pin "18:%3=P('x', 'y')" --pin "19:%4=P('x', 'y')" --pin "25:%0=P('x', 'y')" --pin "8:%arg1=P('x', 'y')" --pin "24:%arg0=P('y', 'x')"
// ---- exit 0
// ---- stdout
// | route  ·  route.mlir (StableHLO, 10 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   nothing to report
// ==== shardwright lint %s --partitioner gspmd
// ---- exit 1
// ---- stdout
// | route  ·  route.mlir (StableHLO, 10 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |     under-constrained     line 12   %2 case: 5 values depend on the partitioner or on the order of propagation: this one is {devices=[4,2]3,7,2,6,1,5,0,4} by GSPMD and 4 more, P('x', 'y') by GSPMD reversed and 9 more or P() by Shardy without priorities; with it %4, %3, %4, %0 (10.0 KiB to 24.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', 'y'))  # x: reverse %0, line 25
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y', 'x'))  # x: transpose %3, line 13
