// No mesh and no sharding: said first, with the way to give some.
// RUN: shardwright plan %s
module @jit_f {
  func.func public @main(%arg0: tensor<64x32xf32> loc("params['w']"), %arg1: tensor<8x64xf32> loc("x")) -> tensor<8x32xf32> {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | f  ·  no_shardings.mlir (StableHLO, 1 operation)  ·  Shardy
// |
// |   no shardings    every value is whole on every device: the file names no mesh and no sharding
// |   to give some    shardwright plan no_shardings.mlir --mesh data=2,model=4 --shard "params['w']=P(None, 'model')"
// |
// |   arguments  10.0 KiB on a device, of 10.0 KiB in 2 arguments
// |
// |   collectives    none
// |
// |   arguments      global      on a device  spec
// |     params['w']  f32[64,32]  [64,32]      P()
// |     x            f32[8,64]   [8,64]       P()
// |
// |   results      global     on a device  spec
// |     result[0]  f32[8,32]  [8,32]       P()
