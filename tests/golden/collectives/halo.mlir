// A convolution along a sharded image reads the rows of the neighbours.
// RUN: shardwright collectives %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<1x1x64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}, {}]>} loc("image"), %arg1: tensor<1x1x3x3xf32> loc("kernel")) -> (tensor<1x1x64x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x64x32xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x64x32xf32> loc("jit(step)/conv_general_dilated"("model.py":7:4 to :9))
    return %0 : tensor<1x1x64x32xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  halo.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   256 B a device and step, in 2 collectives
// |
// |   over {y}   256 B: 2 collective-permute (256 B)
// |     collective-permute  f32[1,1,1,32]  128 B × 2  256 B  model.py:7  convolution reads across the borders between devices
