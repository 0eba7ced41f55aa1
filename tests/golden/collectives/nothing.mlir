// RUN: shardwright collectives %s --partitioner none
module @nothing {
  func.func public @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.negate %a : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// ==== shardwright collectives %s --partitioner none
// ---- exit 3
// ---- stderr
// | nothing.mlir:1:1: error: no sharding stands in this program, so there is nothing to partition it by [unsupported]
// |   1 | // RUN: shardwright collectives %s --partitioner none
// |     | ^
// | help: give arguments one, `--mesh x=2,y=4 --shard "ARGUMENT=P('x', 'y')"`
