// RUN: shardwright plan %s --partitioner shardy
// Shardy makes the operands and the result of a concatenation agree before it hands the program on: the first takes the operand's
// sharding, and since "x" may not stay on the joined dimension either, it goes to the other one. The product is left in the sharding of
// its operand, and the smaller result is moved.
module @explicit_reshards attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(
      %a: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
      %b: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
      %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
      %d: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
      -> (tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
          tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
          tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %0 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x64xf32>
    %2 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}, {}]> : tensor<64x16xf32>
    %4 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"y"}, {}]> : tensor<64x8xf32>
    return %1, %3, %5 : tensor<8x64xf32>, tensor<64x16xf32>, tensor<64x8xf32>
  }
}
// ==== shardwright plan %s --partitioner shardy
// ---- exit 0
// ---- stdout
// | explicit_reshards  ·  explicit_reshards.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   arguments  3.0 KiB on a device, of 21.0 KiB in 4 arguments
// |   values     10 sharded, 0 whole on every device
// |
// |   collectives    7.8 KiB a device and step, in 5 collectives
// |     over {x, y}  8 of 8  6.5 KiB  2 all-gather (6.0 KiB), 1 collective-permute (512 B)
// |     over {y}     4 of 8  1.0 KiB  1 all-reduce (1.0 KiB)
// |     over {x}     2 of 8  256 B    1 all-to-all (256 B)
// |
// |   largest collectives
// |     all-gather          over {x, y}  f32[64,16]     4.0 KiB  line 17  no direct way from P(None, ('y', 'x')) to P('y', None): gathered whole on every device (full rematerialization)
// |     all-gather          over {x, y}  f32[8,64]      2.0 KiB  line 15  no direct way from P(('y', 'x'), None) to P(None, 'x'): gathered whole on every device (full rematerialization)
// |     all-reduce          over {y}     f32[32,8]      1.0 KiB  line 19  dot_general sums over a sharded dimension
// |     collective-permute  over {x, y}  f32[16,8]      512 B    line 19  dot_general takes %4 as P('y', None), it is P('x', None)
// |     all-to-all          over {x}     f32[16,1,2,2]  256 B    line 17  concatenate takes %b as P(None, ('y', 'x')), it is P('x', 'y')
// |
// |   findings
// |     full-remat            line 17   %2 concatenate: no direct way from P(None, ('y', 'x')) to P('y', None): gathered whole on every device (full rematerialization), by 1 all-gather; it has `y` on dimension 0 from %2 concatenate (line 17) (4.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y', 'x'))  # x: concatenate %2, line 17
// |                           └ then it is 1 all-gather, 1 all-to-all, 1 collective-permute (2.0 KiB on each device instead of 4.0 KiB)
// |     full-remat            line 15   %0 concatenate: no direct way from P(('y', 'x'), None) to P(None, 'x'): gathered whole on every device (full rematerialization), by 1 all-gather; it has `x` on dimension 1 from %0 concatenate (line 15) (2.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('y', 'x'))  # x: concatenate %0, line 15
// |                           └ then it is 1 all-gather, 1 all-to-all (1.2 KiB on each device instead of 2.0 KiB)
// |
// |   arguments  global      on a device  spec
// |     %a       f32[8,32]   [2,32]       P('y', None)
// |     %b       f32[32,16]  [16,4]       P('x', 'y')
// |     %c       f32[64,64]  [32,16]      P('x', 'y')
// |     %d       f32[64,8]   [16,8]       P('y', None)
// |
// |   results      global      on a device  spec
// |     result[0]  f32[8,64]   [8,32]       P(None, 'x')
// |     result[1]  f32[64,16]  [16,16]      P('y', None)
// |     result[2]  f32[64,8]   [16,8]       P('y', None)
