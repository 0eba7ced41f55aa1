// Rows of one operand and columns of the other want x: the smaller operand is gathered. In the sum both dimensions of one
// array want it: it is exchanged. The product over a sharded dimension whose result is cut by the same axis is no conflict, and
// one where everything is pinned is meant.
// RUN: shardwright lint %s
// RUN: shardwright lint %s --pin "%0=P('x', None)" --pin "%2=P('x', None)" --pin "bias=P(None, 'x')"
// RUN: shardwright lint %s --partitioner gspmd
// RUN: shardwright lint --explain axis-conflict
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("batch"),
                         %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>} loc("w"),
                         %arg2: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("bias")) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/dot"("model.py":7:4 to :12))
    %2 = stablehlo.add %0, %arg2 : tensor<64x16xf32> loc("jit(step)/add"("model.py":8:4 to :12))
    %4 = stablehlo.tanh %arg0 : tensor<64x32xf32> loc("jit(step)/tanh"("model.py":9:4 to :12))
    %5 = sdy.sharding_constraint %4 <@mesh, [{"x"}, {}]> : tensor<64x32xf32> loc("jit(step)/c"("model.py":9:4 to :12))
    %6 = stablehlo.dot_general %5, %2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32> loc("jit(step)/grad"("model.py":10:4 to :12))
    %7 = sdy.sharding_constraint %6 <@mesh, [{"x"}, {}]> : tensor<32x16xf32> loc("jit(step)/c"("model.py":10:4 to :12))
    return %2, %7 : tensor<64x16xf32>, tensor<32x16xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | step  ·  axis_conflict.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |     axis-conflict         model.py:8   %2 add: dimension 0 of %0 and dimension 1 of bias both want `x`, and bias is exchanged between its dimensions (2.0 KiB on each device)
// |                           └ shard dimension 1 of bias by another axis, or not at all
// |     axis-conflict         model.py:7   %0 dot_general: dimension 0 of batch and dimension 1 of w both want `x`, and w is gathered along it (256 B on each device)
// |                           └ shard dimension 1 of w by another axis, or not at all
// |     under-constrained     model.py:7   %0 dot_general: 2 values depend on the partitioner or on the order of propagation: this one is P('x', None) by Shardy and 10 more, P() by Shardy basic or P(None, 'x') by GSPMD and 3 more; with it %2 (4.0 KiB to 6.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('x', None))  # x: dot_general %0
// ==== shardwright lint %s --pin "%0=P('x', None)" --pin "%2=P('x', None)" --pin "bias=P(None, 'x')"
// ---- exit 0
// ---- stdout
// | step  ·  axis_conflict.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   nothing to report
// ==== shardwright lint %s --partitioner gspmd
// ---- exit 1
// ---- stdout
// | step  ·  axis_conflict.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |     axis-conflict         model.py:10   %6 dot_general: dimension 0 of %5 and dimension 1 of %2 both want `x`, and %2 is exchanged between its dimensions (2.0 KiB on each device)
// |                           └ shard dimension 1 of bias by another axis, or not at all
// |     axis-conflict         model.py:7   %0 dot_general: dimension 1 of w and dimension 0 of batch both want `x`, and batch is gathered along it (1.0 KiB on each device)
// |                           └ shard dimension 0 of batch by another axis, or not at all
// |     under-constrained     model.py:7   %0 dot_general: 2 values depend on the partitioner or on the order of propagation: this one is P(None, 'x') by GSPMD and 3 more, P('x', None) by GSPMD backward first and 10 more or P() by Shardy basic; with it %2 (4.0 KiB to 6.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P(None, 'x'))  # x: dot_general %0
// |                           └ x = jax.lax.with_sharding_constraint(x, P(None, 'x'))  # x: add %2, model.py:8
// ==== shardwright lint --explain axis-conflict
// ---- exit 0
// ---- stdout
// | axis-conflict: two dimensions of an operation want one axis, and the loser is gathered
// |
// | An axis can cut one dimension of an operation at a time. Its operands bring it on two, such as the rows of one matrix and
// | the columns of the other, so one operand is gathered along the axis, or exchanged between its dimensions, each time the
// | operation runs. Shard one of the two by another axis. Gathering the weights may be what you want (FSDP);
// | where both operands and the result are pinned, it is taken as meant.
