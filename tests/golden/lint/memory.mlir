// Weights and moments that are not donated, moments that every device keeps whole, a large argument that no axis cuts, and an
// array that is mostly padding in the tiles of a TPU. Donated and sharded, nothing of this is left.
// RUN: shardwright lint %s --hardware tpu-v5e
// RUN: shardwright lint %s --hardware h100 --shard "mu*=P('data')" --shard "table=P('data')"
// RUN: shardwright lint %s --format json --hardware v5e | grep -c '"rule"'
// RUN: shardwright lint %s --hardware v5f
// RUN: shardwright lint --explain donation-missed
// RUN: shardwright lint --explain replicated-optimizer-state
// RUN: shardwright lint --explain large-unsharded
// RUN: shardwright lint --explain tile-padding
module @jit_step {
  sdy.mesh @mesh = <["data"=4]>
  func.func public @main(%arg0: tensor<2048x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("params['w']"),
                         %arg1: tensor<2048x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("mu['w']"),
                         %arg2: tensor<64x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
                         %arg3: tensor<16384x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("table"),
                         %arg4: tensor<16x16x16x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}, {}]>} loc("small"))
      -> (tensor<2048x4096xf32> {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
          tensor<2048x4096xf32> {jax.result_info = "result[1]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
          tensor<64x16384xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<64x2048xf32>, tensor<2048x4096xf32>) -> tensor<64x4096xf32> loc("jit(step)/dot"("model.py":7:4 to :12))
    %1 = stablehlo.dot_general %arg2, %0, contracting_dims = [0] x [0] : (tensor<64x2048xf32>, tensor<64x4096xf32>) -> tensor<2048x4096xf32> loc("jit(step)/grad"("model.py":8:4 to :12))
    %2 = stablehlo.add %arg1, %1 : tensor<2048x4096xf32> loc("jit(step)/add"("model.py":9:4 to :12))
    %3 = stablehlo.subtract %arg0, %2 : tensor<2048x4096xf32> loc("jit(step)/sub"("model.py":10:4 to :12))
    %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [1] : (tensor<64x2048xf32>, tensor<16384x2048xf32>) -> tensor<64x16384xf32> loc("jit(step)/dot"("model.py":11:4 to :12))
    %5 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2, 3, 4] : (tensor<16x16x16x16x16xf32>, tensor<f32>) -> tensor<f32> loc("jit(step)/sum"("model.py":12:4 to :12))
    return %3, %2, %4, %5 : tensor<2048x4096xf32>, tensor<2048x4096xf32>, tensor<64x16384xf32>, tensor<f32>
  }
}
// ==== shardwright lint %s --hardware tpu-v5e
// ---- exit 1
// ---- stdout
// | step  ·  memory.mlir (StableHLO, 8 operations)  ·  mesh data=4 (4 devices)  ·  Shardy
// |
// |     large-unsharded       argument   table: an argument that is whole on every device (128.0 MiB on each device)
// |                           └ shard dimension 0 by `data`
// |     donation-missed       argument   mu['w']: not donated, though result[1]['w'] of the same shape and sharding could take its place (32.0 MiB on each device)
// |                           └ jax.jit(..., donate_argnames='mu'), if the caller does not need the old value
// |     donation-missed       argument   params['w']: not donated, though result[0]['w'] of the same shape and sharding could take its place (32.0 MiB on each device)
// |                           └ jax.jit(..., donate_argnames='params'), if the caller does not need the old value
// |     replicated-optimizer-state  argument   mu['w']: state of the optimizer that is the same along `data`: 4 devices keep and update copies of it (24.0 MiB on each device)
// |                           └ shard it by `data` too, on dimension 0: 24.0 MiB less on each device
// |     tile-padding          argument   small: f32[4,16,16,16,16] takes 8.0 MiB on a TPU for 1.0 MiB of elements: it is stored as {4,3,2,1,0:T(8,128)} (7.0 MiB on each device)
// |                           └ let the extent of one dimension be a multiple of 128, or join dimensions before it is stored
// ==== shardwright lint %s --hardware h100 --shard "mu*=P('data')" --shard "table=P('data')"
// ---- exit 1
// ---- stdout
// | step  ·  memory.mlir (StableHLO, 8 operations)  ·  mesh data=4 (4 devices)  ·  Shardy
// |
// |     donation-missed       argument   params['w']: not donated, though result[0]['w'] of the same shape and sharding could take its place (32.0 MiB on each device)
// |                           └ jax.jit(..., donate_argnames='params'), if the caller does not need the old value
// |     axis-conflict         model.py:11   %4 dot_general: dimension 0 of table and dimension 0 of x both want `data`, and x is gathered along it (384.0 KiB on each device)
// |                           └ shard dimension 0 of x by another axis, or not at all
// |     under-constrained     model.py:10   %3 subtract: 1 value depends on the partitioner or on the order of propagation: P('data', None) by Shardy, GSPMD and 13 more or P() by Shardy basic (8.0 MiB to 32.0 MiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P('data', None))  # x: subtract %3
// |     under-constrained     model.py:11   %4 dot_general: 1 value depends on the partitioner or on the order of propagation: P(None, 'data') by Shardy, GSPMD and 13 more or P() by Shardy basic (1.0 MiB to 4.0 MiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P(None, 'data'))  # x: dot_general %4
// ==== shardwright lint %s --format json --hardware v5e | grep -c '"rule"'
// ---- exit 1
// ---- stdout
// | 5
// ==== shardwright lint %s --hardware v5f
// ---- exit 2
// ---- stderr
// | error: unknown hardware `v5f` [unknown-name]
// | help: did you mean `v5e`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
// ==== shardwright lint --explain donation-missed
// ---- exit 0
// ---- stdout
// | donation-missed: an argument is kept beside the result that replaces it
// |
// | A result has the shape, type and sharding of an argument that is not donated, as new weights have those of the old ones, so
// | both lie in memory at once. Donated, the result takes the place of the argument: jax.jit(step, donate_argnames=('params',)).
// | The caller must not use the old array again. The bytes are exact: the results' own storage goes away.
// ==== shardwright lint --explain replicated-optimizer-state
// ---- exit 0
// ---- stdout
// | replicated-optimizer-state: every device along an axis keeps the same state of the optimizer
// |
// | Moments and the like are as large as the weights, but no product reads them: each device may keep and update its part only
// | (ZeRO, stage 1). Shard them by the axis of the batch too; the new weights are then gathered once a step. State is told by
// | having a successor among the results and the shape of a weight, and by being read by no product.
// ==== shardwright lint --explain large-unsharded
// ---- exit 0
// ---- stdout
// | large-unsharded: a large array is whole on every device
// |
// | An argument, or a value made from what is sharded, of at least 64 MiB and a twentieth of all arguments and results is cut by
// | no axis of the mesh. Shard one of its dimensions. With data parallelism alone that is FSDP: the weights are gathered layer by
// | layer.
// ==== shardwright lint --explain tile-padding
// ---- exit 0
// ---- stdout
// | tile-padding: an array takes twice its bytes or more in the tiles of a TPU
// |
// | TPUs store the two innermost dimensions in tiles of 8 by 128 and choose which dimensions those are; when all are short, most
// | of each tile is padding. Join dimensions, or let one be a multiple of 128. Looked for with `--hardware` of a TPU, among the
// | arguments and what lives at the worst moment.
