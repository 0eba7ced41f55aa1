// The state is replicated, the bits follow their users.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %a2: tensor<2xui64>) -> (
    tensor<2xui64>,
    tensor<4x5xui32>,
    tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    tensor<4x5xui32>) {
  // rng_bit_generator, forward
  %r1:2 = "stablehlo.rng_bit_generator"(%a1) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
  // rng_bit_generator, backward
  %r2:2 = "stablehlo.rng_bit_generator"(%a2) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>)
  return %r1#0, %r1#1, %r2#0, %r2#1
      : tensor<2xui64>, tensor<4x5xui32>, tensor<2xui64>, tensor<4x5xui32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{"x"}]>
// | %a2      -
// | line 13  stablehlo.rng_bit_generator  <([i])->([i], [j, k]) {i=2, j=4, k=5} need_replication={i} blocked_propagation={i}>
// |     -
// |     -
// | line 15  stablehlo.rng_bit_generator  <([i])->([i], [j, k]) {i=2, j=4, k=5} need_replication={i} blocked_propagation={i}>
// |     <[{"x"}]>
// |     <[{}, {}]>
// | result 0  -
// | result 1  -
// | result 2  <[{"x"}]>
// | result 3  -
