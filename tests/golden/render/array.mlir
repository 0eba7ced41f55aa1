// RUN: shardwright render %s --array "params['w']"
// RUN: shardwright render %s --array %c
// RUN: shardwright render %s --array %c --format svg
// RUN: shardwright render %s --array %arg2
// RUN: shardwright render %s --array %arg3 --format svg
// RUN: shardwright render %s --array %arg4
// RUN: shardwright render %s --array result
// RUN: shardwright render %s --devices
// RUN: shardwright render %s --devices --mesh data=16,model=64,z=64
// RUN: shardwright render %s --devices --format svg
// RUN: shardwright render %s --devices --hardware h100
// RUN: shardwright render %s --devices --hardware h100 --format svg
// RUN: shardwright render %s --devices --hardware tpu-v5p
// RUN: shardwright render %s --devices --hardware h200 --hardware h100
// RUN: shardwright render %s --array %arg4 --hardware h100
// RUN: shardwright render %s --array %arg5
// RUN: shardwright render %s --array %arg5 --graph
// RUN: shardwright render %s --array %arg4 --format pdf
// RUN: shardwright render %s --devices --diff
#l1 = loc("jit(step)/dot_general"("m.py":3:1))
module @jit_step {
  sdy.mesh @mesh = <["data"=2, "model"=4, "z"=2]>
  func.func public @main(%arg0: tensor<10x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>} loc("batch['x']"), %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w']"), %arg2: tensor<4x8x6x64xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {"z"}]>}, %arg3: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "z"}]>}, %arg4: tensor<f32>) -> (tensor<10x16xf32> {jax.result_info = "result"}, tensor<4x8x6x64xbf16>, tensor<64xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<10x16xf32>, tensor<16x16xf32>) -> tensor<10x16xf32> loc(#l1)
    %1 = stablehlo.slice %0 [0:9, 0:16] : (tensor<10x16xf32>) -> tensor<9x16xf32>
    %c = sdy.sharding_constraint %1 <@mesh, [{"model"}, {}]> : tensor<9x16xf32>
    %6 = stablehlo.tanh %c : tensor<9x16xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{}, {"model"}]> : tensor<9x16xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.pad %7, %z, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<9x16xf32>, tensor<f32>) -> tensor<10x16xf32>
    %9 = stablehlo.negate %arg2 : tensor<4x8x6x64xbf16>
    %10 = stablehlo.negate %arg3 : tensor<64xf32>
    %11 = stablehlo.negate %arg4 : tensor<f32>
    return %8, %9, %10, %11 : tensor<10x16xf32>, tensor<4x8x6x64xbf16>, tensor<64xf32>, tensor<f32>
  }
}
// ==== shardwright render %s --array "params['w']"
// ---- exit 0
// ---- stdout
// | params['w']  ·  %arg1  ·  f32[16,16]  ·  argument  ·  Shardy
// |
// |   sharding      P('model', None)
// |   on a device   [4,16], 256 B
// |   dimension 0   16 in 4 of 4 by model=4
// |   dimension 1   16, whole
// |   copies        each piece on 4 devices, along data=2, z=2
// |
// |     dimension 0, model=4 ↓
// |     ┌──────────────┐
// |     │  0, 1, 8, 9  │
// |     ├──────────────┤
// |     │ 2, 3, 10, 11 │
// |     ├──────────────┤
// |     │ 4, 5, 12, 13 │
// |     ├──────────────┤
// |     │ 6, 7, 14, 15 │
// |     └──────────────┘
// ==== shardwright render %s --array %c
// ---- exit 0
// ---- stdout
// | %c  ·  sharding_constraint  ·  f32[9,16]  ·  line 26  ·  Shardy
// |
// |   as it is made
// |   sharding      P('model', None)
// |   on a device   [3,16], 192 B
// |   dimension 0   9 in 4 of 3 by model=4, 1 is nothing but padding
// |   dimension 1   16, whole
// |   copies        each piece on 4 devices, along data=2, z=2
// |
// |     dimension 0, model=4 ↓
// |     ┌──────────────┐
// |     │  0, 1, 8, 9  │
// |     │    [3,16]    │
// |     ├──────────────┤
// |     │ 2, 3, 10, 11 │
// |     │    [3,16]    │
// |     ├──────────────┤
// |     │ 4, 5, 12, 13 │
// |     │    [3,16]    │
// |     ├──────────────┤
// |     │ 6, 7, 14, 15 │
// |     │   padding    │
// |     └──────────────┘
// |
// |   moved for tanh at line 27
// |   by            all-to-all over {model}, 192 B
// |   sharding      P(None, 'model')
// |   on a device   [9,4], 144 B
// |   dimension 0   9, whole
// |   dimension 1   16 in 4 of 4 by model=4
// |   copies        each piece on 4 devices, along data=2, z=2
// |
// |     dimension 1, model=4 →
// |     ┌──────────────┬──────────────┬──────────────┬──────────────┐
// |     │  0, 1, 8, 9  │ 2, 3, 10, 11 │ 4, 5, 12, 13 │ 6, 7, 14, 15 │
// |     └──────────────┴──────────────┴──────────────┴──────────────┘
// ==== shardwright render %s --array %c --format svg
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="777" height="419" viewBox="0 0 777 419" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">%c</title>
// | <desc id="picture-description">sharding_constraint  ·  f32[9,16]  ·  line 26  ·  Shardy</desc>
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
// | <rect class="ground" width="777" height="419"/>
// | <g>
// | <text x="20" y="32" class="big">%c</text>
// | <text x="20" y="50" class="soft">sharding_constraint  ·  f32[9,16]  ·  line 26  ·  Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">data=2</text>
// | <rect class="a1" x="97.1" y="60" width="14" height="12"/>
// | <rect x="97.1" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="117.1" y="70" class="soft">model=4</text>
// | <rect class="a2" x="183.3" y="60" width="14" height="12"/>
// | <rect x="183.3" y="60" width="14" height="12" fill="url(#p2)"/>
// | <text x="203.3" y="70" class="soft">z=2</text>
// | <text x="20" y="103" class="head">as it is made</text>
// | <text x="20" y="119" class="mono">P(&#39;model&#39;, None)</text>
// | <text x="20" y="135" class="soft">on a device [3,16], 192 B</text>
// | <text x="20" y="151" class="soft">dimension 0: 9 in 4 of 3 by model=4, 1 is nothing but padding</text>
// | <text x="20" y="167" class="soft">dimension 1: 16, whole</text>
// | <text x="20" y="183" class="soft">each piece on 4 devices, along data=2, z=2</text>
// | <text x="20" y="207" class="soft">model ↓</text>
// | <rect class="a1 tint" x="21" y="214" width="16.4" height="40"/>
// | <rect class="a1" x="21" y="214" width="4" height="40"/>
// | <text x="31.2" y="238" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="21" y="256" width="16.4" height="40"/>
// | <rect class="a1" x="21" y="256" width="4" height="40"/>
// | <text x="31.2" y="280" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="21" y="298" width="16.4" height="40"/>
// | <rect class="a1" x="21" y="298" width="4" height="40"/>
// | <text x="31.2" y="322" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="21" y="340" width="16.4" height="40"/>
// | <rect class="a1" x="21" y="340" width="4" height="40"/>
// | <text x="31.2" y="364" class="small" text-anchor="middle">3</text>
// | <rect class="back" x="42.4" y="217" width="86" height="38" rx="3"/>
// | <rect class="card" x="39.4" y="214" width="86" height="38" rx="3"/>
// | <text x="82.4" y="230" class="mono halo" text-anchor="middle">0, 1, 8, 9</text>
// | <text x="82.4" y="244" class="small halo" text-anchor="middle">[3,16]</text>
// | <rect class="back" x="42.4" y="259" width="86" height="38" rx="3"/>
// | <rect class="card" x="39.4" y="256" width="86" height="38" rx="3"/>
// | <text x="82.4" y="272" class="mono halo" text-anchor="middle">2, 3, 10, 11</text>
// | <text x="82.4" y="286" class="small halo" text-anchor="middle">[3,16]</text>
// | <rect class="back" x="42.4" y="301" width="86" height="38" rx="3"/>
// | <rect class="card" x="39.4" y="298" width="86" height="38" rx="3"/>
// | <text x="82.4" y="314" class="mono halo" text-anchor="middle">4, 5, 12, 13</text>
// | <text x="82.4" y="328" class="small halo" text-anchor="middle">[3,16]</text>
// | <rect class="back" x="42.4" y="343" width="86" height="38" rx="3"/>
// | <rect class="card" x="39.4" y="340" width="86" height="38" rx="3"/>
// | <rect x="39.4" y="340" width="86" height="38" fill="url(#padding)"/>
// | <text x="82.4" y="356" class="mono halo" text-anchor="middle">6, 7, 14, 15</text>
// | <text x="82.4" y="370" class="small halo" text-anchor="middle">padding</text>
// | <path class="edge" d="M353.4 98h28" marker-end="url(#tip)"/>
// | <text x="391.4" y="103" class="head">moved for tanh at line 27</text>
// | <rect class="pill" x="391.4" y="108" width="172.1" height="16" rx="8"/>
// | <text x="399.4" y="119.8" class="pill-text">all-to-all over {model}, 192 B</text>
// | <text x="391.4" y="140" class="mono">P(None, &#39;model&#39;)</text>
// | <text x="391.4" y="156" class="soft">on a device [9,4], 144 B</text>
// | <text x="391.4" y="172" class="soft">dimension 0: 9, whole</text>
// | <text x="391.4" y="188" class="soft">dimension 1: 16 in 4 of 4 by model=4</text>
// | <text x="391.4" y="204" class="soft">each piece on 4 devices, along data=2, z=2</text>
// | <text x="391.4" y="228" class="soft">model →</text>
// | <rect class="a1 tint" x="392.4" y="235" width="87.9" height="16"/>
// | <rect class="a1" x="392.4" y="235" width="87.9" height="4"/>
// | <text x="436.4" y="248.5" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="482.3" y="235" width="87.9" height="16"/>
// | <rect class="a1" x="482.3" y="235" width="87.9" height="4"/>
// | <text x="526.2" y="248.5" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="572.1" y="235" width="87.9" height="16"/>
// | <rect class="a1" x="572.1" y="235" width="87.9" height="4"/>
// | <text x="616.1" y="248.5" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="662" y="235" width="87.9" height="16"/>
// | <rect class="a1" x="662" y="235" width="87.9" height="4"/>
// | <text x="705.9" y="248.5" class="small" text-anchor="middle">3</text>
// | <rect class="back" x="395.4" y="256" width="85.9" height="56" rx="3"/>
// | <rect class="card" x="392.4" y="253" width="85.9" height="56" rx="3"/>
// | <text x="435.4" y="285" class="mono halo" text-anchor="middle">0, 1, 8, 9</text>
// | <rect class="back" x="485.3" y="256" width="85.9" height="56" rx="3"/>
// | <rect class="card" x="482.3" y="253" width="85.9" height="56" rx="3"/>
// | <text x="525.2" y="285" class="mono halo" text-anchor="middle">2, 3, 10, 11</text>
// | <rect class="back" x="575.1" y="256" width="85.9" height="56" rx="3"/>
// | <rect class="card" x="572.1" y="253" width="85.9" height="56" rx="3"/>
// | <text x="615.1" y="285" class="mono halo" text-anchor="middle">4, 5, 12, 13</text>
// | <rect class="back" x="665" y="256" width="85.9" height="56" rx="3"/>
// | <rect class="card" x="662" y="253" width="85.9" height="56" rx="3"/>
// | <text x="704.9" y="285" class="mono halo" text-anchor="middle">6, 7, 14, 15</text>
// | </g>
// | </svg>
// ==== shardwright render %s --array %arg2
// ---- exit 0
// ---- stdout
// | %arg2  ·  bf16[4,8,6,64]  ·  argument  ·  Shardy
// |
// |   sharding      P('data', 'model', None, 'z')
// |   on a device   [2,2,6,32], 1.5 KiB
// |   dimension 0   4 in 2 of 2 by data=2
// |   dimension 1   8 in 4 of 2 by model=4
// |   dimension 2   6, whole
// |   dimension 3   64 in 2 of 32 by z=2
// |
// |     dimension 0, data=2 ↓    dimension 1, model=4 →
// |     dimension 3, tile 0 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  0  │  2  │  4  │  6  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  8  │ 10  │ 12  │ 14  │
// |     └─────┴─────┴─────┴─────┘
// |     dimension 3, tile 1 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  1  │  3  │  5  │  7  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  9  │ 11  │ 13  │ 15  │
// |     └─────┴─────┴─────┴─────┘
// ==== shardwright render %s --array %arg3 --format svg
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="431" height="315" viewBox="0 0 431 315" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">%arg3</title>
// | <desc id="picture-description">f32[64]  ·  argument  ·  Shardy</desc>
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
// | <rect class="ground" width="431" height="315"/>
// | <g>
// | <text x="20" y="32" class="big">%arg3</text>
// | <text x="20" y="50" class="soft">f32[64]  ·  argument  ·  Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">data=2</text>
// | <rect class="a1" x="97.1" y="60" width="14" height="12"/>
// | <rect x="97.1" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="117.1" y="70" class="soft">model=4</text>
// | <rect class="a2" x="183.3" y="60" width="14" height="12"/>
// | <rect x="183.3" y="60" width="14" height="12" fill="url(#p2)"/>
// | <text x="203.3" y="70" class="soft">z=2</text>
// | <text x="20" y="103" class="mono">P((&#39;data&#39;, &#39;z&#39;))</text>
// | <text x="20" y="119" class="soft">on a device [16], 64 B</text>
// | <text x="20" y="135" class="soft">dimension 0: 64 in 4 of 16 by data=2, z=2</text>
// | <text x="20" y="151" class="soft">each piece on 4 devices, along model=4</text>
// | <text x="20" y="175" class="soft">data, z →</text>
// | <rect class="a0 tint" x="21" y="182" width="190.3" height="16"/>
// | <rect class="a0" x="21" y="182" width="190.3" height="4"/>
// | <text x="116.2" y="195.5" class="small" text-anchor="middle">0</text>
// | <rect class="a0 tint" x="213.3" y="182" width="190.3" height="16"/>
// | <rect class="a0" x="213.3" y="182" width="190.3" height="4"/>
// | <text x="308.5" y="195.5" class="small" text-anchor="middle">1</text>
// | <rect class="a2 tint" x="21" y="200" width="94.2" height="16"/>
// | <rect class="a2" x="21" y="200" width="94.2" height="4"/>
// | <text x="68.1" y="213.5" class="small" text-anchor="middle">0</text>
// | <rect class="a2 tint" x="117.2" y="200" width="94.2" height="16"/>
// | <rect class="a2" x="117.2" y="200" width="94.2" height="4"/>
// | <text x="164.3" y="213.5" class="small" text-anchor="middle">1</text>
// | <rect class="a2 tint" x="213.3" y="200" width="94.2" height="16"/>
// | <rect class="a2" x="213.3" y="200" width="94.2" height="4"/>
// | <text x="260.4" y="213.5" class="small" text-anchor="middle">0</text>
// | <rect class="a2 tint" x="309.5" y="200" width="94.2" height="16"/>
// | <rect class="a2" x="309.5" y="200" width="94.2" height="4"/>
// | <text x="356.6" y="213.5" class="small" text-anchor="middle">1</text>
// | <rect class="back" x="24" y="221" width="92.2" height="56" rx="3"/>
// | <rect class="card" x="21" y="218" width="92.2" height="56" rx="3"/>
// | <text x="67.1" y="250" class="mono halo" text-anchor="middle">0, 2, 4, 6</text>
// | <rect class="back" x="120.2" y="221" width="92.2" height="56" rx="3"/>
// | <rect class="card" x="117.2" y="218" width="92.2" height="56" rx="3"/>
// | <text x="163.3" y="250" class="mono halo" text-anchor="middle">1, 3, 5, 7</text>
// | <rect class="back" x="216.3" y="221" width="92.2" height="56" rx="3"/>
// | <rect class="card" x="213.3" y="218" width="92.2" height="56" rx="3"/>
// | <text x="259.4" y="250" class="mono halo" text-anchor="middle">8, 10, 12, 14</text>
// | <rect class="back" x="312.5" y="221" width="92.2" height="56" rx="3"/>
// | <rect class="card" x="309.5" y="218" width="92.2" height="56" rx="3"/>
// | <text x="355.6" y="250" class="mono halo" text-anchor="middle">9, 11, 13, 15</text>
// | </g>
// | </svg>
// ==== shardwright render %s --array %arg4
// ---- exit 0
// ---- stdout
// | %arg4  ·  f32[]  ·  argument  ·  Shardy
// |
// |   sharding      P()
// |   on a device   [], 4 B
// |   copies        the whole on each of 16 devices
// |
// |     ┌──────┐
// |     │ 0–15 │
// |     └──────┘
// ==== shardwright render %s --array result
// ---- exit 0
// ---- stdout
// | %8  ·  pad  ·  f32[10,16]  ·  line 30  ·  Shardy
// |
// |   sharding      P(None, 'model')
// |   on a device   [10,4], 160 B
// |   dimension 0   10, whole
// |   dimension 1   16 in 4 of 4 by model=4
// |   copies        each piece on 4 devices, along data=2, z=2
// |
// |     dimension 1, model=4 →
// |     ┌──────────────┬──────────────┬──────────────┬──────────────┐
// |     │  0, 1, 8, 9  │ 2, 3, 10, 11 │ 4, 5, 12, 13 │ 6, 7, 14, 15 │
// |     └──────────────┴──────────────┴──────────────┴──────────────┘
// ==== shardwright render %s --devices
// ---- exit 0
// ---- stdout
// | mesh  ·  16 devices
// |
// |     data=2 ↓    model=4 →
// |     0 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  0  │  2  │  4  │  6  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  8  │ 10  │ 12  │ 14  │
// |     └─────┴─────┴─────┴─────┘
// |     1 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  1  │  3  │  5  │  7  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  9  │ 11  │ 13  │ 15  │
// |     └─────┴─────┴─────┴─────┘
// ==== shardwright render %s --devices --mesh data=16,model=64,z=64
// ---- exit 0
// ---- stdout
// | mesh  ·  65,536 devices
// |
// |     model=64 ↓    z=64 →
// |     0 of data=16
// |     ┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┐
// |     │  0   │  1   │  2   │  3   │  4   │  5   │  6   │  7   │  8   │  9   │  10  │  …   │  63  │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │  64  │  65  │  66  │  67  │  68  │  69  │  70  │  71  │  72  │  73  │  74  │  …   │ 127  │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 128  │ 129  │ 130  │ 131  │ 132  │ 133  │ 134  │ 135  │ 136  │ 137  │ 138  │  …   │ 191  │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 192  │ 193  │ 194  │ 195  │ 196  │ 197  │ 198  │ 199  │ 200  │ 201  │ 202  │  …   │ 255  │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 4032 │ 4033 │ 4034 │ 4035 │ 4036 │ 4037 │ 4038 │ 4039 │ 4040 │ 4041 │ 4042 │  …   │ 4095 │
// |     └──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┘
// |     1 of data=16
// |     ┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┐
// |     │ 4096 │ 4097 │ 4098 │ 4099 │ 4100 │ 4101 │ 4102 │ 4103 │ 4104 │ 4105 │ 4106 │  …   │ 4159 │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 4160 │ 4161 │ 4162 │ 4163 │ 4164 │ 4165 │ 4166 │ 4167 │ 4168 │ 4169 │ 4170 │  …   │ 4223 │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 4224 │ 4225 │ 4226 │ 4227 │ 4228 │ 4229 │ 4230 │ 4231 │ 4232 │ 4233 │ 4234 │  …   │ 4287 │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 4288 │ 4289 │ 4290 │ 4291 │ 4292 │ 4293 │ 4294 │ 4295 │ 4296 │ 4297 │ 4298 │  …   │ 4351 │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │  …   │
// |     ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤
// |     │ 8128 │ 8129 │ 8130 │ 8131 │ 8132 │ 8133 │ 8134 │ 8135 │ 8136 │ 8137 │ 8138 │  …   │ 8191 │
// |     └──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┘
// |     2 of data=16
// |     ┌───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┐
// |     │ 8192  │ 8193  │ 8194  │ 8195  │ 8196  │ 8197  │ 8198  │ 8199  │ 8200  │   …   │ 8255  │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 8256  │ 8257  │ 8258  │ 8259  │ 8260  │ 8261  │ 8262  │ 8263  │ 8264  │   …   │ 8319  │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 8320  │ 8321  │ 8322  │ 8323  │ 8324  │ 8325  │ 8326  │ 8327  │ 8328  │   …   │ 8383  │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 8384  │ 8385  │ 8386  │ 8387  │ 8388  │ 8389  │ 8390  │ 8391  │ 8392  │   …   │ 8447  │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 12224 │ 12225 │ 12226 │ 12227 │ 12228 │ 12229 │ 12230 │ 12231 │ 12232 │   …   │ 12287 │
// |     └───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┘
// |     3 of data=16
// |     ┌───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┐
// |     │ 12288 │ 12289 │ 12290 │ 12291 │ 12292 │ 12293 │ 12294 │ 12295 │ 12296 │   …   │ 12351 │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 12352 │ 12353 │ 12354 │ 12355 │ 12356 │ 12357 │ 12358 │ 12359 │ 12360 │   …   │ 12415 │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 12416 │ 12417 │ 12418 │ 12419 │ 12420 │ 12421 │ 12422 │ 12423 │ 12424 │   …   │ 12479 │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 12480 │ 12481 │ 12482 │ 12483 │ 12484 │ 12485 │ 12486 │ 12487 │ 12488 │   …   │ 12543 │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │   …   │
// |     ├───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┼───────┤
// |     │ 16320 │ 16321 │ 16322 │ 16323 │ 16324 │ 16325 │ 16326 │ 16327 │ 16328 │   …   │ 16383 │
// |     └───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┴───────┘
// |     …12 more like these
// ==== shardwright render %s --devices --format svg
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="415" height="264" viewBox="0 0 415 264" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">mesh</title>
// | <desc id="picture-description">16 devices</desc>
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
// | <rect class="ground" width="415" height="264"/>
// | <g>
// | <text x="20" y="32" class="big">mesh</text>
// | <text x="20" y="50" class="soft">16 devices</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">data=2</text>
// | <rect class="a1" x="97.1" y="60" width="14" height="12"/>
// | <rect x="97.1" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="117.1" y="70" class="soft">model=4</text>
// | <rect class="a2" x="183.3" y="60" width="14" height="12"/>
// | <rect x="183.3" y="60" width="14" height="12" fill="url(#p2)"/>
// | <text x="203.3" y="70" class="soft">z=2</text>
// | <text x="20" y="111" class="soft">dimension 2: tile 0</text>
// | <text x="20" y="127" class="soft">data ↓ · model →</text>
// | <rect class="a1 tint" x="39.4" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="39.4" y="134" width="35.5" height="4"/>
// | <text x="57.1" y="147.5" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="76.9" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="76.9" y="134" width="35.5" height="4"/>
// | <text x="94.6" y="147.5" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="114.4" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="114.4" y="134" width="35.5" height="4"/>
// | <text x="132.1" y="147.5" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="151.9" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="151.9" y="134" width="35.5" height="4"/>
// | <text x="169.6" y="147.5" class="small" text-anchor="middle">3</text>
// | <rect class="a0 tint" x="21" y="152" width="16.4" height="35.5"/>
// | <rect class="a0" x="21" y="152" width="4" height="35.5"/>
// | <text x="31.2" y="173.8" class="small" text-anchor="middle">0</text>
// | <rect class="a0 tint" x="21" y="189.5" width="16.4" height="35.5"/>
// | <rect class="a0" x="21" y="189.5" width="4" height="35.5"/>
// | <text x="31.2" y="211.3" class="small" text-anchor="middle">1</text>
// | <rect class="card" x="39.4" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="56.1" y="172.8" class="mono halo" text-anchor="middle">0</text>
// | <rect class="card" x="76.9" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="93.6" y="172.8" class="mono halo" text-anchor="middle">2</text>
// | <rect class="card" x="114.4" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="131.1" y="172.8" class="mono halo" text-anchor="middle">4</text>
// | <rect class="card" x="151.9" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="168.6" y="172.8" class="mono halo" text-anchor="middle">6</text>
// | <rect class="card" x="39.4" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="56.1" y="210.3" class="mono halo" text-anchor="middle">8</text>
// | <rect class="card" x="76.9" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="93.6" y="210.3" class="mono halo" text-anchor="middle">10</text>
// | <rect class="card" x="114.4" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="131.1" y="210.3" class="mono halo" text-anchor="middle">12</text>
// | <rect class="card" x="151.9" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="168.6" y="210.3" class="mono halo" text-anchor="middle">14</text>
// | <text x="220.4" y="111" class="soft">dimension 2: tile 1</text>
// | <text x="220.4" y="127" class="soft">data ↓ · model →</text>
// | <rect class="a1 tint" x="239.7" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="239.7" y="134" width="35.5" height="4"/>
// | <text x="257.5" y="147.5" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="277.2" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="277.2" y="134" width="35.5" height="4"/>
// | <text x="295" y="147.5" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="314.7" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="314.7" y="134" width="35.5" height="4"/>
// | <text x="332.5" y="147.5" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="352.2" y="134" width="35.5" height="16"/>
// | <rect class="a1" x="352.2" y="134" width="35.5" height="4"/>
// | <text x="370" y="147.5" class="small" text-anchor="middle">3</text>
// | <rect class="a0 tint" x="221.4" y="152" width="16.4" height="35.5"/>
// | <rect class="a0" x="221.4" y="152" width="4" height="35.5"/>
// | <text x="231.5" y="173.8" class="small" text-anchor="middle">0</text>
// | <rect class="a0 tint" x="221.4" y="189.5" width="16.4" height="35.5"/>
// | <rect class="a0" x="221.4" y="189.5" width="4" height="35.5"/>
// | <text x="231.5" y="211.3" class="small" text-anchor="middle">1</text>
// | <rect class="card" x="239.7" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="256.5" y="172.8" class="mono halo" text-anchor="middle">1</text>
// | <rect class="card" x="277.2" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="294" y="172.8" class="mono halo" text-anchor="middle">3</text>
// | <rect class="card" x="314.7" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="331.5" y="172.8" class="mono halo" text-anchor="middle">5</text>
// | <rect class="card" x="352.2" y="152" width="33.5" height="33.5" rx="3"/>
// | <text x="369" y="172.8" class="mono halo" text-anchor="middle">7</text>
// | <rect class="card" x="239.7" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="256.5" y="210.3" class="mono halo" text-anchor="middle">9</text>
// | <rect class="card" x="277.2" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="294" y="210.3" class="mono halo" text-anchor="middle">11</text>
// | <rect class="card" x="314.7" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="331.5" y="210.3" class="mono halo" text-anchor="middle">13</text>
// | <rect class="card" x="352.2" y="189.5" width="33.5" height="33.5" rx="3"/>
// | <text x="369" y="210.3" class="mono halo" text-anchor="middle">15</text>
// | </g>
// | </svg>
// ==== shardwright render %s --devices --hardware h100
// ---- exit 0
// ---- stdout
// | mesh  ·  16 devices  ·  NVIDIA H100 SXM
// |
// |   nodes         2 of 8 devices
// |   data          between nodes
// |   model         inside a node
// |   z             inside a node
// |
// |     data=2 ↓    model=4 →
// |     0 of z=2
// |     ┌────────┬────────┬────────┬────────┐
// |     │   0    │   2    │   4    │   6    │
// |     │ node 0 │ node 0 │ node 0 │ node 0 │
// |     ├────────┼────────┼────────┼────────┤
// |     │   8    │   10   │   12   │   14   │
// |     │ node 1 │ node 1 │ node 1 │ node 1 │
// |     └────────┴────────┴────────┴────────┘
// |     1 of z=2
// |     ┌────────┬────────┬────────┬────────┐
// |     │   1    │   3    │   5    │   7    │
// |     │ node 0 │ node 0 │ node 0 │ node 0 │
// |     ├────────┼────────┼────────┼────────┤
// |     │   9    │   11   │   13   │   15   │
// |     │ node 1 │ node 1 │ node 1 │ node 1 │
// |     └────────┴────────┴────────┴────────┘
// ==== shardwright render %s --devices --hardware h100 --format svg
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="531" height="337" viewBox="0 0 531 337" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">mesh</title>
// | <desc id="picture-description">16 devices  ·  NVIDIA H100 SXM</desc>
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
// | <rect class="ground" width="531" height="337"/>
// | <g>
// | <text x="20" y="32" class="big">mesh</text>
// | <text x="20" y="50" class="soft">16 devices  ·  NVIDIA H100 SXM</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">data=2</text>
// | <rect class="a1" x="97.1" y="60" width="14" height="12"/>
// | <rect x="97.1" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="117.1" y="70" class="soft">model=4</text>
// | <rect class="a2" x="183.3" y="60" width="14" height="12"/>
// | <rect x="183.3" y="60" width="14" height="12" fill="url(#p2)"/>
// | <text x="203.3" y="70" class="soft">z=2</text>
// | <text x="20" y="103" class="soft">nodes: 2 of 8 devices</text>
// | <text x="20" y="119" class="soft">data: between nodes</text>
// | <text x="20" y="135" class="soft">model: inside a node</text>
// | <text x="20" y="151" class="soft">z: inside a node</text>
// | <text x="20" y="175" class="soft">dimension 2: tile 0</text>
// | <text x="20" y="191" class="soft">data ↓ · model →</text>
// | <rect class="a1 tint" x="39.4" y="198" width="50" height="16"/>
// | <rect class="a1" x="39.4" y="198" width="50" height="4"/>
// | <text x="64.4" y="211.5" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="91.4" y="198" width="50" height="16"/>
// | <rect class="a1" x="91.4" y="198" width="50" height="4"/>
// | <text x="116.4" y="211.5" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="143.4" y="198" width="50" height="16"/>
// | <rect class="a1" x="143.4" y="198" width="50" height="4"/>
// | <text x="168.4" y="211.5" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="195.4" y="198" width="50" height="16"/>
// | <rect class="a1" x="195.4" y="198" width="50" height="4"/>
// | <text x="220.4" y="211.5" class="small" text-anchor="middle">3</text>
// | <rect class="a0 tint" x="21" y="216" width="16.4" height="40"/>
// | <rect class="a0" x="21" y="216" width="4" height="40"/>
// | <text x="31.2" y="240" class="small" text-anchor="middle">0</text>
// | <rect class="a0 tint" x="21" y="258" width="16.4" height="40"/>
// | <rect class="a0" x="21" y="258" width="4" height="40"/>
// | <text x="31.2" y="282" class="small" text-anchor="middle">1</text>
// | <rect class="card" x="39.4" y="216" width="48" height="38" rx="3"/>
// | <text x="63.4" y="232" class="mono halo" text-anchor="middle">0</text>
// | <text x="63.4" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="91.4" y="216" width="48" height="38" rx="3"/>
// | <text x="115.4" y="232" class="mono halo" text-anchor="middle">2</text>
// | <text x="115.4" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="143.4" y="216" width="48" height="38" rx="3"/>
// | <text x="167.4" y="232" class="mono halo" text-anchor="middle">4</text>
// | <text x="167.4" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="195.4" y="216" width="48" height="38" rx="3"/>
// | <text x="219.4" y="232" class="mono halo" text-anchor="middle">6</text>
// | <text x="219.4" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="39.4" y="258" width="48" height="38" rx="3"/>
// | <text x="63.4" y="274" class="mono halo" text-anchor="middle">8</text>
// | <text x="63.4" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="91.4" y="258" width="48" height="38" rx="3"/>
// | <text x="115.4" y="274" class="mono halo" text-anchor="middle">10</text>
// | <text x="115.4" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="143.4" y="258" width="48" height="38" rx="3"/>
// | <text x="167.4" y="274" class="mono halo" text-anchor="middle">12</text>
// | <text x="167.4" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="195.4" y="258" width="48" height="38" rx="3"/>
// | <text x="219.4" y="274" class="mono halo" text-anchor="middle">14</text>
// | <text x="219.4" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <text x="278.4" y="175" class="soft">dimension 2: tile 1</text>
// | <text x="278.4" y="191" class="soft">data ↓ · model →</text>
// | <rect class="a1 tint" x="297.7" y="198" width="50" height="16"/>
// | <rect class="a1" x="297.7" y="198" width="50" height="4"/>
// | <text x="322.7" y="211.5" class="small" text-anchor="middle">0</text>
// | <rect class="a1 tint" x="349.7" y="198" width="50" height="16"/>
// | <rect class="a1" x="349.7" y="198" width="50" height="4"/>
// | <text x="374.7" y="211.5" class="small" text-anchor="middle">1</text>
// | <rect class="a1 tint" x="401.7" y="198" width="50" height="16"/>
// | <rect class="a1" x="401.7" y="198" width="50" height="4"/>
// | <text x="426.7" y="211.5" class="small" text-anchor="middle">2</text>
// | <rect class="a1 tint" x="453.7" y="198" width="50" height="16"/>
// | <rect class="a1" x="453.7" y="198" width="50" height="4"/>
// | <text x="478.7" y="211.5" class="small" text-anchor="middle">3</text>
// | <rect class="a0 tint" x="279.4" y="216" width="16.4" height="40"/>
// | <rect class="a0" x="279.4" y="216" width="4" height="40"/>
// | <text x="289.5" y="240" class="small" text-anchor="middle">0</text>
// | <rect class="a0 tint" x="279.4" y="258" width="16.4" height="40"/>
// | <rect class="a0" x="279.4" y="258" width="4" height="40"/>
// | <text x="289.5" y="282" class="small" text-anchor="middle">1</text>
// | <rect class="card" x="297.7" y="216" width="48" height="38" rx="3"/>
// | <text x="321.7" y="232" class="mono halo" text-anchor="middle">1</text>
// | <text x="321.7" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="349.7" y="216" width="48" height="38" rx="3"/>
// | <text x="373.7" y="232" class="mono halo" text-anchor="middle">3</text>
// | <text x="373.7" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="401.7" y="216" width="48" height="38" rx="3"/>
// | <text x="425.7" y="232" class="mono halo" text-anchor="middle">5</text>
// | <text x="425.7" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="453.7" y="216" width="48" height="38" rx="3"/>
// | <text x="477.7" y="232" class="mono halo" text-anchor="middle">7</text>
// | <text x="477.7" y="246" class="small halo" text-anchor="middle">node 0</text>
// | <rect class="card" x="297.7" y="258" width="48" height="38" rx="3"/>
// | <text x="321.7" y="274" class="mono halo" text-anchor="middle">9</text>
// | <text x="321.7" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="349.7" y="258" width="48" height="38" rx="3"/>
// | <text x="373.7" y="274" class="mono halo" text-anchor="middle">11</text>
// | <text x="373.7" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="401.7" y="258" width="48" height="38" rx="3"/>
// | <text x="425.7" y="274" class="mono halo" text-anchor="middle">13</text>
// | <text x="425.7" y="288" class="small halo" text-anchor="middle">node 1</text>
// | <rect class="card" x="453.7" y="258" width="48" height="38" rx="3"/>
// | <text x="477.7" y="274" class="mono halo" text-anchor="middle">15</text>
// | <text x="477.7" y="288" class="small halo" text-anchor="middle">node 1</text>
// | </g>
// | </svg>
// ==== shardwright render %s --devices --hardware tpu-v5p
// ---- exit 0
// ---- stdout
// | mesh  ·  16 devices  ·  Google Cloud TPU v5p
// |
// |   torus         3 dimensions, 6 links a device
// |   data          does not wrap around: 2 is no multiple of 4
// |   model         wraps around where it has a dimension for itself
// |   z             does not wrap around: 2 is no multiple of 4
// |
// |     data=2 ↓    model=4 →
// |     0 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  0  │  2  │  4  │  6  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  8  │ 10  │ 12  │ 14  │
// |     └─────┴─────┴─────┴─────┘
// |     1 of z=2
// |     ┌─────┬─────┬─────┬─────┐
// |     │  1  │  3  │  5  │  7  │
// |     ├─────┼─────┼─────┼─────┤
// |     │  9  │ 11  │ 13  │ 15  │
// |     └─────┴─────┴─────┴─────┘
// ==== shardwright render %s --devices --hardware h200 --hardware h100
// ---- exit 2
// ---- stderr
// | error: `--devices` stand on one kind of hardware [bad-configuration]
// ==== shardwright render %s --array %arg4 --hardware h100
// ---- exit 2
// ---- stderr
// | error: `--hardware` is for `--report` and `--devices` [bad-configuration]
// ==== shardwright render %s --array %arg5
// ---- exit 2
// ---- stderr
// | error: nothing in the program is called `%arg5` [unknown-name]
// | help: did you mean `%arg2`?
// | help: a value as the file spells it (`%12`, `%12#1`), an argument (`params['w1']`), an output (`result[0]`), a line (`61`, `model.py:41`)
// ==== shardwright render %s --array %arg5 --graph
// ---- exit 2
// ---- stderr
// | error: `render` makes one picture at a time [bad-configuration]
// ==== shardwright render %s --array %arg4 --format pdf
// ---- exit 2
// ---- stderr
// | error: `--format pdf` is not for this picture [bad-configuration]
// | help: `text` or `svg`
// ==== shardwright render %s --devices --diff
// ---- exit 2
// ---- stderr
// | error: `--diff` is for `--graph` [bad-configuration]
