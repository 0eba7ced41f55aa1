// A sum over a dimension that is cut, and its result on every device: an all-reduce, and nothing to report.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --partitioner gspmd
module @needed_all_reduce {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.tanh %0 : tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | needed_all_reduce  ·  needed_all_reduce.mlir (StableHLO, 2 operations)  ·  mesh x=4 × y=2 (8 devices)  ·  Shardy
// |
// |   arguments  2.2 KiB on a device, of 10.0 KiB in 2 arguments
// |   values     4 sharded, 0 whole on every device
// |
// |   collectives    512 B a device and step, in 1 collective
// |     over {x}  4 of 8  512 B  1 all-reduce (512 B)
// |
// |   largest collectives
// |     all-reduce  over {x}  f32[4,32]  512 B  line 7  dot_general sums over a sharded dimension
// |
// |   arguments  global      on a device  spec
// |     %arg0    f32[8,64]   [4,16]       P('y', 'x')
// |     %arg1    f32[64,32]  [16,32]      P('x', None)
// |
// |   results      global     on a device  spec
// |     result[0]  f32[8,32]  [4,32]       P('y', None)
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | needed_all_reduce  ·  needed_all_reduce.mlir (StableHLO, 2 operations)  ·  mesh x=4 × y=2 (8 devices)  ·  GSPMD
// |
// |   arguments  2.2 KiB on a device, of 10.0 KiB in 2 arguments
// |   values     4 sharded, 0 whole on every device
// |
// |   collectives    512 B a device and step, in 1 collective
// |     over {x}  4 of 8  512 B  1 all-reduce (512 B)
// |
// |   largest collectives
// |     all-reduce  over {x}  f32[4,32]  512 B  line 7  dot_general sums over a sharded dimension
// |
// |   arguments  global      on a device  spec
// |     %arg0    f32[8,64]   [4,16]       P('y', 'x')
// |     %arg1    f32[64,32]  [16,32]      P('x', None)
// |
// |   results      global     on a device  spec
// |     result[0]  f32[8,32]  [4,32]       P('y', None)
