// Rows by y and columns by x are to become the middle dimension by both: no single exchange does that, two do.
// RUN: shardwright plan %s --partitioner gspmd
// RUN: shardwright lint %s --partitioner gspmd --format json
module @jit_reshard_moves_axes_full_remat attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0)}"}, %arg1: tensor<32x64x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[4,2]T(1,0)}"}, %arg2: tensor<32x64x16xf32> {mhlo.sharding = "{devices=[1,8,1]<=[8]}"}) -> (tensor<32x64x16xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[1,8,1]<=[8]}"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64x16xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<32x64x16xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<32x64x16xf32>
    %3 = stablehlo.tanh %2 : tensor<32x64x16xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{devices=[1,8,1]<=[8]}"} : (tensor<32x64x16xf32>) -> tensor<32x64x16xf32>
    %5 = stablehlo.multiply %arg2, %4 : tensor<32x64x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x64x16xf32>
    %7 = stablehlo.add %5, %6 : tensor<32x64x16xf32>
    return %7 : tensor<32x64x16xf32>
  }
}
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | reshard_moves_axes_full_remat  ·  full_remat_axes_move_gspmd.mlir (StableHLO, 10 operations)  ·  GSPMD
// |
// |   arguments  48.0 KiB on a device, of 384.0 KiB in 3 arguments
// |   values     11 sharded, 2 whole on every device
// |
// |   collectives    192.0 KiB a device and step, in 2 collectives
// |     in [4,2]<=[8]          2 of 8  128.0 KiB  1 all-gather (128.0 KiB)
// |     in [2,4]<=[4,2]T(1,0)  4 of 8  64.0 KiB   1 all-gather (64.0 KiB)
// |
// |   largest collectives
// |     all-gather  in [4,2]<=[8]          f32[32,64,16]  128.0 KiB  line 10  no direct way from {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]}: gathered whole on every device (full rematerialization)
// |     all-gather  in [2,4]<=[4,2]T(1,0)  f32[16,64,16]  64.0 KiB   line 10  no direct way from {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]}: gathered whole on every device (full rematerialization)
// |
// |   findings
// |     full-remat            line 10   %3 tanh: no direct way from {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]}: gathered whole on every device (full rematerialization), by 2 all-gather; it has `2 tiles` on dimension 0 and `4 tiles` on dimension 2 from %arg0 (argument), wanted is `8 tiles` on dimension 1 from %4 custom_call (line 11) (128.0 KiB on each device)
// |                           └ x through the sharding {devices=[2,4,1]<=[4,2]T(1,0)}  # x: add %2, line 9
// |                           └ then it is 2 all-to-all (32.0 KiB on each device instead of 192.0 KiB)
// |
// |   arguments  global         on a device  spec
// |     %arg0    f32[32,64,16]  [16,64,4]    {devices=[2,1,4]<=[4,2]T(1,0)}
// |     %arg1    f32[32,64,16]  [16,64,4]    {devices=[2,1,4]<=[4,2]T(1,0)}
// |     %arg2    f32[32,64,16]  [32,8,16]    {devices=[1,8,1]<=[8]}
// |
// |   results   global         on a device  spec
// |     result  f32[32,64,16]  [32,8,16]    {devices=[1,8,1]<=[8]}
// ==== shardwright lint %s --partitioner gspmd --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "full-remat",
// |     "severity": "warning",
// |     "line": 10,
// |     "source": null,
// |     "value": "%3",
// |     "message": "no direct way from {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]}: gathered whole on every device (full rematerialization), by 2 all-gather; it has `2 tiles` on dimension 0 and `4 tiles` on dimension 2 from %arg0 (argument), wanted is `8 tiles` on dimension 1 from %4 custom_call (line 11)",
// |     "bytes": 131072,
// |     "fix": "x through the sharding {devices=[2,4,1]<=[4,2]T(1,0)}  # x: add %2, line 9\nthen it is 2 all-to-all (32.0 KiB on each device instead of 192.0 KiB)"
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 7,
// |     "source": null,
// |     "value": "%0",
// |     "message": "3 values depend on the partitioner or on the order of propagation: this one is {devices=[2,1,4]<=[4,2]T(1,0)} by GSPMD and 4 more or {devices=[1,8,1]<=[8]} by GSPMD backward first and 1 more; with it %1, %2",
// |     "bytes": 0,
// |     "fix": "annotate what these values are computed from; for pins, name the mesh (--mesh)",
// |     "bytes_least": 49152,
// |     "bytes_most": 49152,
// |     "values": [{"value": "%0", "line": 7, "source": null, "outcomes": [{"sharding": "{devices=[2,1,4]<=[4,2]T(1,0)}", "bytes": 16384, "ways": ["GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "{devices=[1,8,1]<=[8]}", "bytes": 16384, "ways": ["GSPMD backward first", "GSPMD shuffled 1"]}]}, {"value": "%1", "line": 8, "source": null, "outcomes": [{"sharding": "{devices=[2,1,4]<=[4,2]T(1,0)}", "bytes": 16384, "ways": ["GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "{devices=[1,8,1]<=[8]}", "bytes": 16384, "ways": ["GSPMD backward first", "GSPMD shuffled 1"]}]}, {"value": "%2", "line": 9, "source": null, "outcomes": [{"sharding": "{devices=[2,1,4]<=[4,2]T(1,0)}", "bytes": 16384, "ways": ["GSPMD", "GSPMD reversed", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}, {"sharding": "{devices=[1,8,1]<=[8]}", "bytes": 16384, "ways": ["GSPMD backward first", "GSPMD shuffled 1"]}]}],
// |     "pins": []
// |   }
// | ]
