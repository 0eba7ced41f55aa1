// The data of the page, and that names stay text in it. The page itself is used in a browser: scripts/check_report.py.
// RUN: shardwright render --report %s | grep -c '@[A-Z_]*@'
// RUN: shardwright render --report %s | sed -n '/id="data"/,/<.script>/p'
// RUN: shardwright render --report %s --partitioner gspmd -o %t/a.html && shardwright render --report %s --partitioner gspmd -o %t/b.html && cmp %t/a.html %t/b.html && grep -o '"title":"[^"]*"' %t/a.html
// RUN: shardwright render --report %s --partitioner none | grep -o '"whyNoOther":.*"'
// RUN: shardwright render --report %s --partitioner none --hardware h100 | sed -n '/^"memory"/,/^"shardings"/{s/\[[-0-9,]*\]/[…]/;s/:[0-9][0-9]*,/:…,/;p}'
// RUN: shardwright render --report %s --hardware h1000
// RUN: shardwright render --report %s --hardware h100 --hardware tpu-v5p
// RUN: shardwright render --report missing.mlir
// RUN: shardwright render --report --graph %s
// RUN: shardwright render --report --format svg %s
// RUN: shardwright render --report %s -o nowhere/report.html
#a = loc("</script><script>window.broken = 1</script>")
#b = loc("params['w']"("model.py":3:1))
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc(#a), %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>} loc(#b)) -> (tensor<8x6xf32> {jax.result_info = "result<0>"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32> loc("dot"("model.py":4:9))
    %1 = stablehlo.tanh %0 : tensor<8x6xf32> loc("tanh"("model.py":5:9))
    return %1 : tensor<8x6xf32>
  }
}
// ==== shardwright render --report %s | grep -c '@[A-Z_]*@'
// ---- exit 1
// ---- stdout
// | 0
// ==== shardwright render --report %s | sed -n '/id="data"/,/<.script>/p'
// ---- exit 0
// ---- stdout
// | <script type="application/json" id="data">{"version":1,
// | "title":"step  ·  report.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  Shardy",
// | "file":"report.mlir",
// | "mesh":{"devices":4,
// | "names":[0,1],
// | "sizes":[2,2]},
// | "program":{"types":{"label":[2,3,4],
// | "bits":[32,32,32],
// | "dimsBegin":[0,2,4,6],
// | "dims":[8,4,4,6,8,6],
// | "outputs":[2],
// | "outputNames":[5]},
// | "values":{"name":[6,10,13,15],
// | "argument":[7,11,-1,-1],
// | "op":[-1,-1,0,1],
// | "type":[0,1,2,2],
// | "fn":[8,8,8,8],
// | "place":[9,12,14,16],
// | "line":[17,17,18,19],
// | "source":[0,0,1,2],
// | "kind":[1,1,0,0],
// | "region":[-1,-1,-1,-1],
// | "sameAs":[0,1,2,3],
// | "owner":[-1,-1,-1,-1]},
// | "ops":{"word":[17,18,19],
// | "first":[2,3,-1],
// | "results":[1,1,0],
// | "operandsBegin":[0,2,3,4],
// | "operands":[0,1,2,3],
// | "scope":[0,0,-1],
// | "shownAs":[-1,-1,-1]},
// | "lines":["func.func public @main(%arg0: tensor\u003c8x4xf32> {sdy.sharding = #sdy.sharding\u003c@mesh, [{\"x\"}, {}]>} loc(#a), %arg1: tensor\u003c4x6xf32> {sdy.sharding = #sdy.sharding\u003c@mesh, [{\"y\"}, {}]>} loc(#b)) -> (tensor\u003c8x6xf32> {jax.result_info = \"result\u003c0>\"}) {",
// | "%0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor\u003c8x4xf32>, tensor\u003c4x6xf32>) -> tensor\u003c8x6xf32> loc(\"dot\"(\"model.py\":4:9))",
// | "%1 = stablehlo.tanh %0 : tensor\u003c8x6xf32> loc(\"tanh\"(\"model.py\":5:9))"],
// | "scopes":{"kind":[20],
// | "name":[8],
// | "parent":[-1],
// | "owner":[-1],
// | "times":[1],
// | "ops":[2]}},
// | "plans":[{"by":"shardy",
// | "title":"Shardy",
// | "sharding":[0,1,0,0],
// | "outputs":[0],
// | "whyBegin":[0,1,2,3,4],
// | "why":[0,1,2,3],
// | "origins":{"value":[0,1,2,3],
// | "dim":[0,0,0,0],
// | "axis":[0,1,0,0],
// | "parent":[-1,-1,0,2],
// | "words":[21,22,23,25],
// | "round":[-1,-1,24,24]},
// | "rule":[26,27,-1],
// | "partitioned":true,
// | "collectives":{"kind":[28],
// | "over":[29],
// | "devices":[30],
// | "shape":[3],
// | "one":[96],
// | "runs":[1],
// | "unknownRuns":[0],
// | "bytes":[96],
// | "place":[14],
// | "line":[18],
// | "cause":[31],
// | "value":[1],
// | "op":[0],
// | "from":[2],
// | "to":[-1],
// | "user":[0]},
// | "findings":{"rule":[],
// | "value":[],
// | "message":[],
// | "fix":[],
// | "bytes":[]},
// | "unsupported":[],
// | "shardings":[{"spec":"P('x', None)",
// | "sdy":"\u003c@mesh, [{\"x\"}, {}]>",
// | "hlo":"{devices=[2,1,2]\u003c=[4] last_tile_dim_replicate}",
// | "kind":"tiled",
// | "tile":[2,1,2],
// | "dataRank":2,
// | "device":0,
// | "reshape":[4],
// | "perm":[0],
// | "ids":[],
// | "axisDims":[0],
// | "axes":[0]},
// | {"spec":"P('y', None)",
// | "sdy":"\u003c@mesh, [{\"y\"}, {}]>",
// | "hlo":"{devices=[2,1,2]\u003c=[2,2]T(1,0) last_tile_dim_replicate}",
// | "kind":"tiled",
// | "tile":[2,1,2],
// | "dataRank":2,
// | "device":0,
// | "reshape":[2,2],
// | "perm":[1,0],
// | "ids":[],
// | "axisDims":[0],
// | "axes":[1]},
// | {"spec":"P('y', None)",
// | "sdy":"\u003c@mesh, [{\"y\"}, {}]>",
// | "hlo":"{devices=[2,1,2]\u003c=[2,2]T(1,0) last_tile_dim_replicate}",
// | "kind":"tiled",
// | "tile":[2,1,2],
// | "dataRank":2,
// | "device":0,
// | "reshape":[2,2],
// | "perm":[1,0],
// | "ids":[],
// | "axisDims":[],
// | "axes":[]}]},
// | {"by":"gspmd",
// | "title":"GSPMD",
// | "sharding":[0,1,0,0],
// | "outputs":[0],
// | "whyBegin":[0,1,2,3,4],
// | "why":[0,1,2,3],
// | "origins":{"value":[0,1,2,3],
// | "dim":[0,0,0,0],
// | "axis":[0,1,0,0],
// | "parent":[-1,-1,0,2],
// | "words":[21,22,23,25],
// | "round":[-1,-1,32,32]},
// | "partitioned":true,
// | "collectives":{"kind":[28],
// | "over":[29],
// | "devices":[30],
// | "shape":[3],
// | "one":[96],
// | "runs":[1],
// | "unknownRuns":[0],
// | "bytes":[96],
// | "place":[14],
// | "line":[18],
// | "cause":[31],
// | "value":[1],
// | "op":[0],
// | "from":[1],
// | "to":[-1],
// | "user":[0]},
// | "findings":{"rule":[],
// | "value":[],
// | "message":[],
// | "fix":[],
// | "bytes":[]},
// | "unsupported":[],
// | "shardings":[{"spec":"P('x', None)",
// | "sdy":"\u003c@mesh, [{\"x\"}, {}]>",
// | "hlo":"{devices=[2,1,2]\u003c=[4] last_tile_dim_replicate}",
// | "kind":"tiled",
// | "tile":[2,1,2],
// | "dataRank":2,
// | "device":0,
// | "reshape":[4],
// | "perm":[0],
// | "ids":[],
// | "axisDims":[0],
// | "axes":[0]},
// | {"spec":"P('y', None)",
// | "sdy":"\u003c@mesh, [{\"y\"}, {}]>",
// | "hlo":"{devices=[2,1,2]\u003c=[2,2]T(1,0) last_tile_dim_replicate}",
// | "kind":"tiled",
// | "tile":[2,1,2],
// | "dataRank":2,
// | "device":0,
// | "reshape":[2,2],
// | "perm":[1,0],
// | "ids":[],
// | "axisDims":[0],
// | "axes":[1]}]}],
// | "difference":{"compared":4,
// | "parting":[],
// | "memberBegin":[0],
// | "members":[],
// | "outputs":[],
// | "changes":{"kind":[],
// | "over":[],
// | "place":[],
// | "runsA":[],
// | "bytesA":[],
// | "runsB":[],
// | "bytesB":[]},
// | "bytesA":96,
// | "bytesB":96},
// | "strings":["x","y","f32[8,4]","f32[4,6]","f32[8,6]","result\u003c0>","%arg0","\u003c/script>\u003cscript>window.broken = 1\u003c/script>","main","argument","%arg1","params['w']","model.py:3","%0","model.py:4","%1","model.py:5","dot_general","tanh","return","program","annotated P('x', None)","annotated P('y', None)","dot_general: left free dimension","round 2","tanh: dimension 0 kept","\u003c([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}>","\u003c([i, j])->([i, j]) {i=8, j=6}>","all-gather","over {y}","2 of 4","dot_general takes params['w'] in another sharding than P('y', None)","level 1, sweep 1"]}</script>
// ==== shardwright render --report %s --partitioner gspmd -o %t/a.html && shardwright render --report %s --partitioner gspmd -o %t/b.html && cmp %t/a.html %t/b.html && grep -o '"title":"[^"]*"' %t/a.html
// ---- exit 0
// ---- stdout
// | "title":"step  ·  report.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD"
// | "title":"GSPMD"
// | "title":"Shardy"
// ==== shardwright render --report %s --partitioner none | grep -o '"whyNoOther":.*"'
// ---- exit 0
// ---- stdout
// | "whyNoOther":"The shardings written in the file are the plan; no partitioner has run."
// ==== shardwright render --report %s --partitioner none --hardware h100 | sed -n '/^"memory"/,/^"shardings"/{s/\[[-0-9,]*\]/[…]/;s/:[0-9][0-9]*,/:…,/;p}'
// ---- exit 0
// ---- stdout
// | "memory":{"device":"h100",
// | "usable":…,
// | "fits":true,
// | "argument":…,
// | "output":…,
// | "alias":…,
// | "temp":…,
// | "total":…,
// | "peak":…,
// | "peakPosition":…,
// | "buffers":{"what":[…],
// | "shape":[…],
// | "category":[…],
// | "bytes":[…],
// | "padding":[…],
// | "begin":[…],
// | "end":[…],
// | "place":[…],
// | "value":[…]},
// | "curve":{"position":[…],
// | "bytes":[…],
// | "op":[…],
// | "place":[…],
// | "value":[…]}},
// | "shardings":[{"spec":"P('x', None)",
// ==== shardwright render --report %s --hardware h1000
// ---- exit 2
// ---- stderr
// | error: unknown hardware `h1000` [unknown-name]
// | help: did you mean `h100`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
// ==== shardwright render --report %s --hardware h100 --hardware tpu-v5p
// ---- exit 2
// ---- stderr
// | error: `--report` shows the memory of one device [bad-configuration]
// | help: `shardwright check` takes several
// ==== shardwright render --report missing.mlir
// ---- exit 3
// ---- stderr
// | error: cannot read `missing.mlir`: no such file or directory [cannot-read-file]
// ==== shardwright render --report --graph %s
// ---- exit 2
// ---- stderr
// | error: `render` makes one picture at a time [bad-configuration]
// ==== shardwright render --report --format svg %s
// ---- exit 2
// ---- stderr
// | error: `--report` is HTML and takes no `--format` [bad-configuration]
// ==== shardwright render --report %s -o nowhere/report.html
// ---- exit 2
// ---- stderr
// | error: cannot write `nowhere/report.html`: no such file or directory [cannot-write-file]
