// Every axis cuts every array and what can be donated is: nothing that is tried makes it smaller.
// RUN: shardwright memory %s --hardware %d/small.yaml
// RUN: shardwright check %s --hardware %d/small.yaml
module @jit_step {
  sdy.mesh @mesh = <["data"=2]>
  func.func public @main(%arg0: tensor<2048x1024xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"))
      -> (tensor<2048x1024xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.tanh %arg0 : tensor<2048x1024xf32> loc("jit(step)/tanh"("model.py":4:4 to :9))
    return %0 : tensor<2048x1024xf32>
  }
}
// ==== shardwright memory %s --hardware %d/small.yaml
// ---- exit 0
// ---- stdout
// | step  ·  nothing_helps.mlir (StableHLO, 1 operation)  ·  mesh data=2 (2 devices)  ·  Shardy
// |
// |   4.0 MiB of 2.0 MiB usable on small, does not fit; at most 4.0 MiB at one time
// |
// |   arguments    4.0 MiB
// |   results      4.0 MiB  4.0 MiB of it in arguments
// |   temporaries  0 B
// |   in all       4.0 MiB  4.0 MiB at the worst moment
// |   capacity     2.0 MiB
// |
// |   at the worst moment
// |     parameters  4.0 MiB  100 %  ################################
// |
// |   largest buffers alive then
// |     4.0 MiB    x  f32[1024,1024]  parameters  argument
// |
// |   over the step, temporaries above 4.0 MiB
// |     │  1 B
// |     │
// |     │
// |     │
// |     │
// |     │
// |     │
// |     │
// |
// |   nothing to try: all that is large is cut by every axis, and nothing is left to donate
// ==== shardwright check %s --hardware %d/small.yaml
// ---- exit 4
// ---- stdout
// | step  ·  nothing_helps.mlir (StableHLO, 1 operation)  ·  mesh data=2 (2 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  does not fit: 4.0 MiB needed, 2.0 MiB usable on small
// |             worst moment: alive then: parameters 4.0 MiB
// |             └ nothing to try: all that is large is cut by every axis, and nothing is left to donate
// |
// |   failed: 1 of 1 target
