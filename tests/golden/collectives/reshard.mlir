// Both free dimensions are sharded by one axis: the weights are gathered.
// RUN: shardwright collectives %s
// RUN: shardwright collectives %s --by line
// RUN: shardwright collectives %s --by bytes
// RUN: shardwright collectives %s --format json
// RUN: shardwright collectives %s --format markdown
// RUN: shardwright collectives %s --partitioner gspmd
// RUN: shardwright collectives %s --mesh x=2,y=8
// RUN: shardwright collectives %s --partitioner none
// RUN: shardwright collectives %s --by shape
// RUN: shardwright plan %s
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("x"),
                         %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>} loc("params['w']")) -> (tensor<64x16xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/dot_general"("model.py":7:4 to :9))
    return %0 : tensor<64x16xf32>
  }
}
// ==== shardwright collectives %s
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   over {y}  4 of 8   2.0 KiB: 1 all-gather (2.0 KiB)
// |     all-gather  f32[32,16]  2.0 KiB    model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --by line
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   model.py:7   2.0 KiB: 1 all-gather (2.0 KiB)
// |     all-gather  over {y}  4 of 8  f32[32,16]  2.0 KiB    dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --by bytes
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   all-gather  over {y}  4 of 8  f32[32,16]  2.0 KiB    model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "reshard.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {"name": "mesh", "axes": [{"name": "x", "size": 2}, {"name": "y", "size": 4}], "device_ids": null}
// |   ],
// |   "backend": "none",
// |   "device_count": 8,
// |   "total": {
// |     "runs": 1,
// |     "bytes": 2048
// |   },
// |   "by": "axis",
// |   "sums": [
// |     {"label": "over {y}", "axes": ["y"], "group_size": 4, "runs": 1, "bytes": 2048, "collectives": [0]}
// |   ],
// |   "collectives": [
// |     {"op": "all-gather", "shape": "f32[32,16]", "groups": [[0, 1, 2, 3], [4, 5, 6, 7]], "iota": "[2,4]<=[8]", "group_size": 4, "group_count": 2, "dims": [1], "axes": ["y"], "follows_axes": true, "computation": "main_spmd", "trip_count": 1, "bytes": 2048, "user": false, "cause": {"value": "%0", "operand": "params['w']", "line": 16, "source": "model.py:7", "reason": "reshard", "from": {"sdy": "<@mesh, [{}, {\"y\"}]>", "hlo": "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'y')"}, "to": {"sdy": "<@mesh, [{}, {}]>", "hlo": "{replicated}", "spec": "P()"}, "why": "dot_general takes params['w'] as P(), it is P(None, 'y')"}, "merged": []}
// |   ]
// | }
// ==== shardwright collectives %s --format markdown
// ---- exit 0
// ---- stdout
// | **step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy**
// |
// | Collectives: 2.0 KiB a device and step, in 1 collective.
// |
// | **over {y}  4 of 8   2.0 KiB: 1 all-gather (2.0 KiB)**
// |
// | | collective | over | devices | on a device | bytes | a step | where | why |
// | |---|---|---|---|---|---|---|---|
// | | all-gather | over {y} | 4 of 8 | `f32[32,16]` | 2.0 KiB | 2.0 KiB | model.py:7 | dot_general takes params['w'] as P(), it is P(None, 'y') |
// ==== shardwright collectives %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  GSPMD
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   over {y}  4 of 8   2.0 KiB: 1 all-gather (2.0 KiB)
// |     all-gather  f32[32,16]  2.0 KiB    model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --mesh x=2,y=8
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=8 (16 devices)  ·  Shardy
// |
// |   2.0 KiB a device and step, in 1 collective
// |
// |   over {y}  8 of 16   2.0 KiB: 1 all-gather (2.0 KiB)
// |     all-gather  f32[32,16]  2.0 KiB    model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --partitioner none
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  as written
// |
// |   10.0 KiB a device and step, in 2 collectives
// |
// |   over {y}  4 of 8   10.0 KiB: 2 all-gather (10.0 KiB)
// |     all-gather  f32[64,32]  8.0 KiB    model.py:7  dot_general takes x as P(), it is P('y', None)
// |     all-gather  f32[32,16]  2.0 KiB    model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// ==== shardwright collectives %s --by shape
// ---- exit 2
// ---- stderr
// | error: unknown value `shape` of `--by` [unknown-name]
// | help: expected one of `axis`, `line`, `bytes`
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | step  ·  reshard.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=4 (8 devices)  ·  Shardy
// |
// |   arguments  2.5 KiB on a device, of 10.0 KiB in 2 arguments
// |   values     3 sharded, 0 whole on every device
// |
// |   collectives    2.0 KiB a device and step, in 1 collective
// |     over {y}  4 of 8  2.0 KiB  1 all-gather (2.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {y}  f32[32,16]  2.0 KiB  model.py:7  dot_general takes params['w'] as P(), it is P(None, 'y')
// |
// |   findings
// |     axis-conflict         model.py:7   %0 dot_general: dimension 0 of x and dimension 1 of params['w'] both want `y`, and params['w'] is gathered along it (1.5 KiB on each device)
// |                           └ shard dimension 1 of params['w'] by another axis, or not at all
// |     unused-axis           mesh axis `x` (2 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |
// |   arguments      global      on a device  spec
// |     x            f32[64,32]  [16,32]      P('y', None)
// |     params['w']  f32[32,16]  [32,4]       P(None, 'y')
// |
// |   results   global      on a device  spec
// |     result  f32[64,16]  [16,16]      P('y', None)
