// Rows that are asked for whole: an all-gather, no more than that, and nothing to report.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --partitioner gspmd
module @needed_all_gather {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<8x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<8x64xf32>
    return %1 : tensor<8x64xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | needed_all_gather  ·  needed_all_gather.mlir (StableHLO, 2 operations)  ·  mesh x=4 (4 devices)  ·  Shardy
// |
// |   arguments  512 B on a device, of 2.0 KiB in 1 argument
// |   values     1 sharded, 2 whole on every device
// |
// |   collectives    2.0 KiB a device and step, in 1 collective
// |     over {x}  4 of 4  2.0 KiB  1 all-gather (2.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {x}  f32[8,64]  2.0 KiB  line 7  tanh takes %arg0 as P(), it is P('x', None)
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[8,64]  [2,64]       P('x', None)
// |
// |   results      global     on a device  spec
// |     result[0]  f32[8,64]  [8,64]       P()
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | needed_all_gather  ·  needed_all_gather.mlir (StableHLO, 2 operations)  ·  mesh x=4 (4 devices)  ·  GSPMD
// |
// |   arguments  512 B on a device, of 2.0 KiB in 1 argument
// |   values     1 sharded, 2 whole on every device
// |
// |   collectives    2.0 KiB a device and step, in 1 collective
// |     over {x}  4 of 4  2.0 KiB  1 all-gather (2.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {x}  f32[8,64]  2.0 KiB  line 7  tanh takes %arg0 as P(), it is P('x', None)
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[8,64]  [2,64]       P('x', None)
// |
// |   results      global     on a device  spec
// |     result[0]  f32[8,64]  [8,64]       P()
