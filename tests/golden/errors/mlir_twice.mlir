// RUN: shardwright plan %s
// A function and a mesh defined twice, aliases that are not defined or stand for themselves.
#loc1 = loc(#loc2)
#loc2 = loc(callsite(#loc1 at unknown))
#spec = #spec
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %arg0 {a = #other} : tensor<f32>
  %1 = stablehlo.abs %arg0 : !handle
  %2 = stablehlo.abs %arg0 : tensor<f32> loc(#loc7)
  return %arg0 : tensor<f32>
}
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_twice.mlir:4:22: error: location `#loc1` stands for itself [bad-attribute]
// |   4 | #loc2 = loc(callsite(#loc1 at unknown))
// |     |                      ^~~~~
// | mlir_twice.mlir:5:9: error: `#spec` stands for itself [bad-attribute]
// |   5 | #spec = #spec
// |     |         ^~~~~
// | mlir_twice.mlir:7:10: error: mesh `@mesh` is defined twice [duplicate-symbol]
// |   7 | sdy.mesh @mesh = <["x"=4]>
// |     |          ^~~~~
// | mlir_twice.mlir:9:33: error: attribute `#other` is not defined [unknown-name]
// |   9 |   %0 = stablehlo.abs %arg0 {a = #other} : tensor<f32>
// |     |                                 ^~~~~~
// | mlir_twice.mlir:10:30: error: type alias `!handle` is not defined [unknown-name]
// |   10 |   %1 = stablehlo.abs %arg0 : !handle
// |      |                              ^~~~~~~
// | mlir_twice.mlir:11:46: error: location `#loc7` is not defined [unknown-name]
// |   11 |   %2 = stablehlo.abs %arg0 : tensor<f32> loc(#loc7)
// |      |                                              ^~~~~
// | mlir_twice.mlir:14:11: error: function `@main` is defined twice [duplicate-symbol]
// |   14 | func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
// |      |           ^~~~~
// | mlir_twice.mlir:8:11: note: first defined here
// |   8 | func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
// |     |           ^~~~~
