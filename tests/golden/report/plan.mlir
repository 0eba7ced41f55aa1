// The screen of a plan: names of the user, uneven division, an operation that nothing is known about, a large value that stays
// whole although it is computed from sharded ones.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --all
// RUN: shardwright plan %s --format json
// RUN: shardwright plan %s --partitioner none
// RUN: shardwright plan %s --partitioner gspmd
module @jit_train_step {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<7x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch"),
                         %arg1: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("params['layers'][0]['attention']['query']['kernel']"),
                         %arg2: tensor<i32> loc("step")) -> (tensor<7x4096xf32> {jax.result_info = "result['logits']"}, tensor<4096x1024xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<7x1024xf32>, tensor<1024x4096xf32>) -> tensor<7x4096xf32> loc("jit(train_step)/dot_general"(callsite("attention"("model.py":41:8) at "train_step"("train.py":12:4))))
    %1 = stablehlo.custom_call @my_kernel(%arg1) : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32> loc("model.py":52:8)
    return %0, %1 : tensor<7x4096xf32>, tensor<4096x1024xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | train_step  ·  plan.mlir (StableHLO, 2 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// |   arguments  4.0 MiB on a device, of 16.0 MiB in 3 arguments
// |   values     2 sharded, 3 whole on every device, 1 divided unevenly
// |
// |   collectives    16.0 MiB a device and step, in 2 collectives
// |     over {model}  4 of 8  16.0 MiB  1 all-gather (16.0 MiB)
// |     over {data}   2 of 8  32.0 KiB  1 all-gather (32.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {model}  f32[1024,4096]  16.0 MiB  model.py:52  custom_call @my_kernel takes params['layers'][0]['attention']['query']['kernel'] as P(), it is P(None, 'model')
// |     all-gather  over {data}   f32[8,1024]     32.0 KiB  model.py:41  result['logits'] is to be P(None, 'model'), it is P('data', 'model')
// |
// |   findings
// |     silent-replication    argument   batch: dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it (12.0 KiB on each device)
// |                           └ make the extent a multiple of 2, or shard another dimension
// |
// |   unsupported: nothing is known about these, so no sharding goes through them
// |     stablehlo.custom_call @my_kernel  model.py:52
// |
// |   whole on every device, though computed from sharded values
// |     custom_call  model.py:52  f32[4096,1024]  16.0 MiB
// |
// |   arguments                                 global          on a device  spec
// |     batch                                   f32[7,1024]     [7,1024]     P()
// |     params['layers'][0]['attention']['que…  f32[1024,4096]  [1024,1024]  P(None, 'model')
// |     step                                    i32[]           []           P()
// |
// |   results             global          on a device  spec
// |     result['logits']  f32[7,4096]     [7,1024]     P(None, 'model')
// |     result[1]         f32[4096,1024]  [4096,1024]  P()
// ==== shardwright plan %s --all
// ---- exit 0
// ---- stdout
// | train_step  ·  plan.mlir (StableHLO, 2 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// |   arguments  4.0 MiB on a device, of 16.0 MiB in 3 arguments
// |   values     2 sharded, 3 whole on every device, 1 divided unevenly
// |
// |   collectives    16.0 MiB a device and step, in 2 collectives
// |     over {model}  4 of 8  16.0 MiB  1 all-gather (16.0 MiB)
// |     over {data}   2 of 8  32.0 KiB  1 all-gather (32.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {model}  f32[1024,4096]  16.0 MiB  model.py:52  custom_call @my_kernel takes params['layers'][0]['attention']['query']['kernel'] as P(), it is P(None, 'model')
// |     all-gather  over {data}   f32[8,1024]     32.0 KiB  model.py:41  result['logits'] is to be P(None, 'model'), it is P('data', 'model')
// |
// |   findings
// |     silent-replication    argument   batch: dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it (12.0 KiB on each device)
// |                           └ make the extent a multiple of 2, or shard another dimension
// |
// |   unsupported: nothing is known about these, so no sharding goes through them
// |     stablehlo.custom_call @my_kernel  model.py:52
// |
// |   whole on every device, though computed from sharded values
// |     custom_call  model.py:52  f32[4096,1024]  16.0 MiB
// |
// |   arguments                                 global          on a device  spec
// |     batch                                   f32[7,1024]     [7,1024]     P()
// |     params['layers'][0]['attention']['que…  f32[1024,4096]  [1024,1024]  P(None, 'model')
// |     step                                    i32[]           []           P()
// |
// |   results             global          on a device  spec
// |     result['logits']  f32[7,4096]     [7,1024]     P(None, 'model')
// |     result[1]         f32[4096,1024]  [4096,1024]  P()
// |
// |   values               where      global          on a device  spec
// |     %0  dot_general  model.py:41  f32[7,4096]     [4,1024]     P('data', 'model')
// |     %1  custom_call  model.py:52  f32[4096,1024]  [4096,1024]  P()
// ==== shardwright plan %s --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "plan.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_train_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {"name": "mesh", "axes": [{"name": "data", "size": 2}, {"name": "model", "size": 4}], "device_ids": null}
// |   ],
// |   "values": [
// |     {"kind": "result", "function": "main", "name": "%0", "line": 13, "index": 0, "op": "stablehlo.dot_general", "type": {"element": "f32", "shape": [7, 4096]}, "sharding": {"sdy": "<@mesh, [{\"data\"}, {\"model\"}]>", "hlo": "{devices=[2,4]<=[8]}", "spec": "P('data', 'model')"}, "device_shape": [4, 1024], "rule": "<([i, k], [k, j])->([i, j]) {i=7, j=4096, k=1024} reduction={k}>", "origin": {"axes": [{"dim": 0, "axis": "data", "from": "batch", "from_dim": 0, "line": 10, "steps": 1}, {"dim": 1, "axis": "model", "from": "params['layers'][0]['attention']['query']['kernel']", "from_dim": 1, "line": 11, "steps": 1}]}, "source": {"file": "model.py", "line": 41, "function": "attention"}},
// |     {"kind": "result", "function": "main", "name": "%1", "line": 14, "index": 0, "op": "stablehlo.custom_call", "type": {"element": "f32", "shape": [4096, 1024]}, "sharding": {"sdy": null, "hlo": null, "spec": null}, "device_shape": [4096, 1024], "rule": null, "origin": null, "source": {"file": "model.py", "line": 52, "function": null}},
// |     {"kind": "argument", "function": "main", "name": "%arg0", "line": 10, "index": 0, "argument": "batch", "type": {"element": "f32", "shape": [7, 1024]}, "sharding": {"sdy": "<@mesh, [{}, {}]>", "hlo": "{replicated}", "spec": "P()"}, "device_shape": [7, 1024], "rule": null, "origin": null},
// |     {"kind": "argument", "function": "main", "name": "%arg1", "line": 11, "index": 1, "argument": "params['layers'][0]['attention']['query']['kernel']", "type": {"element": "f32", "shape": [1024, 4096]}, "sharding": {"sdy": "<@mesh, [{}, {\"model\"}]>", "hlo": "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'model')"}, "device_shape": [1024, 1024], "rule": null, "origin": {"axes": [{"dim": 1, "axis": "model", "from": "params['layers'][0]['attention']['query']['kernel']", "from_dim": 1, "line": 11, "steps": 0}]}},
// |     {"kind": "argument", "function": "main", "name": "%arg2", "line": 12, "index": 2, "argument": "step", "type": {"element": "i32", "shape": []}, "sharding": {"sdy": null, "hlo": null, "spec": null}, "device_shape": [], "rule": null, "origin": null}
// |   ],
// |   "outputs": [
// |     {"index": 0, "name": "result['logits']", "type": {"element": "f32", "shape": [7, 4096]}, "sharding": {"sdy": "<@mesh, [{}, {\"model\"}]>", "hlo": "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'model')"}, "device_shape": [7, 1024]},
// |     {"index": 1, "name": "result[1]", "type": {"element": "f32", "shape": [4096, 1024]}, "sharding": {"sdy": null, "hlo": null, "spec": null}, "device_shape": [4096, 1024]}
// |   ],
// |   "collectives": [
// |     {"op": "all-gather", "shape": "f32[1024,4096]", "groups": [[0, 1, 2, 3], [4, 5, 6, 7]], "iota": "[2,4]<=[8]", "group_size": 4, "group_count": 2, "dims": [1], "axes": ["model"], "follows_axes": true, "computation": "main_spmd", "trip_count": 1, "bytes": 16777216, "user": false, "cause": {"value": "%1", "operand": "params['layers'][0]['attention']['query']['kernel']", "line": 14, "source": "model.py:52", "reason": "reshard", "from": {"sdy": "<@mesh, [{}, {\"model\"}]>", "hlo": "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'model')"}, "to": {"sdy": "<@mesh, [{}, {}]>", "hlo": "{replicated}", "spec": "P()"}, "why": "custom_call @my_kernel takes params['layers'][0]['attention']['query']['kernel'] as P(), it is P(None, 'model')"}, "merged": []},
// |     {"op": "all-gather", "shape": "f32[8,1024]", "groups": [[0, 4], [1, 5], [2, 6], [3, 7]], "iota": "[4,2]<=[2,4]T(1,0)", "group_size": 2, "group_count": 4, "dims": [0], "axes": ["data"], "follows_axes": true, "computation": "main_spmd", "trip_count": 1, "bytes": 32768, "user": false, "cause": {"value": "%0", "operand": "%0", "line": 13, "source": "model.py:41", "reason": "output", "from": {"sdy": "<@mesh, [{\"data\"}, {\"model\"}]>", "hlo": "{devices=[2,4]<=[8]}", "spec": "P('data', 'model')"}, "to": {"sdy": "<@mesh, [{}, {\"model\"}]>", "hlo": "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'model')"}, "why": "result['logits'] is to be P(None, 'model'), it is P('data', 'model')"}, "merged": []}
// |   ],
// |   "findings": [
// |     {"rule": "silent-replication", "severity": "warning", "line": 10, "source": null, "value": "batch", "message": "dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it", "bytes": 12288, "fix": "make the extent a multiple of 2, or shard another dimension"}
// |   ],
// |   "unsupported": [
// |     {"op": "stablehlo.custom_call", "line": 14, "assumed": "no sharding is propagated through it"}
// |   ]
// | }
// ==== shardwright plan %s --partitioner none
// ---- exit 0
// ---- stdout
// | train_step  ·  plan.mlir (StableHLO, 2 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  as written
// |
// |   arguments  4.0 MiB on a device, of 16.0 MiB in 3 arguments
// |   values     2 sharded, 3 whole on every device, 1 divided unevenly
// |
// |   collectives    16.0 MiB a device and step, in 1 collective
// |     over {model}  4 of 8  16.0 MiB  1 all-gather (16.0 MiB)
// |
// |   largest collectives
// |     all-gather  over {model}  f32[1024,4096]  16.0 MiB  model.py:41  dot_general takes params['layers'][0]['attention']['query']['kernel'] as P(), it is P(None, 'model')
// |
// |   arguments                                 global          on a device  spec
// |     batch                                   f32[7,1024]     [4,1024]     P('data', None)
// |     params['layers'][0]['attention']['que…  f32[1024,4096]  [1024,1024]  P(None, 'model')
// |     step                                    i32[]           []           P()
// |
// |   results             global          on a device  spec
// |     result['logits']  f32[7,4096]     [7,4096]     P()
// |     result[1]         f32[4096,1024]  [4096,1024]  P()
// ==== shardwright plan %s --partitioner gspmd
// ---- exit 0
// ---- stdout
// | train_step  ·  plan.mlir (StableHLO, 2 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  GSPMD
// |
// |   arguments  4.0 MiB on a device, of 16.0 MiB in 3 arguments
// |   values     3 sharded, 2 whole on every device, 2 divided unevenly
// |
// |   collectives    16.2 MiB a device and step, in 3 collectives
// |     over {model}  4 of 8  16.1 MiB   2 all-gather (16.1 MiB)
// |     over {data}   2 of 8  128.0 KiB  1 all-gather (128.0 KiB)
// |
// |   largest collectives
// |     all-gather  over {model}  f32[1024,4096]  16.0 MiB   model.py:52  custom_call @my_kernel takes params['layers'][0]['attention']['query']['kernel'] as P(), it is P(None, 'model')
// |     all-gather  over {data}   f32[8,4096]     128.0 KiB  model.py:41  result['logits'] is to be P(), it is P('data', 'model')
// |     all-gather  over {model}  f32[4,4096]     64.0 KiB   model.py:41  result['logits'] is to be P(), it is P('data', 'model')
// |
// |   whole on every device, though computed from sharded values
// |     custom_call  model.py:52  f32[4096,1024]  16.0 MiB
// |
// |   arguments                                 global          on a device  spec
// |     batch                                   f32[7,1024]     [4,1024]     P('data', None)
// |     params['layers'][0]['attention']['que…  f32[1024,4096]  [1024,1024]  P(None, 'model')
// |     step                                    i32[]           []           P()
// |
// |   results             global          on a device  spec
// |     result['logits']  f32[7,4096]     [7,4096]     P()
// |     result[1]         f32[4096,1024]  [4096,1024]  P()
