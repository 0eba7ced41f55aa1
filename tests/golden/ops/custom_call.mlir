// Targets that Shardy knows, and a rule of the user.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<3x8x8xf32>,
    %a3: tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a4: tensor<3x8x5xf32>,
    %a5: tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %t5: tensor<3x5xf32>,
    %a6: tensor<3x8x6xf32>,
    %t6: tensor<3x5xf32>,
    %a7: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a8: tensor<16x8xf32>,
    %a9: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %i9: tensor<16x8xi32>,
    %s9: tensor<f32>,
    %t9: tensor<i32>,
    %a10: tensor<16x8xf32>,
    %i10: tensor<16x8xi32>,
    %s10: tensor<f32>,
    %t10: tensor<i32>,
    %a11: tensor<2xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %a12: tensor<2xui32>,
    %a13: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %a14: tensor<4x2xf32>) -> (
    tensor<3x8x8xf32>,
    tensor<3x8xf32>,
    tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<3x8xf32>,
    tensor<3x8x5xf32>,
    tensor<3x5xf32>,
    tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<3x5xf32>,
    tensor<3x8x6xf32>,
    tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<16x2xf32>,
    tensor<16x2xi32>,
    tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<16x2xi32>,
    tensor<16x2xf32>,
    tensor<16x2xi32>,
    tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    tensor<16x2xi32>,
    tensor<2xui64>,
    tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    tensor<2x4xf32>,
    tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // custom call Eigh, forward
  %r1:2 = stablehlo.custom_call @Eigh(%a1) : (tensor<3x8x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x8xf32>)
  // custom call Eigh, backward
  %r2:2 = stablehlo.custom_call @Eigh(%a2) : (tensor<3x8x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x8xf32>)
  // custom call Qr, forward
  %r3:2 = stablehlo.custom_call @Qr(%a3) : (tensor<3x8x5xf32>) -> (tensor<3x8x5xf32>, tensor<3x5xf32>)
  // custom call Qr, backward
  %r4:2 = stablehlo.custom_call @Qr(%a4) : (tensor<3x8x5xf32>) -> (tensor<3x8x5xf32>, tensor<3x5xf32>)
  // custom call ProductOfElementaryHouseholderReflectors, forward
  %r5 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a5, %t5) : (tensor<3x8x6xf32>, tensor<3x5xf32>) -> tensor<3x8x6xf32>
  // custom call ProductOfElementaryHouseholderReflectors, backward
  %r6 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a6, %t6) : (tensor<3x8x6xf32>, tensor<3x5xf32>) -> tensor<3x8x6xf32>
  // custom call mhlo.topk, forward
  %r7:2 = stablehlo.custom_call @mhlo.topk(%a7) : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  // custom call mhlo.topk, backward
  %r8:2 = stablehlo.custom_call @mhlo.topk(%a8) : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  // custom call ApproxTopK, forward
  %r9:2 = stablehlo.custom_call @ApproxTopK(%a9, %i9, %s9, %t9) : (tensor<16x8xf32>, tensor<16x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  // custom call ApproxTopK, backward
  %r10:2 = stablehlo.custom_call @ApproxTopK(%a10, %i10, %s10, %t10) : (tensor<16x8xf32>, tensor<16x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  // custom call X64Combine, forward
  %r11 = stablehlo.custom_call @X64Combine(%a11, %a11) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  // custom call X64Combine, backward
  %r12 = stablehlo.custom_call @X64Combine(%a12, %a12) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  // custom call with a rule of the user, forward
  %r13 = stablehlo.custom_call @mine(%a13) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  // custom call with a rule of the user, backward
  %r14 = stablehlo.custom_call @mine(%a14) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  return %r1#0, %r1#1, %r2#0, %r2#1, %r3#0, %r3#1, %r4#0, %r4#1, %r5, %r6, %r7#0, %r7#1, %r8#0, %r8#1, %r9#0, %r9#1, %r10#0, %r10#1, %r11, %r12, %r13, %r14
      : tensor<3x8x8xf32>, tensor<3x8xf32>, tensor<3x8x8xf32>, tensor<3x8xf32>, tensor<3x8x5xf32>, tensor<3x5xf32>, tensor<3x8x5xf32>, tensor<3x5xf32>, tensor<3x8x6xf32>, tensor<3x8x6xf32>, tensor<16x2xf32>, tensor<16x2xi32>, tensor<16x2xf32>, tensor<16x2xi32>, tensor<16x2xf32>, tensor<16x2xi32>, tensor<16x2xf32>, tensor<16x2xi32>, tensor<2xui64>, tensor<2xui64>, tensor<2x4xf32>, tensor<2x4xf32>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {"y"}, {"z"}]>
// | %a2      <[{}, {"y"}, {"z"}]>
// | %a3      <[{}, {"y"}, {}]>
// | %a4      <[{}, {"y"}, {}]>
// | %a5      <[{}, {"y"}, {"z"}]>
// | %t5      <[{}, {}]>
// | %a6      <[{}, {"y"}, {"z"}]>
// | %t6      <[{}, {}]>
// | %a7      <[{"x"}, {"y"}]>
// | %a8      <[{"x"}, {}]>
// | %a9      <[{"x"}, {"y"}]>
// | %i9      <[{"x"}, {"y"}]>
// | %s9      -
// | %t9      -
// | %a10     <[{"x"}, {}]>
// | %i10     <[{"x"}, {}]>
// | %s10     -
// | %t10     -
// | %a11     <[{"x"}]>
// | %a12     <[{"x"}]>
// | %a13     <[{"x"}, {"y"}]>
// | %a14     <[{"y"}, {"x"}]>
// | line 51  stablehlo.custom_call  <([i, j, k])->([i, j, k], [i, k]) {i=3, j=8, k=8}>
// |     <[{"x"}, {"y"}, {"z"}]>
// |     <[{"x"}, {"z"}]>
// | line 53  stablehlo.custom_call  <([i, j, k])->([i, j, k], [i, k]) {i=3, j=8, k=8}>
// |     <[{"x"}, {"y"}, {"z"}]>
// |     <[{"x"}, {"z"}]>
// | line 55  stablehlo.custom_call  <([i, j, k])->([i, j, k], [i, l]) {i=3, j=8, k=5, l=5} need_replication={j, k, l}>
// |     <[{"x"}, {"y"}, {"z"}]>
// |     <[{"x"}, {}]>
// | line 57  stablehlo.custom_call  <([i, j, k])->([i, j, k], [i, l]) {i=3, j=8, k=5, l=5} need_replication={j, k, l}>
// |     <[{"x"}, {"y"}, {"z"}]>
// |     <[{"x"}, {}]>
// | line 59  stablehlo.custom_call  <([i, j, k], [i, l])->([i, j, k]) {i=3, j=8, k=6, l=5} need_replication={j, k, l}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 61  stablehlo.custom_call  <([i, j, k], [i, l])->([i, j, k]) {i=3, j=8, k=6, l=5} need_replication={j, k, l}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 63  stablehlo.custom_call  <([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {}]>
// |     <[{"x"}, {}]>
// | line 65  stablehlo.custom_call  <([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>
// |     <[{"x"}, {"y"}]>
// |     <[{"x"}, {}]>
// | line 67  stablehlo.custom_call  <([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=8, k=2} need_replication={k} blocked_propagation={k}>
// |     <[{"x"}, {}]>
// |     <[{"x"}, {}]>
// | line 69  stablehlo.custom_call  <([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=8, k=2} need_replication={k} blocked_propagation={k}>
// |     <[{"x"}, {"y"}]>
// |     <[{"x"}, {}]>
// | line 71  stablehlo.custom_call  <([i], [i])->([i]) {i=2}>
// |     <[{"x"}]>
// | line 73  stablehlo.custom_call  <([i], [i])->([i]) {i=2}>
// |     <[{"x"}]>
// | line 75  stablehlo.custom_call  <([i, j])->([j, i]) {i=4, j=2}, custom>
// |     <[{"y"}, {"x"}]>
// | line 77  stablehlo.custom_call  <([i, j])->([j, i]) {i=4, j=2}, custom>
// |     <[{"x"}, {"y"}]>
// | result 0  <[{}, {"y"}, {"z"}]>
// | result 1  <[{}, {"z"}]>
// | result 2  <[{}, {"y"}, {"z"}]>
// | result 3  <[{}, {"z"}]>
// | result 4  <[{}, {"y"}, {}]>
// | result 5  <[{}, {}]>
// | result 6  <[{}, {"y"}, {}]>
// | result 7  <[{}, {}]>
// | result 8  <[{}, {"y"}, {"z"}]>
// | result 9  <[{}, {"y"}, {"z"}]>
// | result 10  <[{"x"}, {}]>
// | result 11  <[{"x"}, {}]>
// | result 12  <[{"x"}, {"y"}]>
// | result 13  <[{"x"}, {}]>
// | result 14  <[{"x"}, {}]>
// | result 15  <[{"x"}, {}]>
// | result 16  <[{"x"}, {"y"}]>
// | result 17  <[{"x"}, {}]>
// | result 18  <[{"x"}]>
// | result 19  <[{"x"}]>
// | result 20  <[{"y"}, {"x"}]>
// | result 21  <[{"x"}, {"y"}]>
