// RUN: shardwright run %s
module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4000000x1000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4000000x1000000xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4000000x1000000xf32>
    return %0 : tensor<4000000x1000000xf32>
  }
}
// ==== shardwright run %s
// ---- exit 4
// ---- stderr
// | error: running this takes about 59604.6 GiB of memory: 29802.3 GiB for the program as written, 14901.2 GiB on each of 2 devices; this machine does not have that left [too-large]
// | help: smaller shapes or fewer devices (`--mesh`) show the same collectives
