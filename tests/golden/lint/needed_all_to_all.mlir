// One axis moves from the rows to the columns, beside another that stays: an all-to-all, and nothing to report.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --partitioner gspmd
module @needed_all_to_all {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> (tensor<16x64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<16x64x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}, {"y"}]> : tensor<16x64x8xf32>
    return %1 : tensor<16x64x8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | needed_all_to_all  ·  needed_all_to_all.mlir (StableHLO, 2 operations)  ·  mesh x=4 × y=2 (8 devices)  ·  Shardy
// |
// |   arguments  4.0 KiB on a device, of 32.0 KiB in 1 argument
// |   values     3 sharded, 0 whole on every device
// |
// |   collectives    4.0 KiB a device and step, in 1 collective
// |     over {x}  4 of 8  4.0 KiB  1 all-to-all (4.0 KiB)
// |
// |   largest collectives
// |     all-to-all  over {x}  f32[4,4,16,4]  4.0 KiB  line 7  tanh takes %arg0 as P(None, 'x', 'y'), it is P('x', None, 'y')
// |
// |   arguments  global        on a device  spec
// |     %arg0    f32[16,64,8]  [4,64,4]     P('x', None, 'y')
// |
// |   results      global        on a device  spec
// |     result[0]  f32[16,64,8]  [16,16,4]    P(None, 'x', 'y')
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | needed_all_to_all  ·  needed_all_to_all.mlir (StableHLO, 2 operations)  ·  mesh x=4 × y=2 (8 devices)  ·  GSPMD
// |
// |   arguments  4.0 KiB on a device, of 32.0 KiB in 1 argument
// |   values     3 sharded, 0 whole on every device
// |
// |   collectives    4.0 KiB a device and step, in 1 collective
// |     over {x}  4 of 8  4.0 KiB  1 all-to-all (4.0 KiB)
// |
// |   largest collectives
// |     all-to-all  over {x}  f32[4,4,16,4]  4.0 KiB  line 7  tanh takes %arg0 as P(None, 'x', 'y'), it is P('x', None, 'y')
// |
// |   arguments  global        on a device  spec
// |     %arg0    f32[16,64,8]  [4,64,4]     P('x', None, 'y')
// |
// |   results      global        on a device  spec
// |     result[0]  f32[16,64,8]  [16,16,4]    P(None, 'x', 'y')
