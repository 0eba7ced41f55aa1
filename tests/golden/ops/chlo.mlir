// XLA expands CHLO ops into pointwise ones before Shardy sees them; erf becomes mhlo.erf, which Shardy does not know.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (
    tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = chlo.erf_inv %a : tensor<8xf32> -> tensor<8xf32>
  %1 = chlo.next_after %a, %0 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = chlo.square %1 : tensor<8xf32> -> tensor<8xf32>
  %3 = chlo.erf %a : tensor<8xf32> -> tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a       <[{"x"}]>
// | line 6  chlo.erf_inv  <([i])->([i]) {i=8}>
// |     <[{"x"}]>
// | line 7  chlo.next_after  <([i], [i])->([i]) {i=8}>
// |     <[{"x"}]>
// | line 8  chlo.square  <([i])->([i]) {i=8}>
// |     <[{"x"}]>
// | line 9  chlo.erf  -
// |     -
// | result 0  <[{"x"}]>
// | result 1  <[{"x"}]>
// | result 2  <[{"x"}]>
// | result 3  -
// | unsupported {"assumed": "no sharding is propagated through it", "line": 9, "op": "chlo.erf"}
