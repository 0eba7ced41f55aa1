// RUN: shardwright plan %s --partitioner none
// RUN: shardwright plan %d/as_written_sdy.mlir --partitioner none
// Nothing is propagated: the product is partitioned with the shardings that stand on it and on its operands, here in HLO's spelling and in
// the other file in Shardy's. The loop hands on what it is given, and %0, which has none, is whole on every device.
module @as_written attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(
      %a: tensor<64x32xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"},
      %b: tensor<32x64xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"})
      -> (tensor<64x64xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, tensor<32x64xf32>) {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:2 = stablehlo.while(%i = %c, %x = %1) : tensor<i32>, tensor<64x64xf32> attributes {mhlo.sharding = "{{replicated}, {devices=[2,1,4]<=[8] last_tile_dim_replicate}}"}
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      %5 = stablehlo.add %x, %1 {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : tensor<64x64xf32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<64x64xf32>
    }
    %0 = stablehlo.negate %b : tensor<32x64xf32>
    return %2#1, %0 : tensor<64x64xf32>, tensor<32x64xf32>
  }
}
// ==== shardwright plan %s --partitioner none
// ---- exit 0
// ---- stdout
// | as_written  ·  as_written.mlir (StableHLO, 9 operations)  ·  as written
// |
// |   arguments  3.0 KiB on a device, of 16.0 KiB in 2 arguments
// |   values     5 sharded, 11 whole on every device
// |
// |   collectives    16.0 KiB a device and step, in 2 collectives
// |     in [2,4]<=[8]  4 of 8  16.0 KiB  1 all-reduce (8.0 KiB), 1 all-gather (8.0 KiB)
// |
// |   largest collectives
// |     all-reduce  in [2,4]<=[8]  f32[32,64]  8.0 KiB  line 10  dot_general sums over a sharded dimension
// |     all-gather  in [2,4]<=[8]  f32[32,64]  8.0 KiB  line 23  negate takes %b as {replicated}, it is {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}
// |
// |   arguments  global      on a device  spec
// |     %a       f32[64,32]  [32,8]       {devices=[2,4]<=[8]}
// |     %b       f32[32,64]  [8,64]       {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}
// |
// |   results      global      on a device  spec
// |     result[0]  f32[64,64]  [32,64]      {devices=[2,1,4]<=[8] last_tile_dim_replicate}
// |     result[1]  f32[32,64]  [32,64]      P()
// ==== shardwright plan %d/as_written_sdy.mlir --partitioner none
// ---- exit 0
// ---- stdout
// | as_written_sdy  ·  as_written_sdy.mlir (StableHLO, 4 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  as written
// |
// |   arguments  3.0 KiB on a device, of 16.0 KiB in 2 arguments
// |   values     5 sharded, 1 whole on every device
// |
// |   collectives    48.0 KiB a device and step, in 5 collectives
// |     over {x}  2 of 8  32.0 KiB  2 all-to-all (24.0 KiB), 1 collective-permute (8.0 KiB)
// |     over {y}  4 of 8  16.0 KiB  1 all-reduce (8.0 KiB), 1 all-gather (8.0 KiB)
// |
// |   largest collectives
// |     all-to-all          over {x}  f32[2,64,32]  16.0 KiB  line 9   slice takes %2 as P('x', None), it is P(None, 'x')
// |     all-reduce          over {y}  f32[32,64]    8.0 KiB   line 7   dot_general sums over a sharded dimension
// |     all-to-all          over {x}  f32[32,2,32]  8.0 KiB   line 8   concatenate takes %1 as P(None, 'x'), it is P('x', None)
// |     collective-permute  over {x}  f32[32,64]    8.0 KiB   line 9   slice reads across the borders between devices
// |     all-gather          over {y}  f32[32,64]    8.0 KiB   line 10  negate takes %b as P(), it is P('y', None)
// |
// |   arguments  global      on a device  spec
// |     %a       f32[64,32]  [32,8]       P('x', 'y')
// |     %b       f32[32,64]  [8,64]       P('y', None)
// |
// |   results      global      on a device  spec
// |     result[0]  f32[64,64]  [32,64]      P('x', None)
// |     result[1]  f32[32,64]  [32,64]      P()
