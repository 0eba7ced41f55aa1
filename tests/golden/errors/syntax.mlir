// One run reports many errors: the reader goes on at the next operation.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --max-errors 2
module @jit_f {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %arg0 %arg0 : tensor<8xf32>
    %1 = stablehlo.add %arg0, %arg0 : tensor<8xf23>
    %2 = stablehlo.ad %arg0, %arg0 : tensor<8xf32>
    %3 = stablehlo.constant dense<[1.0, 2.0> : tensor<2xf32>
    %4 = stablehlo.negate %arg0 : tensor<8xf32> §
    return %arg0 : tensor<8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | syntax.mlir:6:30: error: `%arg0`, expected `:` and a type [syntax]
// |   6 |     %0 = stablehlo.add %arg0 %arg0 : tensor<8xf32>
// |     |                              ^~~~~
// | syntax.mlir:7:48: error: `f23` is not an element type [bad-type]
// |   7 |     %1 = stablehlo.add %arg0, %arg0 : tensor<8xf23>
// |     |                                                ^~~
// | syntax.mlir:8:10: error: `stablehlo.ad` is no operation that is known [unknown-name]
// |   8 |     %2 = stablehlo.ad %arg0, %arg0 : tensor<8xf32>
// |     |          ^~~~~~~~~~~~
// | help: did you mean `stablehlo.add`?
// | syntax.mlir:9:29: error: this list has not the shape of `tensor<2xf32>` [bad-literal]
// |   9 |     %3 = stablehlo.constant dense<[1.0, 2.0> : tensor<2xf32>
// |     |                             ^~~~~~~~~~~~~~~~
// | syntax.mlir:10:49: error: byte 0xc2, expected an operation [bad-character]
// |   10 |     %4 = stablehlo.negate %arg0 : tensor<8xf32> §
// |      |                                                 ^
// ==== shardwright plan %s --max-errors 2
// ---- exit 3
// ---- stderr
// | syntax.mlir:6:30: error: `%arg0`, expected `:` and a type [syntax]
// |   6 |     %0 = stablehlo.add %arg0 %arg0 : tensor<8xf32>
// |     |                              ^~~~~
// | syntax.mlir:7:48: error: `f23` is not an element type [bad-type]
// |   7 |     %1 = stablehlo.add %arg0, %arg0 : tensor<8xf23>
// |     |                                                ^~~
// | 3 more errors not shown
