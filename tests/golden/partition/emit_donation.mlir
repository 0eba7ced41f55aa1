// What jax gives away on arguments stands in the header of the program of a device. A pair whose sizes part ways on a
// device, here since the argument is sharded otherwise than the result, is left out: XLA would refuse it.
// RUN: shardwright plan %s --emit partitioned.hlo
// RUN: shardwright plan %s --emit partitioned.hlo --pin "result[0]=P('x', None)"
sdy.mesh @mesh = <["x"=4]>
func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32},
                       %arg1: tensor<8x4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x4xf32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1]"}) {
  %0 = stablehlo.negate %arg0 : tensor<8x4xf32>
  %1 = stablehlo.negate %arg1 : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
// ==== shardwright plan %s --emit partitioned.hlo
// ---- exit 0
// ---- stdout
// | HloModule module, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, num_partitions=4
// |
// | ENTRY %main_spmd (arg0: f32[8,4], arg1: f32[2,4]) -> (f32[8,4], f32[2,4]) {
// |   %arg0 = f32[8,4] parameter(0)
// |   %arg1 = f32[2,4] parameter(1)
// |   %negate.2 = f32[8,4] negate(%arg0)
// |   %negate.3 = f32[2,4] negate(%arg1)
// |   ROOT %tuple.4 = (f32[8,4], f32[2,4]) tuple(%negate.2, %negate.3)
// | }
// ==== shardwright plan %s --emit partitioned.hlo --pin "result[0]=P('x', None)"
// ---- exit 0
// ---- stdout
// | HloModule module, buffer_donor={ (1, {}) }, num_partitions=4
// |
// | ENTRY %main_spmd (arg0: f32[8,4], arg1: f32[2,4]) -> (f32[2,4], f32[2,4]) {
// |   %arg0 = f32[8,4] parameter(0)
// |   %arg1 = f32[2,4] parameter(1)
// |   %partition-id.2 = u32[] partition-id()
// |   %convert.3 = s32[] convert(%partition-id.2)
// |   %constant.12 = s32[] constant(2)
// |   %multiply.5 = s32[] multiply(%convert.3, %constant.12)
// |   %constant.13 = s32[] constant(0)
// |   %dynamic-slice.7 = f32[2,4] dynamic-slice(%arg0, %multiply.5, %constant.13), dynamic_slice_sizes={2,4}
// |   %negate.8 = f32[2,4] negate(%dynamic-slice.7)
// |   %copy.9 = f32[2,4] copy(%negate.8)
// |   %negate.10 = f32[2,4] negate(%arg1)
// |   ROOT %tuple.11 = (f32[2,4], f32[2,4]) tuple(%copy.9, %negate.10)
// | }
