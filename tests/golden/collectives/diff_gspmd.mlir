// The step of diff.mlir as JAX lowers it for GSPMD, without a mesh: beside the other, its groups have the names of that mesh.
// RUN: shardwright diff %d/diff.mlir %s
// RUN: shardwright collectives %s
module @jit_step attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"} loc("x"),
                         %arg1: tensor<32x16xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} loc("params['w']"))
      -> (tensor<64x16xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/dot_general"("model.py":7:4 to :9))
    %1 = stablehlo.tanh %0 : tensor<64x16xf32> loc("jit(step)/tanh"("model.py":8:4 to :9))
    return %1 : tensor<64x16xf32>
  }
}
// ==== shardwright diff %d/diff.mlir %s
// ---- exit 1
// ---- stdout
// | diff.mlir and diff_gspmd.mlir differ on 4 of 4 values and on 1 result of main; a step moves 4.0 KiB more a device under diff.mlir.
// |
// |   1  x  f32[64,32]   argument   -4.0 KiB of collectives
// |      diff.mlir        P('x', 'y')           1.0 KiB
// |      diff_gspmd.mlir  {devices=[2,4]<=[8]}  1.0 KiB
// |      how diff.mlir came to it
// |        x on dimension 0  from  x  argument  annotated
// |        y on dimension 1  from  x  argument  annotated
// |      how diff_gspmd.mlir came to it
// |        2 tiles on dimension 0  from  x  argument  annotated
// |        4 tiles on dimension 1  from  x  argument  annotated
// |      2 more follow from it
// |        %0  dot_general  model.py:7  P('x', None)  {devices=[2,1,4]<=[8] last_tile_d…  same bytes
// |        %1  tanh         model.py:8  P('x', None)  {devices=[2,1,4]<=[8] last_tile_d…  same bytes
// |
// |   2  params['w']  f32[32,16]   argument
// |      diff.mlir        P('y', None)                                            512 B
// |      diff_gspmd.mlir  {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}  512 B
// |      how diff.mlir came to it
// |        y on dimension 0  from  params['w']  argument  annotated
// |      how diff_gspmd.mlir came to it
// |        4 tiles on dimension 0  from  params['w']  argument  annotated
// |
// |   results of main
// |              diff.mlir  diff_gspmd.mlir
// |      result  P()        {devices=[2,1,4]<=[8] last_tile_dim_replicate}
// |
// |   collectives a step, and bytes of their results on a device
// |                            diff.mlir    diff_gspmd.mlir
// |      all-gather  over {x}  1 (4.0 KiB)  -                -4.0 KiB
// |      all-reduce  over {y}  1 (2.0 KiB)  1 (2.0 KiB)      same bytes
// |
// |   collectives that differ
// |                                                  diff.mlir    diff_gspmd.mlir
// |      vanishes  all-gather  over {x}  f32[64,16]  1 (4.0 KiB)  -                -4.0 KiB  model.py:8  result is to be P(), it is P('x', None)
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  diff_gspmd.mlir (StableHLO, 2 operations)  ·  GSPMD
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   in [2,4]<=[8]  4 of 8   2.0 KiB: 1 all-reduce (2.0 KiB)
// |     all-reduce  f32[32,16]  2.0 KiB    model.py:7  dot_general sums over a sharded dimension
