// The step of diff.mlir with collectives of its own.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("x"),
                         %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("params['w']"))
      -> (tensor<64x16xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<32x8xf32>, %arg3: tensor<8x16xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32> loc("jit(step)/shard_map/dot_general"("manual.py":17:4 to :9))
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %5 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32> loc("jit(step)/shard_map/psum"("manual.py":18:4 to :9))
      %3 = stablehlo.tanh %2 : tensor<32x16xf32> loc("jit(step)/shard_map/tanh"("manual.py":19:4 to :9))
      %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %5 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/shard_map/psum_scatter"("manual.py":20:4 to :9))
      sdy.return %4 : tensor<8x16xf32>
    } : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/shard_map"("manual.py":16:4 to :9))
    return %0 : tensor<64x16xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  diff_shard_map.mlir (StableHLO, 7 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   2.5 KiB a device and step, in 2 collectives, all your own
// |
// |   over {y}  4 of 8   2.5 KiB: 1 all-reduce (2.0 KiB), 1 reduce-scatter (512 B)
// |     all-reduce      f32[32,16]  2.0 KiB    manual.py:18  your own, in shard_map
// |     reduce-scatter  f32[8,16]   512 B      manual.py:20  your own, in shard_map
