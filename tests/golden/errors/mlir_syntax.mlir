// RUN: shardwright plan %s
// Several mistakes in one text: all are reported, and none because of another.
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mehs, [{"x"}, {}]>}, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] y [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.transpose %0, dim = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %0, %0 {a = } : tensor<8x4xf32>
    %3 = stablehlo.while(%iterArg = %0) : tensor<8x4xf32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c, : tensor<i1>
    } do {
      %4 = stablehlo.add %iterArg %iterArg : tensor<8x4xf32>
      stablehlo.return %4 : tensor<8x4xf32>
    }
    %5 = stablehlo.constant dense<"abc : tensor<2xi32>
    %6 = stablehlo.abs %arg1
    %7 = stablehlo.slice %arg1 [0:2:1, 0;4] : (tensor<16x4xf32>) -> tensor<2x4xf32>
    %8 = stablehlo.compare LT %arg1, %arg1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %9 = stablehlo.abs %arg1 : tensor<16x4xfloat>
    %10 = stablehlo.iota dim = 99999999999999999999 : tensor<4xi32>
    return %0 : tensor<8x4xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | mlir_syntax.mlir:5:80: error: there is no mesh named `@mehs` [unknown-mesh]
// |   5 | ...%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mehs, [{"x"}, {}]>}, %arg1: tensor<16x4xf32>) -> tens...
// |     |                                                          ^~~~~
// | help: the only mesh is `@mesh`
// | mlir_syntax.mlir:6:69: error: `y`, expected `x` [syntax]
// |   6 | ...ehlo.dot_general %arg0, %arg1, contracting_dims = [1] y [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor...
// |     |                                                          ^
// | mlir_syntax.mlir:7:34: error: `dim`, expected `dims = ...` [syntax]
// |   7 |     %1 = stablehlo.transpose %0, dim = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// |     |                                  ^~~
// | mlir_syntax.mlir:8:36: error: `}`, expected an attribute value [syntax]
// |   8 |     %2 = stablehlo.add %0, %0 {a = } : tensor<8x4xf32>
// |     |                                    ^
// | mlir_syntax.mlir:12:28: error: `:`, expected an operand such as `%0` [syntax]
// |   12 |       stablehlo.return %c, : tensor<i1>
// |      |                            ^
// | mlir_syntax.mlir:14:35: error: `%iterArg`, expected `:` and a type [syntax]
// |   14 |       %4 = stablehlo.add %iterArg %iterArg : tensor<8x4xf32>
// |      |                                   ^~~~~~~~
// | mlir_syntax.mlir:17:29: error: dense literal without its closing `>` [bad-literal]
// |   17 |     %5 = stablehlo.constant dense<"abc : tensor<2xi32>
// |      |                             ^~~~~~
// | mlir_syntax.mlir:18:29: error: end of line, expected `:` and a type [syntax]
// |   18 |     %6 = stablehlo.abs %arg1
// |      |                             ^
// | mlir_syntax.mlir:19:41: error: character `;`, expected `:` and the limit of a range [bad-character]
// |   19 |     %7 = stablehlo.slice %arg1 [0:2:1, 0;4] : (tensor<16x4xf32>) -> tensor<2x4xf32>
// |      |                                         ^
// | mlir_syntax.mlir:20:31: error: `%arg1`, expected `,` and two operands [syntax]
// |   20 |     %8 = stablehlo.compare LT %arg1, %arg1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
// |      |                               ^~~~~
// | mlir_syntax.mlir:21:44: error: `float` is not an element type [bad-type]
// |   21 |     %9 = stablehlo.abs %arg1 : tensor<16x4xfloat>
// |      |                                            ^~~~~
// | mlir_syntax.mlir:22:32: error: `99999999999999999999` does not fit into 64 bits [bad-literal]
// |   22 |     %10 = stablehlo.iota dim = 99999999999999999999 : tensor<4xi32>
// |      |                                ^~~~~~~~~~~~~~~~~~~~
