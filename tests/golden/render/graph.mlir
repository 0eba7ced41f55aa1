// RUN: shardwright render %s --graph
// RUN: shardwright render %s --graph --format dot
// RUN: shardwright render %s --graph --diff --format dot
// RUN: shardwright render %s --graph --format dot --nodes 1
// RUN: shardwright render %s --graph --format dot --nodes 1 --expand backward
// RUN: shardwright render %s --graph --format png | head -c 8 | od -An -c
// RUN: shardwright render %s --graph --format pdf | head -c 5
// RUN: shardwright render %s --graph --nodes 501
#l1 = loc("jit(step)/jvp(encoder)/dot_general"("m.py":3:1))
#l2 = loc("jit(step)/jvp(encoder)/tanh"("m.py":4:1))
#l3 = loc("jit(step)/transpose(jvp(encoder))/mul"("m.py":4:1))
module @jit_step {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<9x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>} loc("batch['x']"), %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w']")) -> (tensor<9x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<9x16xf32>, tensor<16x16xf32>) -> tensor<9x16xf32> loc(#l1)
    %1 = stablehlo.tanh %0 : tensor<9x16xf32> loc(#l2)
    %2 = stablehlo.add %1, %1 : tensor<9x16xf32> loc(#l2)
    %cst = stablehlo.constant dense<2.0> : tensor<f32> loc(#l2)
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x16xf32> loc(#l2)
    %4 = stablehlo.multiply %2, %3 : tensor<9x16xf32> loc(#l2)
    %5 = stablehlo.multiply %4, %1 : tensor<9x16xf32> loc(#l3)
    %6 = stablehlo.add %5, %5 : tensor<9x16xf32> loc(#l3)
    %7 = stablehlo.reverse %6, dims = [0] : tensor<9x16xf32> loc(#l3)
    return %7 : tensor<9x16xf32>
  }
}
// ==== shardwright render %s --graph
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="639" height="1088" viewBox="0 0 639 1088" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">step</title>
// | <desc id="picture-description">step  ·  graph.mlir (StableHLO, 9 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy</desc>
// | <style>
// | text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#1f2933}
// | .big{font-size:17px;font-weight:bold}
// | .name{font-size:12px;font-weight:bold}
// | .head{font-size:12px;font-weight:bold;fill:#3e4c59}
// | .mono{font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:10.5px}
// | .soft{fill:#5b6875}
// | .small{font-size:10px;fill:#5b6875}
// | .pill-text{font-size:10.5px;fill:#ffffff}
// | .ground{fill:#ffffff}
// | .card{fill:#ffffff;stroke:#9aa5b1}
// | .back{fill:#f3f5f7;stroke:#9aa5b1}
// | .cluster{fill:#52606d;fill-opacity:.06;stroke:#9aa5b1;stroke-opacity:.7}
// | .loop{stroke-dasharray:6 3}
// | .edge{fill:none;stroke:#7b8794}
// | .tip{fill:#7b8794}
// | .pill{fill:#3e4c59}
// | .one-side{fill:#ffffff;stroke:#3e4c59;stroke-width:1.5;stroke-dasharray:4 2}
// | .one-side-text{font-size:10.5px}
// | .differs{stroke:#c24a00;stroke-width:2.5}
// | .tint{fill-opacity:.22}
// | .hatch{fill:none;stroke:#9aa5b1}
// | .halo{paint-order:stroke;stroke:#ffffff;stroke-width:3px;stroke-linejoin:round}
// | .flow{fill:none;stroke:#1f2933;stroke-width:2.4}
// | .flow-tip{fill:#1f2933}
// | .pulse{fill:none;stroke:#1f2933;stroke-width:2.4}
// | .refused{font-size:10.5px;fill:#b03a00}
// | .pattern{fill:none;stroke:#ffffff;stroke-width:1.6}
// | .a0{fill:#0072b2}
// | .a1{fill:#d98300}
// | .a2{fill:#009e73}
// | .a3{fill:#b8608f}
// | .a4{fill:#2f9bd6}
// | .a5{fill:#c24a00}
// | .a6{fill:#a59700}
// | .aw{fill:#c3c9d0}
// | .ao{fill:#6b7280}
// | @media (prefers-color-scheme:dark){
// | text{fill:#e6eaef}.head{fill:#cbd2d9}.soft,.small{fill:#a3aeba}.ground{fill:#14181d}.card{fill:#1f252c;stroke:#6b7783}.back{fill:#2a313a;stroke:#6b7783}.cluster{fill:#cbd2d9;fill-opacity:.05;stroke:#6b7783}.edge{stroke:#8a96a3}.tip{fill:#8a96a3}.pill{fill:#d3dae1}.pill-text{fill:#14181d}.one-side{fill:#14181d;stroke:#d3dae1}.differs{stroke:#f08a4b}.flow,.pulse{stroke:#f2f5f8}.flow-tip{fill:#f2f5f8}.refused{fill:#f5a06e}.hatch{stroke:#6b7783}.halo{stroke:#1f252c}.pattern{stroke:#14181d}
// | .a0{fill:#3d9bd9}.a1{fill:#e69f00}.a2{fill:#1fbf92}.a3{fill:#cc79a7}.a4{fill:#56b4e9}.a5{fill:#e8692a}.a6{fill:#f0e442}.aw{fill:#525a66}.ao{fill:#9aa3af}
// | }
// | </style>
// | <defs>
// | <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0.5L8 4L0 7.5z"/></marker>
// | <marker id="flow-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="flow-tip" d="M0 0.5L8 4L0 7.5z"/></marker>
// | <pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 5L5 -1M-1 8L8 -1M2 8L8 2"/></pattern>
// | <pattern id="p0" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M0 0"/></pattern>
// | <pattern id="p1" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M-1 5L5 11M-1 -3L11 9M3 -7L15 5"/></pattern>
// | <pattern id="p2" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M-1 3L5 -3M-1 11L11 -1M3 15L15 3"/></pattern>
// | <pattern id="p3" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M0 4H8"/></pattern>
// | <pattern id="p4" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M4 0V8"/></pattern>
// | <pattern id="p5" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M3 4H5"/></pattern>
// | <pattern id="p6" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pattern" d="M0 4H8M4 0V8"/></pattern>
// | </defs>
// | <rect class="ground" width="639" height="1088"/>
// | <text x="20" y="32" class="big">step</text>
// | <text x="20" y="50" class="soft">step  ·  graph.mlir (StableHLO, 9 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">data=2</text>
// | <rect class="a1" x="97.1" y="60" width="14" height="12"/>
// | <rect x="97.1" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="117.1" y="70" class="soft">model=4</text>
// | <rect class="aw" x="189.3" y="60" width="2" height="12"/>
// | <text x="203.3" y="70" class="soft">whole on every device</text>
// | <rect class="pill" x="339.6" y="60" width="22" height="12" rx="6"/>
// | <text x="367.6" y="70" class="soft">collective, with the bytes a device and step</text>
// | <g>
// | <title>main/forward</title>
// | <rect class="cluster" x="32" y="102" width="316" height="494" rx="8"/>
// | <text x="42" y="120" class="head">forward</text>
// | </g>
// | <g>
// | <title>main/forward/m.py:4</title>
// | <rect class="cluster" x="76" y="320" width="160" height="266" rx="8"/>
// | <text x="86" y="338" class="head">m.py:4</text>
// | </g>
// | <g>
// | <title>main/backward</title>
// | <rect class="cluster" x="28" y="604" width="264" height="456" rx="8"/>
// | <text x="38" y="622" class="head">backward</text>
// | </g>
// | <path class="edge" d="M160,968.1C160,974.1 160,980.1 160,985.9L160,992" marker-end="url(#tip)"/>
// | <path class="edge" d="M238,194.1C230.8,200.3 222.9,207 215,213.8L210,218" marker-end="url(#tip)"/>
// | <path class="edge" d="M126.7,194.1C129.1,199.8 131.7,206 134.3,212.2L136.7,218" marker-end="url(#tip)"/>
// | <path class="edge" d="M156,312.2C156,324 156,336.5 156,347.7L156,353.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M156,412.4C156,418 156,424 156,429.8L156,435.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M156,494.4C156,500 156,506 156,511.8L156,517.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M156.9,576.2C157.4,592.5 158.1,613.5 158.7,631.7L158.9,637.8" marker-end="url(#tip)"/>
// | <path class="edge" d="M213.1,412.1C221.5,418.7 229,426.7 234,436C267.6,498.7 260.5,530 234,596C228.6,609.6 219.5,622.2 209.5,633L205.1,637.6" marker-end="url(#tip)"/>
// | <path class="edge" d="M160,711.1C160,716.9 160,722.8 160,728.7L160,735" marker-end="url(#tip)"/>
// | <path class="edge" d="M160,808.2C160,817.1 160,825.8 160,831.8"/>
// | <path class="edge" d="M160,850.1C160,854.6 160,860.7 160,867.4L160,873.7" marker-end="url(#tip)"/>
// | <g>
// | <title>collective-permute over {data}, 8 pairs devices, 384 B a step, m.py:4: reverse takes %6 as {devices=[2,1,4]4,5,6,7,0,1,2,3 last_tile_dim_replicate}, it is P(&#39;data&#39;, None)</title>
// | <rect class="pill" x="38.5" y="833" width="243" height="16" rx="8"/>
// | <circle class="a0" cx="49.5" cy="841" r="3.5"/>
// | <text x="56.5" y="844.8" class="pill-text">2 collective-permute over {data} · 384 B</text>
// | </g>
// | <g>
// | <title>dot_general  %0  f32[9,16]  P(&#39;data&#39;, None)  m.py:3</title>
// | <rect class="card" x="49.5" y="218" width="213" height="94" rx="4"/>
// | <rect class="a0" x="52.5" y="222" width="6" height="86"/>
// | <text x="66.5" y="236" class="name">dot_general</text>
// | <text x="254.5" y="236" class="soft" text-anchor="end">%0</text>
// | <text x="66.5" y="251" class="mono">f32[9,16] → [5,16]</text>
// | <text x="66.5" y="266" class="mono">P(&#39;data&#39;, None)</text>
// | <text x="66.5" y="281" class="soft">m.py:3</text>
// | <rect class="pill" x="60.5" y="288" width="196" height="16" rx="8"/>
// | <circle class="a1" cx="71.5" cy="296" r="3.5"/>
// | <text x="78.5" y="299.8" class="pill-text">all-reduce over {model} · 320 B</text>
// | </g>
// | <g>
// | <title>tanh  %1  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="86.5" y="354" width="139" height="58" rx="4"/>
// | <rect class="a0" x="89.5" y="358" width="6" height="50"/>
// | <text x="103.5" y="372" class="name">tanh</text>
// | <text x="217.5" y="372" class="soft" text-anchor="end">%1</text>
// | <text x="103.5" y="387" class="mono">f32[9,16] → [5,16]</text>
// | <text x="103.5" y="402" class="mono">P(&#39;data&#39;, None)</text>
// | </g>
// | <g>
// | <title>add  %2  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="86.5" y="436" width="139" height="58" rx="4"/>
// | <rect class="a0" x="89.5" y="440" width="6" height="50"/>
// | <text x="103.5" y="454" class="name">add</text>
// | <text x="217.5" y="454" class="soft" text-anchor="end">%2</text>
// | <text x="103.5" y="469" class="mono">f32[9,16] → [5,16]</text>
// | <text x="103.5" y="484" class="mono">P(&#39;data&#39;, None)</text>
// | </g>
// | <g>
// | <title>multiply  %4  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="86.5" y="518" width="139" height="58" rx="4"/>
// | <rect class="a0" x="89.5" y="522" width="6" height="50"/>
// | <text x="103.5" y="536" class="name">multiply</text>
// | <text x="217.5" y="536" class="soft" text-anchor="end">%4</text>
// | <text x="103.5" y="551" class="mono">f32[9,16] → [5,16]</text>
// | <text x="103.5" y="566" class="mono">P(&#39;data&#39;, None)</text>
// | </g>
// | <g>
// | <title>multiply  %5  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="90.5" y="638" width="139" height="73" rx="4"/>
// | <rect class="a0" x="93.5" y="642" width="6" height="65"/>
// | <text x="107.5" y="656" class="name">multiply</text>
// | <text x="221.5" y="656" class="soft" text-anchor="end">%5</text>
// | <text x="107.5" y="671" class="mono">f32[9,16] → [5,16]</text>
// | <text x="107.5" y="686" class="mono">P(&#39;data&#39;, None)</text>
// | <text x="107.5" y="701" class="soft">m.py:4</text>
// | </g>
// | <g>
// | <title>add  %6  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="90.5" y="735" width="139" height="73" rx="4"/>
// | <rect class="a0" x="93.5" y="739" width="6" height="65"/>
// | <text x="107.5" y="753" class="name">add</text>
// | <text x="221.5" y="753" class="soft" text-anchor="end">%6</text>
// | <text x="107.5" y="768" class="mono">f32[9,16] → [5,16]</text>
// | <text x="107.5" y="783" class="mono">P(&#39;data&#39;, None)</text>
// | <text x="107.5" y="798" class="soft">m.py:4</text>
// | </g>
// | <g>
// | <title>reverse  %7  f32[9,16]  P(&#39;data&#39;, None)  m.py:4</title>
// | <rect class="card" x="59" y="874" width="202" height="94" rx="4"/>
// | <rect class="a0" x="62" y="878" width="6" height="86"/>
// | <text x="76" y="892" class="name">reverse</text>
// | <text x="253" y="892" class="soft" text-anchor="end">%7</text>
// | <text x="76" y="907" class="mono">f32[9,16] → [5,16]</text>
// | <text x="76" y="922" class="mono">P(&#39;data&#39;, None)</text>
// | <text x="76" y="937" class="soft">m.py:4</text>
// | <rect class="pill" x="70" y="944" width="185" height="16" rx="8"/>
// | <circle class="a0" cx="81" cy="952" r="3.5"/>
// | <text x="88" y="955.8" class="pill-text">all-gather over {data} · 640 B</text>
// | </g>
// | <g>
// | <title>batch[&#39;x&#39;]  f32[9,16]  P(None, &#39;model&#39;)</title>
// | <rect class="card" x="204.5" y="136" width="133" height="58" rx="12"/>
// | <rect class="a1" x="207.5" y="146" width="6" height="38"/>
// | <rect x="207.5" y="146" width="6" height="38" fill="url(#p1)"/>
// | <text x="221.5" y="154" class="name">batch[&#39;x&#39;]</text>
// | <text x="221.5" y="169" class="mono">f32[9,16] → [9,4]</text>
// | <text x="221.5" y="184" class="mono">P(None, &#39;model&#39;)</text>
// | </g>
// | <g>
// | <title>params[&#39;w&#39;]  f32[16,16]  P(&#39;model&#39;, None)</title>
// | <rect class="card" x="42" y="136" width="146" height="58" rx="12"/>
// | <rect class="a1" x="45" y="146" width="6" height="38"/>
// | <rect x="45" y="146" width="6" height="38" fill="url(#p1)"/>
// | <text x="59" y="154" class="name">params[&#39;w&#39;]</text>
// | <text x="59" y="169" class="mono">f32[16,16] → [4,16]</text>
// | <text x="59" y="184" class="mono">P(&#39;model&#39;, None)</text>
// | </g>
// | <g>
// | <title>result  f32[9,16]  P()</title>
// | <rect class="card" x="118" y="992" width="84" height="58" rx="12"/>
// | <rect class="aw" x="121" y="1002" width="2" height="38" rx="1"/>
// | <text x="135" y="1010" class="name">result</text>
// | <text x="135" y="1025" class="mono">f32[9,16]</text>
// | <text x="135" y="1040" class="soft">P()</text>
// | </g>
// | </svg>
// ==== shardwright render %s --graph --format dot
// ---- exit 0
// ---- stdout
// | digraph "step" {
// |   graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname="Helvetica", fontsize=12, pad=0.2, label="step", labelloc=t]
// |   node [shape=box, style="rounded,filled", fixedsize=true, fontname="Helvetica", fontsize=10]
// |   edge [color="#7b8794", arrowsize=0.6]
// |     subgraph cluster_1 {
// |       label="forward"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |       n0 [width=2.9583, height=1.3056, label="dot_general  %0\lf32[9,16] → [5,16]\lP('data', None)\lm.py:3\l⇄ all-reduce over {model} · 320 B\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n7 [width=1.8472, height=0.8056, label="batch['x']\lf32[9,16] → [9,4]\lP(None, 'model')\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |       n8 [width=2.0278, height=0.8056, label="params['w']\lf32[16,16] → [4,16]\lP('model', None)\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |       subgraph cluster_2 {
// |         label="m.py:4"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |         n1 [width=1.9306, height=0.8056, label="tanh  %1\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |         n2 [width=1.9306, height=0.8056, label="add  %2\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |         n3 [width=1.9306, height=0.8056, label="multiply  %4\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |       }
// |     }
// |     subgraph cluster_3 {
// |       label="backward"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |       n4 [width=1.9306, height=1.0139, label="multiply  %5\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n5 [width=1.9306, height=1.0139, label="add  %6\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n6 [width=2.8056, height=1.3056, label="reverse  %7\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l⇄ all-gather over {data} · 640 B\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n9 [width=1.1667, height=0.8056, label="result\lf32[9,16]\lP()\l", fillcolor="#ffffff", color="#52606d", style=filled]
// |       c9 [width=3.3750, height=0.2500, label="⇄ 2 collective-permute over {data} · 384 B\l", fillcolor="#3e4c59", fontcolor=white, color="#3e4c59"]
// |     }
// |   n6 -> n9 [id=e0]
// |   n7 -> n0 [id=e1]
// |   n8 -> n0 [id=e2]
// |   n0 -> n1 [id=e3]
// |   n1 -> n2 [id=e4]
// |   n2 -> n3 [id=e5]
// |   n3 -> n4 [id=e6]
// |   n1 -> n4 [id=e7]
// |   n4 -> n5 [id=e8]
// |   n5 -> c9 [arrowhead=none, id=e9a]
// |   c9 -> n6 [id=e9b]
// | }
// ==== shardwright render %s --graph --diff --format dot
// ---- exit 0
// ---- stdout
// | digraph "step: GSPMD and Shardy" {
// |   graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname="Helvetica", fontsize=12, pad=0.2, label="step: GSPMD and Shardy", labelloc=t]
// |   node [shape=box, style="rounded,filled", fixedsize=true, fontname="Helvetica", fontsize=10]
// |   edge [color="#7b8794", arrowsize=0.6]
// |     subgraph cluster_1 {
// |       label="forward"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |       n0 [width=2.9583, height=1.3056, label="dot_general  %0\lf32[9,16] → [5,16]\lP('data', None)\lm.py:3\l⇄ all-reduce over {model} · 320 B\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n7 [width=2.5556, height=1.0139, label="batch['x']\lf32[9,16] → [5,4]\lGSPMD: P('data', 'model')\lShardy: P(None, 'model')\l", fillcolor="#d6e8f3:#fbead0", color="#52606d", style=filled, color="#c24a00", penwidth=2.5]
// |       n8 [width=2.0278, height=0.8056, label="params['w']\lf32[16,16] → [4,16]\lP('model', None)\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |       subgraph cluster_2 {
// |         label="m.py:4"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |         n1 [width=1.9306, height=0.8056, label="tanh  %1\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |         n2 [width=1.9306, height=0.8056, label="add  %2\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |         n3 [width=1.9306, height=0.8056, label="multiply  %4\lf32[9,16] → [5,16]\lP('data', None)\l", fillcolor="#d6e8f3", color="#52606d"]
// |       }
// |     }
// |     subgraph cluster_3 {
// |       label="backward"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |       n4 [width=1.9306, height=1.0139, label="multiply  %5\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n5 [width=1.9306, height=1.0139, label="add  %6\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n6 [width=3.4167, height=1.5139, label="reverse  %7\lf32[9,16]\lGSPMD: P()\lShardy: P('data', None)\lm.py:4\l⇄ Shardy: all-gather over {data} · 640 B\l", fillcolor="#ffffff", color="#52606d", color="#c24a00", penwidth=2.5]
// |       n9 [width=1.1667, height=0.8056, label="result\lf32[9,16]\lP()\l", fillcolor="#ffffff", color="#52606d", style=filled]
// |       c9 [width=3.9861, height=0.5000, label="⇄ GSPMD: all-gather over {data} · 640 B\l⇄ Shardy: 2 collective-permute over {data} · 384 B\l", fillcolor="#3e4c59", fontcolor=white, color="#3e4c59"]
// |     }
// |   n6 -> n9 [id=e0]
// |   n7 -> n0 [id=e1]
// |   n8 -> n0 [id=e2]
// |   n0 -> n1 [id=e3]
// |   n1 -> n2 [id=e4]
// |   n2 -> n3 [id=e5]
// |   n3 -> n4 [id=e6]
// |   n1 -> n4 [id=e7]
// |   n4 -> n5 [id=e8]
// |   n5 -> c9 [arrowhead=none, id=e9a]
// |   c9 -> n6 [id=e9b]
// | }
// ==== shardwright render %s --graph --format dot --nodes 1
// ---- exit 0
// ---- stdout
// | digraph "step" {
// |   graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname="Helvetica", fontsize=12, pad=0.2, label="step", labelloc=t]
// |   node [shape=box, style="rounded,filled", fixedsize=true, fontname="Helvetica", fontsize=10]
// |   edge [color="#7b8794", arrowsize=0.6]
// |     n0 [width=2.9583, height=1.0972, label="forward\l4 operations\lm.py:3–4\l⇄ all-reduce over {model} · 320 B\l", fillcolor="#d6e8f3", color="#52606d", peripheries=2]
// |     n1 [width=3.6111, height=1.3889, label="backward\l3 operations\lm.py:4\l⇄ all-gather over {data} · 640 B\l⇄ 2 collective-permute over {data} · 384 B\l", fillcolor="#d6e8f3", color="#52606d", peripheries=2]
// |     n2 [width=1.8472, height=0.8056, label="batch['x']\lf32[9,16] → [9,4]\lP(None, 'model')\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |     n3 [width=2.0278, height=0.8056, label="params['w']\lf32[16,16] → [4,16]\lP('model', None)\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |     n4 [width=1.1667, height=0.8056, label="result\lf32[9,16]\lP()\l", fillcolor="#ffffff", color="#52606d", style=filled]
// |   n1 -> n4 [id=e0]
// |   n2 -> n0 [id=e1]
// |   n3 -> n0 [id=e2]
// |   n0 -> n1 [id=e3]
// | }
// ==== shardwright render %s --graph --format dot --nodes 1 --expand backward
// ---- exit 0
// ---- stdout
// | digraph "step" {
// |   graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname="Helvetica", fontsize=12, pad=0.2, label="step", labelloc=t]
// |   node [shape=box, style="rounded,filled", fixedsize=true, fontname="Helvetica", fontsize=10]
// |   edge [color="#7b8794", arrowsize=0.6]
// |     n0 [width=2.9583, height=1.0972, label="forward\l4 operations\lm.py:3–4\l⇄ all-reduce over {model} · 320 B\l", fillcolor="#d6e8f3", color="#52606d", peripheries=2]
// |     n4 [width=1.8472, height=0.8056, label="batch['x']\lf32[9,16] → [9,4]\lP(None, 'model')\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |     n5 [width=2.0278, height=0.8056, label="params['w']\lf32[16,16] → [4,16]\lP('model', None)\l", fillcolor="#fbead0", color="#52606d", style=filled]
// |     subgraph cluster_3 {
// |       label="backward"; labeljust=l; color="#9aa5b1"; style="rounded"; margin=10;
// |       n1 [width=1.9306, height=1.0139, label="multiply  %5\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n2 [width=1.9306, height=1.0139, label="add  %6\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n3 [width=2.8056, height=1.3056, label="reverse  %7\lf32[9,16] → [5,16]\lP('data', None)\lm.py:4\l⇄ all-gather over {data} · 640 B\l", fillcolor="#d6e8f3", color="#52606d"]
// |       n6 [width=1.1667, height=0.8056, label="result\lf32[9,16]\lP()\l", fillcolor="#ffffff", color="#52606d", style=filled]
// |       c5 [width=3.3750, height=0.2500, label="⇄ 2 collective-permute over {data} · 384 B\l", fillcolor="#3e4c59", fontcolor=white, color="#3e4c59"]
// |     }
// |   n3 -> n6 [id=e0]
// |   n4 -> n0 [id=e1]
// |   n5 -> n0 [id=e2]
// |   n0 -> n1 [id=e3]
// |   n1 -> n2 [id=e4]
// |   n2 -> c5 [arrowhead=none, id=e5a]
// |   c5 -> n3 [id=e5b]
// | }
// ==== shardwright render %s --graph --format png | head -c 8 | od -An -c
// ---- exit 0
// ---- stdout
// |  211   P   N   G  \r  \n 032  \n
// ==== shardwright render %s --graph --format pdf | head -c 5
// ---- exit 0
// ---- stdout (without a line break at the end)
// | %PDF-
// ==== shardwright render %s --graph --nodes 501
// ---- exit 2
// ---- stderr
// | error: `--nodes` takes a number from 1 to 500 [bad-configuration]
// | help: `--expand SCOPE` shows more of one place
