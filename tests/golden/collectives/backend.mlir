// A data-parallel step: the gradients of two layers are added up over the batch, and kept in parts. As the partitioner leaves
// it, and as three compilers do: reduce-scatters, and collectives merged into one.
// RUN: shardwright collectives %s
// RUN: shardwright collectives %s --backend xla-gpu
// RUN: shardwright collectives %s --backend xla-cpu
// RUN: shardwright collectives %s --backend tpu
// RUN: shardwright collectives %s --backend xla-gpu --format json
module @jit_step {
  sdy.mesh @mesh = <["data"=8]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
                         %arg1: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("g"),
                         %arg2: tensor<64x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("h"))
      -> (tensor<32x16xf32> {jax.result_info = "result['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
          tensor<32x48xf32> {jax.result_info = "result['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32> loc("jit(step)/dot_general"("model.py":7:4 to :9))
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x48xf32>) -> tensor<32x48xf32> loc("jit(step)/dot_general"("model.py":8:4 to :9))
    return %0, %1 : tensor<32x16xf32>, tensor<32x48xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  backend.mlir (StableHLO, 2 operations)  ·  mesh data=8 (8 devices)  ·  Shardy
// |
// |   8.0 KiB a device and step, in 2 collectives
// |
// |   over {data}  8 of 8   8.0 KiB: 2 all-reduce (8.0 KiB)
// |     all-reduce  f32[32,48]  6.0 KiB    model.py:8  dot_general sums over a sharded dimension
// |     all-reduce  f32[32,16]  2.0 KiB    model.py:7  dot_general sums over a sharded dimension
// ==== shardwright collectives %s --backend xla-gpu
// ---- exit 0
// ---- stdout
// | step  ·  backend.mlir (StableHLO, 2 operations)  ·  mesh data=8 (8 devices)  ·  Shardy  ·  xla-gpu
// |
// |   1.0 KiB a device and step, in 1 collective
// |
// |   over {data}  8 of 8   1.0 KiB: 1 reduce-scatter (1.0 KiB)
// |     reduce-scatter  (f32[4,16], f32[4,48])  1.0 KiB    model.py:7 and 1 more  dot_general sums over a sharded dimension
// ==== shardwright collectives %s --backend xla-cpu
// ---- exit 0
// ---- stdout
// | step  ·  backend.mlir (StableHLO, 2 operations)  ·  mesh data=8 (8 devices)  ·  Shardy  ·  xla-cpu
// |
// |   8.0 KiB a device and step, in 1 collective
// |
// |   over {data}  8 of 8   8.0 KiB: 1 all-reduce (8.0 KiB)
// |     all-reduce  (f32[32,16], f32[32,48])  8.0 KiB    model.py:7 and 1 more  dot_general sums over a sharded dimension
// ==== shardwright collectives %s --backend tpu
// ---- exit 0
// ---- stdout
// | step  ·  backend.mlir (StableHLO, 2 operations)  ·  mesh data=8 (8 devices)  ·  Shardy  ·  tpu
// |
// |   8.0 KiB a device and step, in 1 collective
// |
// |   over {data}  8 of 8   8.0 KiB: 1 all-reduce (8.0 KiB)
// |     all-reduce  (f32[32,16], f32[32,48])  8.0 KiB    model.py:7 and 1 more  dot_general sums over a sharded dimension
// ==== shardwright collectives %s --backend xla-gpu --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "backend.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {"name": "mesh", "axes": [{"name": "data", "size": 8}], "device_ids": null}
// |   ],
// |   "backend": "xla-gpu",
// |   "device_count": 8,
// |   "total": {
// |     "runs": 1,
// |     "bytes": 1024
// |   },
// |   "by": "axis",
// |   "sums": [
// |     {"label": "over {data}", "axes": ["data"], "group_size": 8, "runs": 1, "bytes": 1024, "collectives": [0]}
// |   ],
// |   "collectives": [
// |     {"op": "reduce-scatter", "shape": "(f32[4,16], f32[4,48])", "groups": [[0, 1, 2, 3, 4, 5, 6, 7]], "iota": "[1,8]<=[8]", "group_size": 8, "group_count": 1, "dims": [0], "axes": ["data"], "follows_axes": true, "computation": "main_spmd", "trip_count": 1, "bytes": 1024, "user": false, "cause": {"value": "%0", "operand": null, "line": 15, "source": "model.py:7", "reason": "contraction", "from": {"sdy": "<@mesh, [{\"data\"}, {}]>", "hlo": "{devices=[8,1]<=[8]}", "spec": "P('data', None)"}, "to": {"sdy": "<@mesh, [{\"data\"}, {}]>", "hlo": "{devices=[8,1]<=[8]}", "spec": "P('data', None)"}, "why": "dot_general sums over a sharded dimension"}, "merged": [{"value": "%1", "operand": null, "line": 16, "source": "model.py:8", "reason": "contraction", "from": {"sdy": "<@mesh, [{\"data\"}, {}]>", "hlo": "{devices=[8,1]<=[8]}", "spec": "P('data', None)"}, "to": {"sdy": "<@mesh, [{\"data\"}, {}]>", "hlo": "{devices=[8,1]<=[8]}", "spec": "P('data', None)"}, "why": "dot_general sums over a sharded dimension"}]}
// |   ]
// | }
