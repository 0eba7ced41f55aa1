// Two operands of an add want the same two axes in the other order: Shardy keeps what both agree on, GSPMD takes one of them.
// RUN: shardwright diff %s
// RUN: shardwright diff %s --format json
// RUN: shardwright diff %s --format markdown
// RUN: shardwright diff %s --partitioners shardy,shardy
// RUN: shardwright diff %s --partitioners shardy
// RUN: shardwright diff %s %s
// RUN: shardwright diff %s --to-mesh a=4,b=2,c=2
// RUN: shardwright explain %s %0 --partitioner gspmd
module @jit_step {
  sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}]>} loc("batch"),
                         %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>} loc("state")) -> (tensor<64x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<64x32xf32> loc("jit(step)/add"("model.py":7:4 to :12))
    %1 = stablehlo.tanh %0 : tensor<64x32xf32> loc("jit(step)/tanh"("model.py":8:4 to :12))
    return %1 : tensor<64x32xf32>
  }
}
// ==== shardwright diff %s
// ---- exit 1
// ---- stdout
// | GSPMD and Shardy differ on 2 of 4 values and on 1 result of main; a step moves 11.0 KiB more a device under Shardy.
// |
// |   1  %0  add  f32[64,32]   model.py:7   +11.0 KiB of collectives
// |      GSPMD   P(('a', 'b'), 'c')  1.0 KiB
// |      Shardy  P(None, 'c')        4.0 KiB
// |      how GSPMD came to it
// |        a, b on dimension 0  from  batch    argument    annotated
// |                              →    %0  add  model.py:7  add: dimension 0 kept
// |        c on dimension 1     from  batch    argument    annotated
// |                              →    %0  add  model.py:7  add: dimension 1 kept
// |      how Shardy came to it
// |        c on dimension 1  from  batch    argument    annotated
// |                           →    %0  add  model.py:7  add: dimension 1 kept
// |      1 more follow from it
// |        %1  tanh  model.py:8  P(('a', 'b'), 'c')  P(None, 'c')  +3.0 KiB
// |
// |   results of main
// |              GSPMD               Shardy
// |      result  P(('a', 'b'), 'c')  P(None, 'c')
// |
// |   collectives a step, and bytes of their results on a device
// |                                       GSPMD        Shardy
// |      all-gather          over {a, b}  -            2 (12.0 KiB)  +12.0 KiB
// |      collective-permute  over {a, b}  1 (1.0 KiB)  -             -1.0 KiB
// |
// |   collectives that differ
// |                                                                        GSPMD        Shardy
// |      appears   all-gather          over {a, b}  f32[64,16] and 1 more  -            2 (12.0 KiB)  +12.0 KiB  model.py:7  add takes batch as P(None, 'c'), it is P(('a', 'b'), 'c')
// |      vanishes  collective-permute  over {a, b}  f32[16,16]             1 (1.0 KiB)  -             -1.0 KiB   model.py:7  add takes state as P(('a', 'b'), 'c'), it is P(('b', 'a'), None)
// |
// |   settled by
// |      x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0  model.py:7
// |      (tried: 3 differences become 0)
// ==== shardwright diff %s --format json
// ---- exit 1
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "a": "GSPMD",
// |   "b": "Shardy",
// |   "compared": 4,
// |   "equal": false,
// |   "outputs": [
// |     {"index": 0, "name": "result", "a": "P(('a', 'b'), 'c')", "b": "P(None, 'c')"}
// |   ],
// |   "differences": [
// |     {"group": 0, "moved": 11264, "parting": true, "name": "%0", "function": "main", "region": null, "line": 14, "source": "model.py:7", "a": "P(('a', 'b'), 'c')", "b": "P(None, 'c')", "bytes_a": 1024, "bytes_b": 4096},
// |     {"group": 0, "moved": 11264, "parting": false, "name": "%1", "function": "main", "region": null, "line": 15, "source": "model.py:8", "a": "P(('a', 'b'), 'c')", "b": "P(None, 'c')", "bytes_a": 1024, "bytes_b": 4096}
// |   ],
// |   "collectives": {
// |     "equal": false,
// |     "bytes_a": 1024,
// |     "bytes_b": 12288,
// |     "elsewhere": 0,
// |     "sums": [{"op": "all-gather", "over": "over {a, b}", "axes": ["a", "b"], "runs_a": 0, "runs_b": 2, "bytes_a": 0, "bytes_b": 12288}, {"op": "collective-permute", "over": "over {a, b}", "axes": ["a", "b"], "runs_a": 1, "runs_b": 0, "bytes_a": 1024, "bytes_b": 0}],
// |     "changes": [{"change": "appears", "op": "all-gather", "over": "over {a, b}", "axes": ["a", "b"], "place": "model.py:7", "a": {"runs": 0, "bytes": 0, "shapes": [], "user": false, "why": null}, "b": {"runs": 2, "bytes": 12288, "shapes": ["f32[64,16]", "f32[64,32]"], "user": false, "why": "add takes batch as P(None, 'c'), it is P(('a', 'b'), 'c')"}, "bytes_a": 0, "bytes_b": 12288}, {"change": "vanishes", "op": "collective-permute", "over": "over {a, b}", "axes": ["a", "b"], "place": "model.py:7", "a": {"runs": 1, "bytes": 1024, "shapes": ["f32[16,16]"], "user": false, "why": "add takes state as P(('a', 'b'), 'c'), it is P(('b', 'a'), None)"}, "b": {"runs": 0, "bytes": 0, "shapes": [], "user": false, "why": null}, "bytes_a": 1024, "bytes_b": 0}]
// |   },
// |   "settlement": {
// |     "before": 3,
// |     "after": 0,
// |     "tries": 1,
// |     "pins": [{"value": "%0", "function": "main", "region": null, "line": 14, "source": "model.py:7", "sdy": "<@mesh, [{}, {\"c\"}]>", "hlo": "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}", "spec": "P(None, 'c')", "code": "x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0"}]
// |   }
// | }
// ==== shardwright diff %s --format markdown
// ---- exit 1
// ---- stdout
// | **GSPMD and Shardy differ on 2 of 4 values and on 1 result of main; a step moves 11.0 KiB more a device under Shardy.**
// |
// | | value | where | GSPMD | Shardy | bytes on a device | collectives a step | follow from it |
// | |---|---|---|---|---|---|---|
// | | `%0  add` | model.py:7 | `P(('a', 'b'), 'c')` | `P(None, 'c')` | +3.0 KiB | +11.0 KiB | 1 |
// |
// | | collectives |  | over | on a device | GSPMD | Shardy | bytes | where | why |
// | |---|---|---|---|---|---|---|---|---|
// | | appears | all-gather | over {a, b} | f32[64,16] and 1 more | - | 2 (12.0 KiB) | +12.0 KiB | model.py:7 | add takes batch as P(None, 'c'), it is P(('a', 'b'), 'c') |
// | | vanishes | collective-permute | over {a, b} | f32[16,16] | 1 (1.0 KiB) | - | -1.0 KiB | model.py:7 | add takes state as P(('a', 'b'), 'c'), it is P(('b', 'a'), None) |
// |
// | Settled by (tried: 3 differences become 0)
// |
// | ```python
// | x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0, model.py:7
// | ```
// ==== shardwright diff %s --partitioners shardy,shardy
// ---- exit 0
// ---- stdout
// | Shardy and Shardy agree on all 4 values; a step moves the same 12.0 KiB a device under both.
// ==== shardwright diff %s --partitioners shardy
// ---- exit 2
// ---- stderr
// | error: `--partitioners` takes two names with a comma: gspmd,shardy [bad-configuration]
// ==== shardwright diff %s %s
// ---- exit 0
// ---- stdout
// | A and B agree on all 4 values; a step moves the same 12.0 KiB a device under both.
// ==== shardwright diff %s --to-mesh a=4,b=2,c=2
// ---- exit 0
// ---- stdout
// | the mesh as written and a=4,b=2,c=2 agree on all 4 values; a step moves the same 12.0 KiB a device under both.
// ==== shardwright explain %s %0 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %0  add  ·  f32[64,32]  ·  P(('a', 'b'), 'c')   model.py:7
// |
// |   dimension 0   a, b
// |       from  batch    argument    annotated P(('a', 'b'), 'c')
// |        →    %0  add  model.py:7  add: dimension 0 kept         level 0, sweep 1
// |   dimension 1   c
// |       from  batch    argument    annotated P(('a', 'b'), 'c')
// |        →    %0  add  model.py:7  add: dimension 1 kept         level 0, sweep 1
