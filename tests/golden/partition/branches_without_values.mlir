// Branches that use nothing from outside: what they are given is a tuple without elements, with `--partitioner none` too.
// RUN: shardwright plan %s --partitioner none
module @branches attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg1: tensor<i32>) -> tensor<4xf32> {
    %0 = "stablehlo.case"(%arg1) ({
      %c = stablehlo.constant dense<1.0> : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }, {
      %c = stablehlo.constant dense<2.0> : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// ==== shardwright plan %s --partitioner none
// ---- exit 0
// ---- stdout
// | branches  ·  branches_without_values.mlir (StableHLO, 5 operations)  ·  as written
// |
// |   arguments  12 B on a device, of 20 B in 2 arguments
// |   values     1 sharded, 6 whole on every device
// |
// |   collectives    16 B a device and step, in 1 collective
// |     over all devices  2 of 2  16 B  1 all-gather (16 B)
// |
// |   largest collectives
// |     all-gather  over all devices  f32[4]  16 B  line 13  add takes %arg0 as {replicated}, it is {devices=[2]<=[2]}
// |
// |   arguments  global  on a device  spec
// |     %arg0    f32[4]  [2]          {devices=[2]<=[2]}
// |     %arg1    i32[]   []           P()
// |
// |   results      global  on a device  spec
// |     result[0]  f32[4]  [4]          P()
