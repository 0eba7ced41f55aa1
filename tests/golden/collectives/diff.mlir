// One step written twice: under jit, and with shard_map (diff_shard_map.mlir). The sum over `y` is in both, on other lines; the partitioner
// gathers the result, the user scatters it. Then what another mesh, a pin and the other partitioner change.
// RUN: shardwright diff %s %d/diff_shard_map.mlir
// RUN: shardwright diff %s %d/diff_shard_map.mlir --format json
// RUN: shardwright diff %s %d/diff_shard_map.mlir --format markdown
// RUN: shardwright diff %s --to-mesh x=2,y=8
// RUN: shardwright diff %s --to-pin "%0=P('x', 'y')"
// RUN: shardwright diff %s
// RUN: shardwright diff %s %d/diff_shard_map.mlir --backend xla-gpu
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("x"),
                         %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("params['w']"))
      -> (tensor<64x16xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32> loc("jit(step)/dot_general"("model.py":7:4 to :9))
    %1 = stablehlo.tanh %0 : tensor<64x16xf32> loc("jit(step)/tanh"("model.py":8:4 to :9))
    return %1 : tensor<64x16xf32>
  }
}
// ==== shardwright diff %s %d/diff_shard_map.mlir
// ---- exit 1
// ---- stdout
// | diff.mlir and diff_shard_map.mlir differ on 2 of 4 values and on 1 result of main; a step moves 3.5 KiB more a device under diff.mlir.
// |
// |   1  %0  dot_general  f32[64,16]   model.py:7   -3.5 KiB of collectives
// |      diff.mlir            P('x', None)  2.0 KiB
// |      diff_shard_map.mlir  P()           2.0 KiB
// |      how diff.mlir came to it
// |        x on dimension 0  from  x                argument    annotated
// |                           →    %0  dot_general  model.py:7  dot_general: left free dimension
// |      1 more follow from it
// |        %1  tanh  model.py:8  P('x', None)  P()  same bytes
// |
// |   results of main
// |              diff.mlir  diff_shard_map.mlir
// |      result  P()        P(('x', 'y'), None)
// |
// |   collectives a step, and bytes of their results on a device
// |                                diff.mlir    diff_shard_map.mlir
// |      all-gather      over {x}  1 (4.0 KiB)  -                    -4.0 KiB
// |      all-reduce      over {y}  1 (2.0 KiB)  1 (2.0 KiB)          same bytes
// |      reduce-scatter  over {y}  -            1 (512 B)            +512 B
// |
// |   collectives that differ
// |                                                      diff.mlir    diff_shard_map.mlir
// |      vanishes  all-gather      over {x}  f32[64,16]  1 (4.0 KiB)  -                    -4.0 KiB  model.py:8    result is to be P(), it is P('x', None)
// |      appears   reduce-scatter  over {y}  f32[8,16]   -            1 (512 B)            +512 B    manual.py:20  your own, in shard_map
// |      1 is the same on both sides, on other lines
// ==== shardwright diff %s %d/diff_shard_map.mlir --format json
// ---- exit 1
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "a": "diff.mlir",
// |   "b": "diff_shard_map.mlir",
// |   "compared": 4,
// |   "equal": false,
// |   "outputs": [
// |     {"index": 0, "name": "result", "a": "P()", "b": "P(('x', 'y'), None)"}
// |   ],
// |   "differences": [
// |     {"group": 0, "moved": -3584, "parting": true, "name": "%0", "function": "main", "region": null, "line": 15, "source": "model.py:7", "a": "P('x', None)", "b": "P()", "bytes_a": 2048, "bytes_b": 2048},
// |     {"group": 0, "moved": -3584, "parting": false, "name": "%1", "function": "main", "region": null, "line": 16, "source": "model.py:8", "a": "P('x', None)", "b": "P()", "bytes_a": 2048, "bytes_b": 2048}
// |   ],
// |   "collectives": {
// |     "equal": false,
// |     "bytes_a": 6144,
// |     "bytes_b": 2560,
// |     "elsewhere": 1,
// |     "sums": [{"op": "all-gather", "over": "over {x}", "axes": ["x"], "runs_a": 1, "runs_b": 0, "bytes_a": 4096, "bytes_b": 0}, {"op": "all-reduce", "over": "over {y}", "axes": ["y"], "runs_a": 1, "runs_b": 1, "bytes_a": 2048, "bytes_b": 2048}, {"op": "reduce-scatter", "over": "over {y}", "axes": ["y"], "runs_a": 0, "runs_b": 1, "bytes_a": 0, "bytes_b": 512}],
// |     "changes": [{"change": "vanishes", "op": "all-gather", "over": "over {x}", "axes": ["x"], "place": "model.py:8", "a": {"runs": 1, "bytes": 4096, "shapes": ["f32[64,16]"], "user": false, "why": "result is to be P(), it is P('x', None)"}, "b": {"runs": 0, "bytes": 0, "shapes": [], "user": false, "why": null}, "bytes_a": 4096, "bytes_b": 0}, {"change": "appears", "op": "reduce-scatter", "over": "over {y}", "axes": ["y"], "place": "manual.py:20", "a": {"runs": 0, "bytes": 0, "shapes": [], "user": false, "why": null}, "b": {"runs": 1, "bytes": 512, "shapes": ["f32[8,16]"], "user": true, "why": "your own, in shard_map"}, "bytes_a": 0, "bytes_b": 512}]
// |   },
// |   "settlement": null
// | }
// ==== shardwright diff %s %d/diff_shard_map.mlir --format markdown
// ---- exit 1
// ---- stdout
// | **diff.mlir and diff_shard_map.mlir differ on 2 of 4 values and on 1 result of main; a step moves 3.5 KiB more a device under diff.mlir.**
// |
// | | value | where | diff.mlir | diff_shard_map.mlir | bytes on a device | collectives a step | follow from it |
// | |---|---|---|---|---|---|---|
// | | `%0  dot_general` | model.py:7 | `P('x', None)` | `P()` | same bytes | -3.5 KiB | 1 |
// |
// | | collectives |  | over | on a device | diff.mlir | diff_shard_map.mlir | bytes | where | why |
// | |---|---|---|---|---|---|---|---|---|
// | | vanishes | all-gather | over {x} | f32[64,16] | 1 (4.0 KiB) | - | -4.0 KiB | model.py:8 | result is to be P(), it is P('x', None) |
// | | appears | reduce-scatter | over {y} | f32[8,16] | - | 1 (512 B) | +512 B | manual.py:20 | your own, in shard_map |
// ==== shardwright diff %s --to-mesh x=2,y=8
// ---- exit 0
// ---- stdout
// | the mesh as written and x=2,y=8 agree on all 4 values; a step moves the same 6.0 KiB a device under both.
// ==== shardwright diff %s --to-pin "%0=P('x', 'y')"
// ---- exit 1
// ---- stdout
// | A and B differ on 2 of 4 values; a step moves 2.0 KiB more a device under B.
// |
// |   1  %0  dot_general  f32[64,16]   model.py:7   +2.0 KiB of collectives
// |      A  P('x', None)  2.0 KiB
// |      B  P('x', 'y')   512 B
// |      how A came to it
// |        x on dimension 0  from  x                argument    annotated
// |                           →    %0  dot_general  model.py:7  dot_general: left free dimension
// |      how B came to it
// |        x on dimension 0  from  %0  dot_general  model.py:7  annotated
// |        y on dimension 1  from  %0  dot_general  model.py:7  annotated
// |      1 more follow from it
// |        %1  tanh  model.py:8  P('x', None)  P('x', 'y')  -1.5 KiB
// |
// |   collectives a step, and bytes of their results on a device
// |                            A            B
// |      all-gather  over {x}  1 (4.0 KiB)  1 (4.0 KiB)  same bytes
// |      all-reduce  over {y}  1 (2.0 KiB)  1 (2.0 KiB)  same bytes
// |      all-gather  over {y}  -            1 (2.0 KiB)  +2.0 KiB
// |
// |   collectives that differ
// |                                                 A  B
// |      appears  all-gather  over {y}  f32[32,16]  -  1 (2.0 KiB)  +2.0 KiB  model.py:8  result is to be P(), it is P('x', 'y')
// ==== shardwright diff %s
// ---- exit 0
// ---- stdout
// | GSPMD and Shardy agree on all 4 values; a step moves the same 6.0 KiB a device under both.
// ==== shardwright diff %s %d/diff_shard_map.mlir --backend xla-gpu
// ---- exit 1
// ---- stdout
// | diff.mlir and diff_shard_map.mlir differ on 2 of 4 values and on 1 result of main; a step moves 3.5 KiB more a device under diff.mlir.
// |
// |   1  %0  dot_general  f32[64,16]   model.py:7   -3.5 KiB of collectives
// |      diff.mlir            P('x', None)  2.0 KiB
// |      diff_shard_map.mlir  P()           2.0 KiB
// |      how diff.mlir came to it
// |        x on dimension 0  from  x                argument    annotated
// |                           →    %0  dot_general  model.py:7  dot_general: left free dimension
// |      1 more follow from it
// |        %1  tanh  model.py:8  P('x', None)  P()  same bytes
// |
// |   results of main
// |              diff.mlir  diff_shard_map.mlir
// |      result  P()        P(('x', 'y'), None)
// |
// |   collectives a step, and bytes of their results on a device
// |                                diff.mlir    diff_shard_map.mlir
// |      all-gather      over {x}  1 (4.0 KiB)  -                    -4.0 KiB
// |      all-reduce      over {y}  1 (2.0 KiB)  1 (2.0 KiB)          same bytes
// |      reduce-scatter  over {y}  -            1 (512 B)            +512 B
// |
// |   collectives that differ
// |                                                      diff.mlir    diff_shard_map.mlir
// |      vanishes  all-gather      over {x}  f32[64,16]  1 (4.0 KiB)  -                    -4.0 KiB  model.py:8    result is to be P(), it is P('x', None)
// |      appears   reduce-scatter  over {y}  f32[8,16]   -            1 (512 B)            +512 B    manual.py:20  your own, in shard_map
// |      1 is the same on both sides, on other lines
