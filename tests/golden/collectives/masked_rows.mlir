// An embedding that is sharded over its rows: every device looks up those it has.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("params['embedding']"), %arg1: tensor<16x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("tokens")) -> (tensor<16x32xf32> {jax.result_info = "result"}) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<16x1xi32>) -> tensor<16x32xf32> loc("jit(step)/gather"("model.py":7:4 to :9))
    return %0 : tensor<16x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  masked_rows.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   512 B a device and step, in 1 collective
// |
// |   over {x}  2 of 8   512 B: 1 all-reduce (512 B)
// |     all-reduce  f32[4,32]  512 B    model.py:7  gather from a sharded dimension: each device has some of the rows
