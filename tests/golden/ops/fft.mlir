// Transformed dimensions need replication; a real transform cuts the last one.
// Forward: the first operand is sharded along x, y, z in order. Backward: the first result is.
// RUN: shardwright plan %s --format json | python3 %d/../../support/op_rules.py
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(
    %a1: tensor<3x4x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a2: tensor<3x4x8xcomplex<f32>>,
    %a3: tensor<3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    %a4: tensor<3x4x8xf32>) -> (
    tensor<3x4x8xcomplex<f32>>,
    tensor<3x4x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>},
    tensor<3x4x5xcomplex<f32>>,
    tensor<3x4x5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) {
  // fft, forward
  %r1 = stablehlo.fft %a1, type = FFT, length = [4, 8] : (tensor<3x4x8xcomplex<f32>>) -> tensor<3x4x8xcomplex<f32>>
  // fft, backward
  %r2 = stablehlo.fft %a2, type = FFT, length = [4, 8] : (tensor<3x4x8xcomplex<f32>>) -> tensor<3x4x8xcomplex<f32>>
  // fft of real numbers, forward
  %r3 = stablehlo.fft %a3, type = RFFT, length = [8] : (tensor<3x4x8xf32>) -> tensor<3x4x5xcomplex<f32>>
  // fft of real numbers, backward
  %r4 = stablehlo.fft %a4, type = RFFT, length = [8] : (tensor<3x4x8xf32>) -> tensor<3x4x5xcomplex<f32>>
  return %r1, %r2, %r3, %r4
      : tensor<3x4x8xcomplex<f32>>, tensor<3x4x8xcomplex<f32>>, tensor<3x4x5xcomplex<f32>>, tensor<3x4x5xcomplex<f32>>
}
// ==== shardwright plan %s --format json | python3 %d/../../support/op_rules.py
// ---- exit 0
// ---- stdout
// | %a1      <[{}, {"y"}, {"z"}]>
// | %a2      <[{}, {"y"}, {"z"}]>
// | %a3      <[{}, {"y"}, {"z"}]>
// | %a4      <[{}, {"y"}, {}]>
// | line 15  stablehlo.fft  <([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={j, k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 17  stablehlo.fft  <([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={j, k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | line 19  stablehlo.fft  <([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={k} blocked_propagation={k}>
// |     <[{"x"}, {"y"}, {}]>
// | line 21  stablehlo.fft  <([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={k} blocked_propagation={k}>
// |     <[{"x"}, {"y"}, {"z"}]>
// | result 0  <[{}, {"y"}, {"z"}]>
// | result 1  <[{}, {"y"}, {"z"}]>
// | result 2  <[{}, {"y"}, {}]>
// | result 3  <[{}, {"y"}, {}]>
