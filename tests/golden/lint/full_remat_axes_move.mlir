// Rows by y and columns by x are to become the middle dimension by both: no single exchange does that, two do.
// RUN: shardwright plan %s
// RUN: shardwright lint %s --format json
module @jit_reshard_moves_axes_full_remat attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, %arg1: tensor<32x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, %arg2: tensor<32x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}) -> (tensor<32x64x16xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64x16xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<32x64x16xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<32x64x16xf32>
    %3 = stablehlo.tanh %2 : tensor<32x64x16xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"x", "y"}, {}]> : tensor<32x64x16xf32>
    %5 = stablehlo.multiply %arg2, %4 : tensor<32x64x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x64x16xf32>
    %7 = stablehlo.add %5, %6 : tensor<32x64x16xf32>
    return %7 : tensor<32x64x16xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | reshard_moves_axes_full_remat  ·  full_remat_axes_move.mlir (StableHLO, 10 operations)  ·  mesh x=4 × y=2 (8 devices)  ·  Shardy
// |
// |   arguments  48.0 KiB on a device, of 384.0 KiB in 3 arguments
// |   values     11 sharded, 2 whole on every device
// |
// |   collectives    192.0 KiB a device and step, in 2 collectives
// |     over {y}  2 of 8  128.0 KiB  1 all-gather (128.0 KiB)
// |     over {x}  4 of 8  64.0 KiB   1 all-gather (64.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {y}  f32[32,64,16]  128.0 KiB  line 11  no direct way from P('y', None, 'x') to P(None, ('x', 'y'), None): gathered whole on every device (full rematerialization)
// |     all-gather  over {x}  f32[16,64,16]  64.0 KiB   line 11  no direct way from P('y', None, 'x') to P(None, ('x', 'y'), None): gathered whole on every device (full rematerialization)
// |
// |   findings
// |     full-remat            line 11   %3 tanh: no direct way from P('y', None, 'x') to P(None, ('x', 'y'), None): gathered whole on every device (full rematerialization), by 2 all-gather; it has `y` on dimension 0 and `x` on dimension 2 from %arg0 (argument), wanted is `x` on dimension 1 and `y` on dimension 1 from %3 tanh (line 11) (128.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y', 'x', None))  # x: add %2, line 10
// |                           └ then it is 2 all-to-all (32.0 KiB on each device instead of 192.0 KiB)
// |
// |   arguments  global         on a device  spec
// |     %arg0    f32[32,64,16]  [16,64,4]    P('y', None, 'x')
// |     %arg1    f32[32,64,16]  [16,64,4]    P('y', None, 'x')
// |     %arg2    f32[32,64,16]  [32,8,16]    P(None, ('x', 'y'), None)
// |
// |   results   global         on a device  spec
// |     result  f32[32,64,16]  [32,8,16]    P(None, ('x', 'y'), None)
// ==== shardwright lint %s --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "full-remat",
// |     "severity": "warning",
// |     "line": 11,
// |     "source": null,
// |     "value": "%3",
// |     "message": "no direct way from P('y', None, 'x') to P(None, ('x', 'y'), None): gathered whole on every device (full rematerialization), by 2 all-gather; it has `y` on dimension 0 and `x` on dimension 2 from %arg0 (argument), wanted is `x` on dimension 1 and `y` on dimension 1 from %3 tanh (line 11)",
// |     "bytes": 131072,
// |     "fix": "x = jax.lax.with_sharding_constraint(x, P('y', 'x', None))  # x: add %2, line 10\nthen it is 2 all-to-all (32.0 KiB on each device instead of 192.0 KiB)"
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 8,
// |     "source": null,
// |     "value": "%0",
// |     "message": "3 values depend on the partitioner or on the order of propagation: this one is P('y', None, 'x') by Shardy, GSPMD and 10 more or P(None, ('x', 'y'), None) by Shardy reversed and 3 more; with it %1, %2",
// |     "bytes": 0,
// |     "fix": "x = jax.lax.with_sharding_constraint(x, P('y', None, 'x'))  # x: add %2, line 10",
// |     "bytes_least": 49152,
// |     "bytes_most": 49152,
// |     "values": [{"value": "%0", "line": 8, "source": null, "outcomes": [{"sharding": "P('y', None, 'x')", "bytes": 16384, "ways": ["Shardy", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic", "Shardy basic first", "GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "P(None, ('x', 'y'), None)", "bytes": 16384, "ways": ["Shardy reversed", "Shardy backward first", "GSPMD backward first", "GSPMD shuffled 1"]}]}, {"value": "%1", "line": 9, "source": null, "outcomes": [{"sharding": "P('y', None, 'x')", "bytes": 16384, "ways": ["Shardy", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic", "Shardy basic first", "GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "P(None, ('x', 'y'), None)", "bytes": 16384, "ways": ["Shardy reversed", "Shardy backward first", "GSPMD backward first", "GSPMD shuffled 1"]}]}, {"value": "%2", "line": 10, "source": null, "outcomes": [{"sharding": "P('y', None, 'x')", "bytes": 16384, "ways": ["Shardy", "Shardy shuffled 1", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic", "Shardy basic first", "GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "P(None, ('x', 'y'), None)", "bytes": 16384, "ways": ["Shardy reversed", "Shardy backward first", "Shardy shuffled 2", "GSPMD backward first", "GSPMD shuffled 1"]}]}],
// |     "pins": [{"value": "%2", "line": 10, "source": null, "spec": "P('y', None, 'x')", "flag": "--pin \"%2=P('y', None, 'x')\"", "code": "x = jax.lax.with_sharding_constraint(x, P('y', None, 'x'))  # x: add %2"}]
// |   }
// | ]
