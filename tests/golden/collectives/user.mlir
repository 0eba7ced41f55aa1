// The user's own collectives, in a shard_map, beside one that the partitioner adds after it.
// RUN: shardwright collectives %s
// RUN: shardwright collectives %s --partitioner gspmd
// RUN: shardwright collectives %s --format json
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("a")) -> (tensor<32xf32> {jax.result_info = "result[0]"}, tensor<64x32xf32> {jax.result_info = "result[1]"}, tensor<64x8xf32> {jax.result_info = "result[2]"}, tensor<16x128xf32> {jax.result_info = "result[3]"}) {
    %0:4 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<32x8xf32>) {
      %3 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<32x8xf32>) -> tensor<32x32xf32> loc("jit(step)/shard_map/all_gather"("model.py":7:4 to :9))
      %4 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<32x8xf32>) -> tensor<32x8xf32> loc("jit(step)/shard_map/ppermute"("model.py":8:4 to :9))
      %5 = "stablehlo.reduce_scatter"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %7 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %7 : tensor<f32>
      }) : (tensor<32x8xf32>) -> tensor<8x8xf32> loc("jit(step)/shard_map/reduce_scatter"("model.py":9:4 to :9))
      %6 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<32x8xf32>) -> tensor<8x32xf32> loc("jit(step)/shard_map/all_to_all"("model.py":10:4 to :9))
      sdy.return %3, %4, %5, %6 : tensor<32x32xf32>, tensor<32x8xf32>, tensor<8x8xf32>, tensor<8x32xf32>
    } : (tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x8xf32>, tensor<16x128xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32> loc("jit(step)/shard_map/reduce_sum"("model.py":11:4 to :9))
    %2 = sdy.sharding_constraint %1 <@mesh, [{}]> : tensor<32xf32>
    return %2, %0#1, %0#2, %0#3 : tensor<32xf32>, tensor<64x32xf32>, tensor<64x8xf32>, tensor<16x128xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  user.mlir (StableHLO, 10 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   6.4 KiB a device and step, in 5 collectives; 4 of them your own (6.2 KiB)
// |
// |   over {y}  4 of 8   5.2 KiB: 1 all-gather (4.0 KiB), 1 all-to-all (1.0 KiB), 1 reduce-scatter (256 B)
// |     all-gather      f32[32,32]  4.0 KiB    model.py:7   your own, in shard_map
// |     all-to-all      f32[32,8]   1.0 KiB    model.py:10  your own, in shard_map
// |     reduce-scatter  f32[8,8]    256 B      model.py:9   your own, in shard_map
// |
// |   over {x}  2 of 8   1.1 KiB: 1 collective-permute (1.0 KiB), 1 all-reduce (128 B)
// |     collective-permute  f32[32,8]  1.0 KiB    model.py:8   your own, in shard_map
// |     all-reduce          f32[32]    128 B      model.py:11  reduce over a sharded dimension
// ==== shardwright collectives %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | step  ·  user.mlir (StableHLO, 10 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |   6.4 KiB a device and step, in 5 collectives; 4 of them your own (6.2 KiB)
// |
// |   over {y}  4 of 8   5.2 KiB: 1 all-gather (4.0 KiB), 1 all-to-all (1.0 KiB), 1 reduce-scatter (256 B)
// |     all-gather      f32[32,32]  4.0 KiB    model.py:7   your own, in shard_map
// |     all-to-all      f32[32,8]   1.0 KiB    model.py:10  your own, in shard_map
// |     reduce-scatter  f32[8,8]    256 B      model.py:9   your own, in shard_map
// |
// |   over {x}  2 of 8   1.1 KiB: 1 collective-permute (1.0 KiB), 1 all-reduce (128 B)
// |     collective-permute  f32[32,8]  1.0 KiB    model.py:8   your own, in shard_map
// |     all-reduce          f32[32]    128 B      model.py:11  reduce over a sharded dimension
// ==== shardwright collectives %s --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "user.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {"name": "mesh", "axes": [{"name": "x", "size": 2}, {"name": "y", "size": 4}], "device_ids": null}
// |   ],
// |   "backend": "none",
// |   "device_count": 8,
// |   "total": {
// |     "runs": 5,
// |     "bytes": 6528
// |   },
// |   "by": "axis",
// |   "sums": [
// |     {"label": "over {y}", "axes": ["y"], "group_size": 4, "runs": 3, "bytes": 5376, "collectives": [0, 3, 2]},
// |     {"label": "over {x}", "axes": ["x"], "group_size": 2, "runs": 2, "bytes": 1152, "collectives": [1, 4]}
// |   ],
// |   "collectives": [
// |     {"op": "all-gather", "shape": "f32[32,32]", "groups": [[0, 1, 2, 3], [4, 5, 6, 7]], "iota": null, "group_size": 4, "group_count": 2, "dims": [1], "axes": ["y"], "follows_axes": true, "computation": "manual_computation_body_1_spmd", "trip_count": 1, "bytes": 4096, "user": true, "cause": {"value": "%3", "operand": null, "line": 9, "source": "model.py:7", "reason": "user", "from": null, "to": null, "why": "your own, in shard_map"}, "merged": []},
// |     {"op": "collective-permute", "shape": "f32[32,8]", "groups": [[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]], "iota": null, "group_size": null, "group_count": 8, "dims": null, "axes": ["x"], "follows_axes": true, "computation": "manual_computation_body_1_spmd", "trip_count": 1, "bytes": 1024, "user": true, "cause": {"value": "%4", "operand": null, "line": 10, "source": "model.py:8", "reason": "user", "from": null, "to": null, "why": "your own, in shard_map"}, "merged": []},
// |     {"op": "reduce-scatter", "shape": "f32[8,8]", "groups": [[0, 1, 2, 3], [4, 5, 6, 7]], "iota": null, "group_size": 4, "group_count": 2, "dims": [0], "axes": ["y"], "follows_axes": true, "computation": "manual_computation_body_1_spmd", "trip_count": 1, "bytes": 256, "user": true, "cause": {"value": "%5", "operand": null, "line": 11, "source": "model.py:9", "reason": "user", "from": null, "to": null, "why": "your own, in shard_map"}, "merged": []},
// |     {"op": "all-to-all", "shape": "f32[32,8]", "groups": [[0, 1, 2, 3], [4, 5, 6, 7]], "iota": null, "group_size": 4, "group_count": 2, "dims": [0], "axes": ["y"], "follows_axes": true, "computation": "manual_computation_body_1_spmd", "trip_count": 1, "bytes": 1024, "user": true, "cause": {"value": "%6", "operand": null, "line": 16, "source": "model.py:10", "reason": "user", "from": null, "to": null, "why": "your own, in shard_map"}, "merged": []},
// |     {"op": "all-reduce", "shape": "f32[32]", "groups": [[0, 4], [1, 5], [2, 6], [3, 7]], "iota": "[4,2]<=[2,4]T(1,0)", "group_size": 2, "group_count": 4, "dims": null, "axes": ["x"], "follows_axes": true, "computation": "main_spmd", "trip_count": 1, "bytes": 128, "user": false, "cause": {"value": "%1", "operand": null, "line": 20, "source": "model.py:11", "reason": "reduction", "from": {"sdy": "<@mesh, [{\"x\"}, {}]>", "hlo": "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "spec": "P('x', None)"}, "to": {"sdy": "<@mesh, [{}]>", "hlo": "{replicated}", "spec": "P()"}, "why": "reduce over a sharded dimension"}, "merged": []}
// |   ]
// | }
