// What nothing is computed from, and arrays without elements, are not reported, whatever the order makes of them.
// RUN: shardwright lint %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                         %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                         %arg2: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<0x8xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
    %1 = stablehlo.tanh %0 : tensor<8x8xf32>
    %2 = stablehlo.tanh %arg0 : tensor<8x8xf32>
    %3 = stablehlo.slice %arg1 [0:0, 0:8] : (tensor<8x8xf32>) -> tensor<0x8xf32>
    %4 = stablehlo.add %3, %arg2 : tensor<0x8xf32>
    return %2, %4 : tensor<8x8xf32>, tensor<0x8xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 0
// ---- stdout
// | step  ·  dead_code.mlir (StableHLO, 5 operations)  ·  mesh x=2 (2 devices)  ·  Shardy
// |
// |   nothing to report
