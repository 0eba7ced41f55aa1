// A callback runs on one device; cutting its result means that every device gets all of it first.
// RUN: shardwright plan %s --partitioner gspmd
// RUN: shardwright lint %s --partitioner gspmd --format json
module @jit_host_callback_result_then_sharded attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<8x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<64x32xf32> {jax.result_info = "result[0]", mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<8x32xf32> {jax.result_info = "result[1]", mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {backend_config = "", mhlo.backend_config = {index = 0 : ui64}, mhlo.sharding = "{maximal device=0}", operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<f32>) -> tensor<64x32xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<64x32xf32>) -> tensor<64x32xf32>
    %2 = stablehlo.dot_general %arg1, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    return %1, %2 : tensor<64x32xf32>, tensor<8x32xf32>
  }
}
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | host_callback_result_then_sharded  ·  full_remat_host_callback_gspmd.mlir (StableHLO, 3 operations)  ·  GSPMD
// |
// |   arguments  516 B on a device, of 2.0 KiB in 2 arguments
// |   values     3 sharded, 2 whole on every device
// |
// |   collectives    16.0 KiB a device and step, in 2 collectives
// |     over all devices  4 of 4  16.0 KiB  1 all-reduce (8.0 KiB), 1 all-gather (8.0 KiB)
// |
// |   largest collectives
// |     all-reduce  over all devices  f32[64,32]  8.0 KiB  line 7  no direct way from {maximal device=0} to {devices=[4,1]<=[4]}: gathered whole on every device (full rematerialization)
// |     all-gather  over all devices  f32[64,32]  8.0 KiB  line 8  dot_general takes %1 as {replicated}, it is {devices=[4,1]<=[4]}
// |
// |   findings
// |     full-remat            line 7   %1 custom_call: no direct way from {maximal device=0} to {devices=[4,1]<=[4]}: gathered whole on every device (full rematerialization), by 1 all-reduce; wanted is `4 tiles` on dimension 0 from %1 custom_call (line 7) (8.0 KiB on each device)
// |                           └ it is made on one device: let each device make its own piece, in jax.shard_map
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[]      []           {replicated}
// |     %arg1    f32[8,64]  [2,64]       {devices=[4,1]<=[4]}
// |
// |   results      global      on a device  spec
// |     result[0]  f32[64,32]  [16,32]      {devices=[4,1]<=[4]}
// |     result[1]  f32[8,32]   [2,32]       {devices=[4,1]<=[4]}
// ==== shardwright lint %s --partitioner gspmd --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "full-remat",
// |     "severity": "warning",
// |     "line": 7,
// |     "source": null,
// |     "value": "%1",
// |     "message": "no direct way from {maximal device=0} to {devices=[4,1]<=[4]}: gathered whole on every device (full rematerialization), by 1 all-reduce; wanted is `4 tiles` on dimension 0 from %1 custom_call (line 7)",
// |     "bytes": 8192,
// |     "fix": "it is made on one device: let each device make its own piece, in jax.shard_map"
// |   }
// | ]
