// A callback runs on one device; cutting its result means that every device gets all of it first.
// RUN: shardwright plan %s
// RUN: shardwright lint %s --format json
module @jit_host_callback_result_then_sharded attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["fsdp"=4]> {stablehlo.mesh = {axes = [{name = "fsdp", size = 4 : i64}]}}
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]> {stablehlo.mesh = {axes = [], device_ids = dense<0> : tensor<1xi64>}}
  func.func public @main(%arg0: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg1: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> (tensor<64x32xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<8x32xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {backend_config = "", mhlo.backend_config = {index = 0 : ui64}, operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<f32>) -> tensor<64x32xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"fsdp"}, {}]> : tensor<64x32xf32>
    %2 = stablehlo.dot_general %arg1, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    return %1, %2 : tensor<64x32xf32>, tensor<8x32xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | host_callback_result_then_sharded  ·  full_remat_host_callback.mlir (StableHLO, 3 operations)  ·  mesh fsdp=4 (4 devices)  ·  Shardy
// |
// |   arguments  516 B on a device, of 2.0 KiB in 2 arguments
// |   values     3 sharded, 2 whole on every device
// |
// |   collectives    16.0 KiB a device and step, in 2 collectives
// |     over {fsdp}  4 of 4  16.0 KiB  1 all-reduce (8.0 KiB), 1 all-gather (8.0 KiB)
// |
// |   largest collectives
// |     all-reduce  over {fsdp}  f32[64,32]  8.0 KiB  line 9   no direct way from {maximal device=0} to P('fsdp', None): gathered whole on every device (full rematerialization)
// |     all-gather  over {fsdp}  f32[64,32]  8.0 KiB  line 10  dot_general takes %1 as P(), it is P('fsdp', None)
// |
// |   findings
// |     full-remat            line 9   %1 sharding_constraint: no direct way from {maximal device=0} to P('fsdp', None): gathered whole on every device (full rematerialization), by 1 all-reduce; wanted is `fsdp` on dimension 0 from %1 sharding_constraint (line 9) (8.0 KiB on each device)
// |                           └ it is made on one device: let each device make its own piece, in jax.shard_map
// |     axis-conflict         line 10   %2 dot_general: dimension 0 of %arg1 and dimension 0 of %1 both want `fsdp`, and %1 is gathered along it (6.0 KiB on each device)
// |                           └ shard dimension 0 of %1 by another axis, or not at all
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[]      []           P()
// |     %arg1    f32[8,64]  [2,64]       P('fsdp', None)
// |
// |   results      global      on a device  spec
// |     result[0]  f32[64,32]  [16,32]      P('fsdp', None)
// |     result[1]  f32[8,32]   [2,32]       P('fsdp', None)
// ==== shardwright lint %s --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "full-remat",
// |     "severity": "warning",
// |     "line": 9,
// |     "source": null,
// |     "value": "%1",
// |     "message": "no direct way from {maximal device=0} to P('fsdp', None): gathered whole on every device (full rematerialization), by 1 all-reduce; wanted is `fsdp` on dimension 0 from %1 sharding_constraint (line 9)",
// |     "bytes": 8192,
// |     "fix": "it is made on one device: let each device make its own piece, in jax.shard_map"
// |   },
// |   {
// |     "rule": "axis-conflict",
// |     "severity": "warning",
// |     "line": 10,
// |     "source": null,
// |     "value": "%2",
// |     "message": "dimension 0 of %arg1 and dimension 0 of %1 both want `fsdp`, and %1 is gathered along it",
// |     "bytes": 6144,
// |     "fix": "shard dimension 0 of %1 by another axis, or not at all"
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 8,
// |     "source": null,
// |     "value": "%0",
// |     "message": "1 value depends on the partitioner or on the order of propagation: <@maximal_mesh_0, []> by Shardy and 8 more or P('fsdp', None) by GSPMD and 6 more",
// |     "bytes": 6144,
// |     "fix": "annotate what these values are computed from: pins that settle it were not found in 8 propagations",
// |     "bytes_least": 2048,
// |     "bytes_most": 8192,
// |     "values": [{"value": "%0", "line": 8, "source": null, "outcomes": [{"sharding": "<@maximal_mesh_0, []>", "bytes": 8192, "ways": ["Shardy", "Shardy reversed", "Shardy backward first", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic", "Shardy basic first"]}, {"sharding": "P('fsdp', None)", "bytes": 2048, "ways": ["GSPMD", "GSPMD reversed", "GSPMD backward first", "GSPMD shuffled 1", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}]}],
// |     "pins": []
// |   }
// | ]
