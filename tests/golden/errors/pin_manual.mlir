// A pin inside a manual computation cannot use the axes that the computation has taken; the others it can.
// RUN: shardwright plan %s --pin "%1=P('x')"
// RUN: shardwright plan %s --pin "%1=P('y')"
module @jit_f {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x32xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<32x32xf32>) {
      %1 = stablehlo.tanh %arg1 : tensor<32x32xf32>
      sdy.return %1 : tensor<32x32xf32>
    } : (tensor<64x32xf32>) -> tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
}
// ==== shardwright plan %s --pin "%1=P('x')"
// ---- exit 2
// ---- stderr
// | --pin:1:4: error: the sharding of `%1` uses axis `x`, which is manual in the computation around it [invalid-sharding]
// |   1 | %1=P('x')
// |     |    ^~~~~~
// ==== shardwright plan %s --pin "%1=P('y')"
// ---- exit 0
// ---- stdout
// | f  ·  pin_manual.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   arguments  4.0 KiB on a device, of 8.0 KiB in 1 argument
// |   values     4 sharded, 0 whole on every device
// |
// |   collectives    none
// |
// |   arguments  global      on a device  spec
// |     %arg0    f32[64,32]  [32,32]      P('x', None)
// |
// |   results      global      on a device  spec
// |     result[0]  f32[64,32]  [8,32]       P(('x', 'y'), None)
