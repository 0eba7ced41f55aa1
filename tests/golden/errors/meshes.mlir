// Meshes that cannot be.
// RUN: shardwright plan %s
module @jit_f {
  sdy.mesh @twice = <["x"=2, "x"=4]>
  sdy.mesh @zero = <["x"=0]>
  sdy.mesh @huge = <["x"=4294967296, "y"=4294967296]>
  sdy.mesh @order = <["x"=2], device_ids=[0, 2]>
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | meshes.mlir:4:30: error: the mesh has two axes named `x` [duplicate-axis]
// |   4 |   sdy.mesh @twice = <["x"=2, "x"=4]>
// |     |                              ^~~
// | meshes.mlir:4:23: note: first defined here
// | meshes.mlir:5:26: error: axis `x` has size 0, expected at least 1 [axis-size-invalid]
// |   5 |   sdy.mesh @zero = <["x"=0]>
// |     |                          ^
// | meshes.mlir:6:26: error: the mesh has too many devices with axis `x` of size 4294967296, expected fewer than 2^31 [invalid-mesh]
// |   6 |   sdy.mesh @huge = <["x"=4294967296, "y"=4294967296]>
// |     |                          ^~~~~~~~~~
// | meshes.mlir:7:46: error: device id 2 is not below the device count 2 [invalid-mesh]
// |   7 |   sdy.mesh @order = <["x"=2], device_ids=[0, 2]>
// |     |                                              ^
// | meshes.mlir:9:12: error: mesh `@mesh` is defined twice [duplicate-symbol]
// |   9 |   sdy.mesh @mesh = <["x"=4]>
// |     |            ^~~~~
