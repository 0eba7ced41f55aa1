// The gradient of an embedding: updates that are sharded over the batch are added up.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> loc("params['embedding']"), %arg1: tensor<16x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("tokens"), %arg2: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("gradient")) -> (tensor<64x32xf32> {jax.result_info = "result"}) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<16x1xi32>, tensor<16x32xf32>) -> tensor<64x32xf32> loc("jit(step)/scatter-add"("model.py":7:4 to :9))
    return %0 : tensor<64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  partial_updates.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   8.0 KiB a device and step, in 1 collective
// |
// |   over {x}  2 of 8   8.0 KiB: 1 all-reduce (8.0 KiB)
// |     all-reduce  f32[64,32]  8.0 KiB    model.py:7  scatter of sharded updates: each device has a part of the result
