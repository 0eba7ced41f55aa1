// RUN: shardwright plan %s
// The short form of an op of another dialect cannot be read; the generic form can.
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %c = arith.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.gather %arg0 : tensor<f32>
  %1 = "cf.br"()[^bb1] : () -> tensor<f32>
  %2 = "other.op"(%arg0) {key = "value"} : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_unknown_form.mlir:4:8: error: the short form of `arith.constant` is not known [unsupported]
// |   4 |   %c = arith.constant dense<1.0> : tensor<f32>
// |     |        ^~~~~~~~~~~~~~
// | help: write it in generic form: `"arith.constant"(%operands) {attributes} : (types) -> types`
// | mlir_unknown_form.mlir:5:8: error: `stablehlo.gather` has no short form [syntax]
// |   5 |   %0 = stablehlo.gather %arg0 : tensor<f32>
// |     |        ^~~~~~~~~~~~~~~~
// | help: write it in generic form: `"stablehlo.gather"(%operands) {attributes} : (types) -> types`
// | mlir_unknown_form.mlir:6:17: error: branches between blocks are not supported [unsupported]
// |   6 |   %1 = "cf.br"()[^bb1] : () -> tensor<f32>
// |     |                 ^
