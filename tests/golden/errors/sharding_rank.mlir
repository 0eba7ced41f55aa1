// A sharding for a value of another rank, on an argument and on an operation.
// RUN: shardwright plan %s
module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<64x32xf32> {
    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | sharding_rank.mlir:5:26: error: the sharding of `%arg0` has 1 dimension, the value has 2 [sharding-rank]
// |   5 |   func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<...
// |     |                          ^~~~~
// | sharding_rank.mlir:6:5: error: the sharding of `%0` has 3 dimensions, the value has 2 [sharding-rank]
// |   6 |     %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : tenso...
// |     |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
