// Ops without a rule stop propagation and are named, but those that need none are not.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (
    tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
  %0 = stablehlo.custom_call @mine(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "other.op"(%a) {size = 3 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<8xf32>) -> tensor<i32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a       <[{"x"}]>
// | line 6  stablehlo.custom_call  -
// |     -
// | line 7  other.op  -
// |     -
// | line 8  stablehlo.custom_call  -
// |     -
// | line 9  stablehlo.get_dimension_size  -
// |     -
// | result 0  -
// | result 1  -
// | result 2  -
// | result 3  -
// | unsupported {"assumed": "no sharding is propagated through it", "line": 6, "op": "stablehlo.custom_call"}
// | unsupported {"assumed": "no sharding is propagated through it", "line": 7, "op": "other.op"}
// | unsupported {"assumed": "no sharding is propagated through it", "line": 9, "op": "stablehlo.get_dimension_size"}
