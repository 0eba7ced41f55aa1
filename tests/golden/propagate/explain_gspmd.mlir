// What explain says for GSPMD: the rule, the level and the sweep of each step, what was merged or replaced, what was
// refused and why, the copies of a function that is called more than once, and the way around a loop.
// RUN: shardwright explain %s sum --partitioner gspmd
// RUN: shardwright explain %s model.py:11 --partitioner gspmd
// RUN: shardwright explain %s model.py:12 --partitioner gspmd
// RUN: shardwright explain %s model.py:12 --partitioner gspmd --why-not x
// RUN: shardwright explain %s %2 --partitioner gspmd --why-not x
// RUN: shardwright explain %s %3 --partitioner gspmd
// RUN: shardwright explain %s model.py:30 --partitioner gspmd
// RUN: shardwright explain %s model.py:31 --partitioner gspmd --format json
// RUN: shardwright explain %s loop --partitioner gspmd
// RUN: shardwright explain %s %8 --partitioner gspmd
// RUN: shardwright explain %s odd --partitioner gspmd
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"),
                         %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>} loc("b"),
                         %arg2: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc("c"),
                         %arg3: tensor<32x32xf32> loc("w"), %arg4: tensor<30xf32> loc("odd"))
      -> (tensor<64x32xf32> {jax.result_info = "sum"}, tensor<64x32xf32> {jax.result_info = "product"},
          tensor<64x32xf32> {jax.result_info = "loop"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<64x32xf32> loc("jit(step)/add"("step"("model.py":11:8)))
    %1 = stablehlo.multiply %arg0, %arg2 : tensor<64x32xf32> loc("jit(step)/mul"("step"("model.py":12:8)))
    %2 = stablehlo.negate %arg0 : tensor<64x32xf32> loc("jit(step)/neg"("step"("model.py":13:8)))
    %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"y"}]> : tensor<64x32xf32> loc("jit(step)/pin"("step"("model.py":14:8)))
    %4 = call @act(%0) : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("jit(step)/act"("step"("model.py":15:8)))
    %5 = call @act(%1) : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("jit(step)/act"("step"("model.py":16:8)))
    %6 = call @act(%3) : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("jit(step)/act"("step"("model.py":17:8)))
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %6) : tensor<i32>, tensor<64x32xf32>
    cond {
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      %11 = stablehlo.dot_general %iterArg_0, %arg3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("jit(step)/dot"("step"("model.py":20:8)))
      stablehlo.return %10, %11 : tensor<i32>, tensor<64x32xf32>
    }
    %8 = sdy.sharding_constraint %arg4 <@mesh, [{"y"}]> : tensor<30xf32>
    return %4, %5, %7#1 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
  func.func private @act(%arg0: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %0 = stablehlo.sine %arg0 : tensor<64x32xf32> loc("jit(act)/sin"("act"("model.py":30:8)))
    %1 = stablehlo.cosine %0 : tensor<64x32xf32> loc("jit(act)/cos"("act"("model.py":31:8)))
    return %1 : tensor<64x32xf32>
  }
}
// ==== shardwright explain %s sum --partitioner gspmd
// ---- exit 0
// ---- stdout
// | sum = %4  @act  ·  f32[64,32]  ·  P('x', 'y')   model.py:15
// |
// |   dimension 0   x
// |       from  a           argument     annotated P('x', None)
// |        →    %0  add     model.py:11  add: dimension 0 kept                            level 1, sweep 1
// |        →    %0  sine    model.py:30  sine: dimension 0 kept, called at model.py:15    level 1, sweep 1
// |        →    %1  cosine  model.py:31  cosine: dimension 0 kept, called at model.py:15  level 1, sweep 1
// |   dimension 1   y
// |       from  b           argument     annotated P(None, 'y')
// |        →    %0  add     model.py:11  add: dimension 1 kept                            level 0, sweep 1
// |        →    %0  sine    model.py:30  sine: dimension 1 kept, called at model.py:15    level 0, sweep 1
// |        →    %1  cosine  model.py:31  cosine: dimension 1 kept, called at model.py:15  level 0, sweep 1
// ==== shardwright explain %s model.py:11 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %0  add  ·  f32[64,32]  ·  P('x', 'y')   model.py:11
// |
// |   dimension 0   x
// |       from  a        argument     annotated P('x', None)
// |        →    %0  add  model.py:11  add: dimension 0 kept   level 1, sweep 1
// |   dimension 1   y
// |       from  b        argument     annotated P(None, 'y')
// |        →    %0  add  model.py:11  add: dimension 1 kept   level 0, sweep 1
// |   merged    P(None, 'y') with P('x', None) of a: P('x', 'y')  (at add, model.py:11)  level 1, sweep 1
// ==== shardwright explain %s model.py:12 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %1  multiply  ·  f32[64,32]  ·  P('y', None)   model.py:12
// |
// |   dimension 0   y
// |       from  c             argument     annotated P('y', None)
// |        →    %1  multiply  model.py:12  multiply: dimension 0 kept  level 0, sweep 1
// |   refused  x on dimension 0: the dimension has y already  (P('x', None) offered at multiply, model.py:12)
// |            y on dimension 1: already used by dimension 0  (P('x', 'y') offered at multiply, model.py:12)
// ==== shardwright explain %s model.py:12 --partitioner gspmd --why-not x
// ---- exit 0
// ---- stdout
// | %1  multiply  ·  f32[64,32]  ·  P('y', None)   model.py:12
// |
// |   dimension 0   y
// |       from  c             argument     annotated P('y', None)
// |        →    %1  multiply  model.py:12  multiply: dimension 0 kept  level 0, sweep 1
// |   refused  x on dimension 0: the dimension has y already  (P('x', None) offered at multiply, model.py:12)
// ==== shardwright explain %s %2 --partitioner gspmd --why-not x
// ---- exit 0
// ---- stdout
// | %2  negate  ·  f32[64,32]  ·  P(None, 'y')   model.py:13
// |
// |   dimension 1   y
// |       from  %3  sharding_constraint  model.py:14  annotated P(None, 'y')
// |        →    %2  negate               model.py:13  with_sharding_constraint
// |   why not       x: it is annotated P(None, 'y'), and GSPMD leaves alone what is annotated
// ==== shardwright explain %s %3 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %3  sharding_constraint  ·  f32[64,32]  ·  P(None, 'y')   model.py:14
// |
// |   dimension 1   y
// |       from  %3  sharding_constraint  model.py:14  annotated P(None, 'y')
// ==== shardwright explain %s model.py:30 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %0  sine  ·  f32[64,32]  ·  P('x', 'y')   model.py:30   in @act, called at model.py:15
// |
// |   dimension 0   x
// |       from  a         argument     annotated P('x', None)
// |        →    %0  add   model.py:11  add: dimension 0 kept                          level 1, sweep 1
// |        →    %0  sine  model.py:30  sine: dimension 0 kept, called at model.py:15  level 1, sweep 1
// |   dimension 1   y
// |       from  b         argument     annotated P(None, 'y')
// |        →    %0  add   model.py:11  add: dimension 1 kept                          level 0, sweep 1
// |        →    %0  sine  model.py:30  sine: dimension 1 kept, called at model.py:15  level 0, sweep 1
// |
// |   another copy, called at model.py:16  ·  P('y', None)
// |
// |   dimension 0   y
// |       from  c             argument     annotated P('y', None)
// |        →    %1  multiply  model.py:12  multiply: dimension 0 kept                     level 0, sweep 1
// |        →    %0  sine      model.py:30  sine: dimension 0 kept, called at model.py:16  level 0, sweep 1
// |
// |   another copy, called at model.py:17  ·  P(None, 'y')
// |
// |   dimension 1   y
// |       from  %3  sharding_constraint  model.py:14  annotated P(None, 'y')
// |        →    %0  sine                 model.py:30  sine: dimension 1 kept, called at model.py:17  level 0, sweep 1
// ==== shardwright explain %s model.py:31 --partitioner gspmd --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "partitioner": "gspmd",
// |   "output": null,
// |   "values": [
// |     {
// |       "function": "act",
// |       "name": "%1",
// |       "argument": null,
// |       "op": "stablehlo.cosine",
// |       "line": 46,
// |       "source": {"file": "model.py", "line": 31, "function": "act"},
// |       "type": "f32[64,32]",
// |       "sharding": {"sdy": "<@mesh, [{\"x\"}, {\"y\"}]>", "hlo": "{devices=[2,4]<=[8]}", "spec": "P('x', 'y')"},
// |       "dims": [{"element": 0, "dim": 0, "axes": ["x"], "chain": [{"name": "%arg0", "argument": "a", "op": null, "line": 16, "source": null, "dim": 0, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.add", "line": 22, "source": {"file": "model.py", "line": 11, "function": "step"}, "dim": 0, "why": "add: dimension 0 kept", "round": 1, "priority": 0, "level": 1}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 0, "why": "sine: dimension 0 kept", "round": 1, "priority": 0, "level": 1}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 0, "why": "cosine: dimension 0 kept", "round": 1, "priority": 0, "level": 1}]}, {"element": 0, "dim": 1, "axes": ["y"], "chain": [{"name": "%arg1", "argument": "b", "op": null, "line": 17, "source": null, "dim": 1, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.add", "line": 22, "source": {"file": "model.py", "line": 11, "function": "step"}, "dim": 1, "why": "add: dimension 1 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 1, "why": "sine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 1, "why": "cosine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}]}],
// |       "changes": [],
// |       "refused": [],
// |       "copies": [{"shown": true, "calls": [{"line": 26, "source": "model.py:15"}], "sharding": "P('x', 'y')", "dims": [{"element": 0, "dim": 0, "axes": ["x"], "chain": [{"name": "%arg0", "argument": "a", "op": null, "line": 16, "source": null, "dim": 0, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.add", "line": 22, "source": {"file": "model.py", "line": 11, "function": "step"}, "dim": 0, "why": "add: dimension 0 kept", "round": 1, "priority": 0, "level": 1}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 0, "why": "sine: dimension 0 kept", "round": 1, "priority": 0, "level": 1}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 0, "why": "cosine: dimension 0 kept", "round": 1, "priority": 0, "level": 1}]}, {"element": 0, "dim": 1, "axes": ["y"], "chain": [{"name": "%arg1", "argument": "b", "op": null, "line": 17, "source": null, "dim": 1, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.add", "line": 22, "source": {"file": "model.py", "line": 11, "function": "step"}, "dim": 1, "why": "add: dimension 1 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 1, "why": "sine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 1, "why": "cosine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}]}]}, {"shown": false, "calls": [{"line": 27, "source": "model.py:16"}], "sharding": "P('y', None)", "dims": [{"element": 0, "dim": 0, "axes": ["y"], "chain": [{"name": "%arg2", "argument": "c", "op": null, "line": 18, "source": null, "dim": 0, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%1", "argument": null, "op": "stablehlo.multiply", "line": 23, "source": {"file": "model.py", "line": 12, "function": "step"}, "dim": 0, "why": "multiply: dimension 0 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 0, "why": "sine: dimension 0 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 0, "why": "cosine: dimension 0 kept", "round": 1, "priority": 0, "level": 0}]}]}, {"shown": false, "calls": [{"line": 28, "source": "model.py:17"}], "sharding": "P(None, 'y')", "dims": [{"element": 0, "dim": 1, "axes": ["y"], "chain": [{"name": "%3", "argument": null, "op": "sdy.sharding_constraint", "line": 25, "source": {"file": "model.py", "line": 14, "function": "step"}, "dim": 1, "why": "annotated", "round": 0, "priority": 0, "level": 0}, {"name": "%0", "argument": null, "op": "stablehlo.sine", "line": 45, "source": {"file": "model.py", "line": 30, "function": "act"}, "dim": 1, "why": "sine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}, {"name": "%1", "argument": null, "op": "stablehlo.cosine", "line": 46, "source": {"file": "model.py", "line": 31, "function": "act"}, "dim": 1, "why": "cosine: dimension 1 kept", "round": 1, "priority": 0, "level": 0}]}]}]
// |     }
// |   ]
// | }
// ==== shardwright explain %s loop --partitioner gspmd
// ---- exit 0
// ---- stdout
// | loop = %7#1  while  ·  f32[64,32]  ·  P(None, 'y')   line 30
// |
// |   dimension 1   y
// |       from  %3  sharding_constraint  model.py:14  annotated P(None, 'y')
// |        →    %0  sine                 model.py:30  sine: dimension 1 kept, called at model.py:17    level 0, sweep 1
// |        →    %1  cosine               model.py:31  cosine: dimension 1 kept, called at model.py:17  level 0, sweep 1
// |        →    %7#1  while              line 30      while: dimension 1 kept                          level 0, sweep 1
// ==== shardwright explain %s %8 --partitioner gspmd
// ---- exit 0
// ---- stdout
// | %8  sharding_constraint  ·  f32[30]  ·  P()   line 41
// |
// |   not there: nothing uses it, or it is simplified away, before the partitioner runs
// ==== shardwright explain %s odd --partitioner gspmd
// ---- exit 0
// ---- stdout
// | odd  (%arg4)  ·  f32[30]  ·  P()   argument
// |
// |   whole on every device: no axis reached it
