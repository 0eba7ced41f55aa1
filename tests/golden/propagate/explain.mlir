// Every way to name what is to be explained, and what the words of the steps are.
// RUN: shardwright explain %s "logits"
// RUN: shardwright explain %s result[1]
// RUN: shardwright explain %s model.py:43
// RUN: shardwright explain %s 20
// RUN: shardwright explain %s %4#1
// RUN: shardwright explain %s "params['w']"
// RUN: shardwright explain %s step
// RUN: shardwright explain %s "params['v']"
// RUN: shardwright explain %s %1 --partitioner gspmd
// RUN: shardwright explain %s %1 --why-not z
// RUN: shardwright explain %s %1 --why-not model
// RUN: shardwright explain %s %2 --format json
module @jit_step {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("batch"),
                         %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("params['w']"),
                         %arg2: tensor<i32> loc("step")) -> (tensor<32x8xf32> {jax.result_info = "logits"}, tensor<4x8x8xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32> loc("jit(step)/dot_general"("mlp"("model.py":41:8)))
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32> loc("jit(step)/transpose"("mlp"("model.py":42:8)))
    %2 = stablehlo.reshape %1 : (tensor<32x8xf32>) -> tensor<4x8x8xf32> loc("jit(step)/reshape"("mlp"("model.py":43:8)))
    %3 = stablehlo.tanh %2 : tensor<4x8x8xf32> loc("jit(step)/tanh"("mlp"("model.py":43:20)))
    %4:2 = stablehlo.optimization_barrier %1, %3 : tensor<32x8xf32>, tensor<4x8x8xf32>
    return %4#0, %4#1 : tensor<32x8xf32>, tensor<4x8x8xf32>
  }
}
// ==== shardwright explain %s "logits"
// ---- exit 0
// ---- stdout
// | logits = %4#0  optimization_barrier  ·  f32[32,8]  ·  P('model', 'data')   line 23
// |
// |   dimension 0   model
// |       from  params['w']                 argument     annotated P(None, 'model')
// |        →    %0  dot_general             model.py:41  dot_general: right free dimension     round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 1 → 0            round 2
// |        →    %4#0  optimization_barrier  line 23      carried through optimization_barrier  round 2
// |   dimension 1   data
// |       from  batch                       argument     annotated P('data', None)
// |        →    %0  dot_general             model.py:41  dot_general: left free dimension      round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 0 → 1            round 2
// |        →    %4#0  optimization_barrier  line 23      carried through optimization_barrier  round 2
// ==== shardwright explain %s result[1]
// ---- exit 0
// ---- stdout
// | result[1] = %4#1  optimization_barrier  ·  f32[4,8,8]  ·  P('model', None, 'data')   line 23
// |
// |   dimension 0   model
// |       from  params['w']                 argument     annotated P(None, 'model')
// |        →    %0  dot_general             model.py:41  dot_general: right free dimension      round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 1 → 0             round 2
// |        →    %2  reshape                 model.py:43  reshape: 32 = 4 × 8, the major factor  round 2
// |        →    %3  tanh                    model.py:43  tanh: dimension 0 kept                 round 2
// |        →    %4#1  optimization_barrier  line 23      carried through optimization_barrier   round 2
// |   dimension 2   data
// |       from  batch                       argument     annotated P('data', None)
// |        →    %0  dot_general             model.py:41  dot_general: left free dimension      round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 0 → 1            round 2
// |        →    %2  reshape                 model.py:43  reshape: dimension 1 → 2              round 2
// |        →    %3  tanh                    model.py:43  tanh: dimension 2 kept                round 2
// |        →    %4#1  optimization_barrier  line 23      carried through optimization_barrier  round 2
// ==== shardwright explain %s model.py:43
// ---- exit 0
// ---- stdout
// | %3  tanh  ·  f32[4,8,8]  ·  P('model', None, 'data')   model.py:43
// |
// |   dimension 0   model
// |       from  params['w']      argument     annotated P(None, 'model')
// |        →    %0  dot_general  model.py:41  dot_general: right free dimension      round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 1 → 0             round 2
// |        →    %2  reshape      model.py:43  reshape: 32 = 4 × 8, the major factor  round 2
// |        →    %3  tanh         model.py:43  tanh: dimension 0 kept                 round 2
// |   dimension 2   data
// |       from  batch            argument     annotated P('data', None)
// |        →    %0  dot_general  model.py:41  dot_general: left free dimension  round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 0 → 1        round 2
// |        →    %2  reshape      model.py:43  reshape: dimension 1 → 2          round 2
// |        →    %3  tanh         model.py:43  tanh: dimension 2 kept            round 2
// ==== shardwright explain %s 20
// ---- exit 0
// ---- stdout
// | %1  transpose  ·  f32[32,8]  ·  P('model', 'data')   model.py:42
// |
// |   dimension 0   model
// |       from  params['w']      argument     annotated P(None, 'model')
// |        →    %0  dot_general  model.py:41  dot_general: right free dimension  round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 1 → 0         round 2
// |   dimension 1   data
// |       from  batch            argument     annotated P('data', None)
// |        →    %0  dot_general  model.py:41  dot_general: left free dimension  round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 0 → 1        round 2
// ==== shardwright explain %s %4#1
// ---- exit 0
// ---- stdout
// | %4#1  optimization_barrier  ·  f32[4,8,8]  ·  P('model', None, 'data')   line 23
// |
// |   dimension 0   model
// |       from  params['w']                 argument     annotated P(None, 'model')
// |        →    %0  dot_general             model.py:41  dot_general: right free dimension      round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 1 → 0             round 2
// |        →    %2  reshape                 model.py:43  reshape: 32 = 4 × 8, the major factor  round 2
// |        →    %3  tanh                    model.py:43  tanh: dimension 0 kept                 round 2
// |        →    %4#1  optimization_barrier  line 23      carried through optimization_barrier   round 2
// |   dimension 2   data
// |       from  batch                       argument     annotated P('data', None)
// |        →    %0  dot_general             model.py:41  dot_general: left free dimension      round 2
// |        →    %1  transpose               model.py:42  transpose: dimension 0 → 1            round 2
// |        →    %2  reshape                 model.py:43  reshape: dimension 1 → 2              round 2
// |        →    %3  tanh                    model.py:43  tanh: dimension 2 kept                round 2
// |        →    %4#1  optimization_barrier  line 23      carried through optimization_barrier  round 2
// ==== shardwright explain %s "params['w']"
// ---- exit 0
// ---- stdout
// | params['w']  (%arg1)  ·  f32[64,32]  ·  P(None, 'model')   argument
// |
// |   dimension 1   model
// |       from  params['w']  argument  annotated P(None, 'model')
// ==== shardwright explain %s step
// ---- exit 0
// ---- stdout
// | step  (%arg2)  ·  i32[]  ·  P()   argument
// |
// |   whole on every device: no axis reached it
// ==== shardwright explain %s "params['v']"
// ---- exit 2
// ---- stderr
// | error: nothing in the program is called `params['v']` [unknown-name]
// | help: did you mean `params['w']`?
// | help: a value as the file spells it (`%12`, `%12#1`), an argument (`params['w1']`), an output (`result[0]`), a line (`61`, `model.py:41`)
// ==== shardwright explain %s %1 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %1  transpose  ·  f32[32,8]  ·  P('model', 'data')   model.py:42
// |
// |   dimension 0   model
// |       from  params['w']      argument     annotated P(None, 'model')
// |        →    %0  dot_general  model.py:41  dot_general: right free dimension  level 1, sweep 1
// |        →    %1  transpose    model.py:42  transpose: dimension 1 → 0         level 1, sweep 1
// |   dimension 1   data
// |       from  batch            argument     annotated P('data', None)
// |        →    %0  dot_general  model.py:41  dot_general: left free dimension  level 1, sweep 1
// |        →    %1  transpose    model.py:42  transpose: dimension 0 → 1        level 1, sweep 1
// ==== shardwright explain %s %1 --why-not z
// ---- exit 2
// ---- stderr
// | error: the mesh has no axis `z` [unknown-axis]
// | help: its axes are `data`, `model`
// ==== shardwright explain %s %1 --why-not model
// ---- exit 0
// ---- stdout
// | %1  transpose  ·  f32[32,8]  ·  P('model', 'data')   model.py:42
// |
// |   dimension 0   model
// |       from  params['w']      argument     annotated P(None, 'model')
// |        →    %0  dot_general  model.py:41  dot_general: right free dimension  round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 1 → 0         round 2
// |   dimension 1   data
// |       from  batch            argument     annotated P('data', None)
// |        →    %0  dot_general  model.py:41  dot_general: left free dimension  round 2
// |        →    %1  transpose    model.py:42  transpose: dimension 0 → 1        round 2
// |   why not       model: it is there, on dimension 0
// ==== shardwright explain %s %2 --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "partitioner": "shardy",
// |   "output": null,
// |   "values": [
// |     {
// |       "function": "main",
// |       "name": "%2",
// |       "argument": null,
// |       "op": "stablehlo.reshape",
// |       "line": 21,
// |       "source": {"file": "model.py", "line": 43, "function": "mlp"},
// |       "type": "f32[4,8,8]",
// |       "sharding": {"sdy": "<@mesh, [{\"model\"}, {}, {\"data\"}]>", "hlo": "{devices=[4,1,2]<=[2,4]T(1,0)}", "spec": "P('model', None, 'data')"},
// |       "dims": [{"element": 0, "dim": 0, "axes": ["model"], "chain": [{"name": "%arg1", "argument": "params['w']", "op": null, "line": 17, "source": null, "dim": 1, "why": "annotated", "round": 0, "priority": 0, "level": null}, {"name": "%0", "argument": null, "op": "stablehlo.dot_general", "line": 19, "source": {"file": "model.py", "line": 41, "function": "mlp"}, "dim": 1, "why": "dot_general: right free dimension", "round": 2, "priority": 0, "level": null}, {"name": "%1", "argument": null, "op": "stablehlo.transpose", "line": 20, "source": {"file": "model.py", "line": 42, "function": "mlp"}, "dim": 0, "why": "transpose: dimension 1 → 0", "round": 2, "priority": 0, "level": null}, {"name": "%2", "argument": null, "op": "stablehlo.reshape", "line": 21, "source": {"file": "model.py", "line": 43, "function": "mlp"}, "dim": 0, "why": "reshape: 32 = 4 × 8, the major factor", "round": 2, "priority": 0, "level": null}]}, {"element": 0, "dim": 2, "axes": ["data"], "chain": [{"name": "%arg0", "argument": "batch", "op": null, "line": 16, "source": null, "dim": 0, "why": "annotated", "round": 0, "priority": 0, "level": null}, {"name": "%0", "argument": null, "op": "stablehlo.dot_general", "line": 19, "source": {"file": "model.py", "line": 41, "function": "mlp"}, "dim": 0, "why": "dot_general: left free dimension", "round": 2, "priority": 0, "level": null}, {"name": "%1", "argument": null, "op": "stablehlo.transpose", "line": 20, "source": {"file": "model.py", "line": 42, "function": "mlp"}, "dim": 1, "why": "transpose: dimension 0 → 1", "round": 2, "priority": 0, "level": null}, {"name": "%2", "argument": null, "op": "stablehlo.reshape", "line": 21, "source": {"file": "model.py", "line": 43, "function": "mlp"}, "dim": 2, "why": "reshape: dimension 1 → 2", "round": 2, "priority": 0, "level": null}]}],
// |       "changes": [],
// |       "refused": [],
// |       "copies": []
// |     }
// |   ]
// | }
