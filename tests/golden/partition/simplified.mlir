// RUN: shardwright plan %s --partitioner shardy
// What XLA simplifies away before Shardy sees the program costs nothing: the update that writes all of %b, the select of two zeros with
// the sort behind its predicate. Two reshapes are one, which the tiles of dimension 1 cannot follow. Indices that are known are a constant.
module @simplified attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(
      %a: tensor<8x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>},
      %b: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
      -> (tensor<512xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x2xf32>) {
    %0 = stablehlo.reshape %a : (tensor<8x4x16xf32>) -> tensor<8x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x64xf32>) -> tensor<512xf32>
    %2 = "stablehlo.sort"(%b) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %9 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %2, %b, %c, %c : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<0.0> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %6 = stablehlo.compare EQ, %2, %4, FLOAT : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xi1>
    %7 = stablehlo.select %6, %4, %5 : tensor<8x64xi1>, tensor<8x64xf32>
    %i = stablehlo.constant dense<[3, -1]> : tensor<2xi32>
    %z = stablehlo.constant dense<[false, true]> : tensor<2xi1>
    %n = stablehlo.constant dense<64> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %11 = stablehlo.add %i, %10 : tensor<2xi32>
    %12 = stablehlo.select %z, %11, %i : tensor<2xi1>, tensor<2xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %14 = "stablehlo.gather"(%b, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 8, 1>}> : (tensor<8x64xf32>, tensor<2x1xi32>) -> tensor<8x2xf32>
    return %1, %3, %7, %14 : tensor<512xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x2xf32>
  }
}
// ==== shardwright plan %s --partitioner shardy
// ---- exit 0
// ---- stdout
// | simplified  ·  simplified.mlir (StableHLO, 20 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   arguments  1.0 KiB on a device, of 4.0 KiB in 2 arguments
// |   values     3 sharded, 21 whole on every device
// |
// |   collectives    2.1 KiB a device and step, in 2 collectives
// |     over {y}  4 of 8  2.1 KiB  1 all-gather (2.0 KiB), 1 all-reduce (64 B)
// |
// |   largest collectives
// |     all-gather  over {y}  f32[8,4,16]  2.0 KiB  line 11  reshape takes %a as P(), it is P(None, 'y', None)
// |     all-reduce  over {y}  f32[8,2]     64 B     line 32  gather from a sharded dimension: each device has some of the rows
// |
// |   findings
// |     unused-axis           mesh axis `x` (2 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |
// |   arguments  global       on a device  spec
// |     %a       f32[8,4,16]  [8,1,16]     P(None, 'y', None)
// |     %b       f32[8,64]    [8,16]       P(None, 'y')
// |
// |   results      global     on a device  spec
// |     result[0]  f32[512]   [512]        P()
// |     result[1]  f32[8,64]  [8,16]       P(None, 'y')
// |     result[2]  f32[8,64]  [8,64]       P()
// |     result[3]  f32[8,2]   [8,2]        P()
