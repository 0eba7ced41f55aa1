// RUN: shardwright render %s --propagation
// RUN: shardwright render %s --propagation --step 1
// RUN: shardwright render %s --propagation --partitioner shardy --step 99
// RUN: shardwright render %s --propagation --frames %t --partitioner gspmd
// RUN: shardwright render %s --propagation --format png
// RUN: shardwright render %s --graph --step 1
module @jit_f {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"), %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("b")) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.tanh %0 : tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
// ==== shardwright render %s --propagation
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="694" height="495" viewBox="0 0 694 495" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">f: GSPMD and Shardy</title>
// | <desc id="picture-description">f  ·  propagation.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD and Shardy</desc>
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
// | .v0-1{opacity:0;animation:v0-1 8.4s step-end infinite}
// | @keyframes v0-1{0%{opacity:1}16.7%{opacity:0}}
// | .p0-1{opacity:0;animation:p0-1 8.4s step-end infinite}
// | @keyframes p0-1{0%{opacity:1}16.7%{opacity:0}}
// | .v0-2{opacity:0;animation:v0-2 8.4s step-end infinite}
// | @keyframes v0-2{0%{opacity:1}33.3%{opacity:0}}
// | .v1-2{opacity:0;animation:v1-2 8.4s step-end infinite}
// | @keyframes v1-2{0%{opacity:0}16.7%{opacity:1}33.3%{opacity:0}}
// | .p1-2{opacity:0;animation:p1-2 8.4s step-end infinite}
// | @keyframes p1-2{0%{opacity:0}16.7%{opacity:1}33.3%{opacity:0}}
// | .v1-3{animation:v1-3 8.4s step-end infinite}
// | @keyframes v1-3{0%{opacity:0}16.7%{opacity:1}}
// | .v2-3{animation:v2-3 8.4s step-end infinite}
// | @keyframes v2-3{0%{opacity:0}33.3%{opacity:1}}
// | .p2-3{opacity:0;animation:p2-3 8.4s step-end infinite}
// | @keyframes p2-3{0%{opacity:0}33.3%{opacity:1}50%{opacity:0}}
// | svg:hover *{animation-play-state:paused}
// | @media (prefers-reduced-motion:reduce){*{animation:none!important}}
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
// | <rect class="ground" width="694" height="495"/>
// | <text x="20" y="32" class="big">f: GSPMD and Shardy</text>
// | <text x="20" y="50" class="soft">f  ·  propagation.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD and Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">x=2</text>
// | <rect class="a1" x="79.7" y="60" width="14" height="12"/>
// | <rect x="79.7" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="99.7" y="70" class="soft">y=2</text>
// | <rect class="aw" x="145.4" y="60" width="2" height="12"/>
// | <text x="159.4" y="70" class="soft">whole on every device</text>
// | <rect class="pulse" x="295.7" y="60" width="22" height="12" rx="5"/>
// | <text x="323.7" y="70" class="soft">set in this frame</text>
// | <path class="flow" d="M427.6 66h20" marker-end="url(#flow-tip)"/>
// | <text x="455.6" y="70" class="soft">from where</text>
// | <text x="20" y="106" class="head">GSPMD</text>
// | <rect class="aw" x="83.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v0-1" x="83.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="97.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v1-2" x="97.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="111.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v2-3" x="111.2" y="98" width="11" height="8" rx="2"/>
// | <text x="20" y="124" class="soft v0-1">as given: 2 shardings set</text>
// | <text x="20" y="124" class="soft v1-2">level 1, sweep 1: 1 sharding set</text>
// | <text x="20" y="139" class="soft v1-2">%0  dot_general takes x from a (left free dimension)</text>
// | <text x="20" y="124" class="soft v2-3">level 1, sweep 1: 1 sharding set</text>
// | <text x="20" y="139" class="soft v2-3">%1  tanh takes x from %0  dot_general (dimension 0 kept)</text>
// | <path class="edge" d="M164,393.4C164,399 164,405 164,410.8L164,416.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M124.7,214.2C128.6,220 132.7,226.3 136.8,232.5L140.3,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M204,214.2C200.1,220 195.8,226.3 191.6,232.5L188.1,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M164,311.1C164,316.9 164,323 164,328.8L164,335" marker-end="url(#tip)"/>
// | <path class="flow p1-2" d="M124.7,214.2C128.6,220 132.7,226.3 136.8,232.5L140.3,237.7" marker-end="url(#flow-tip)"/>
// | <path class="flow p2-3" d="M164,311.1C164,316.9 164,323 164,328.8L164,335" marker-end="url(#flow-tip)"/>
// | <g>
// | <title>dot_general  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="19.9" y="238" width="288.1" height="73" rx="4"/>
// | <text x="36.9" y="256" class="name">dot_general</text>
// | <text x="300.1" y="256" class="soft" text-anchor="end">%0</text>
// | <text x="36.9" y="271" class="mono">f32[8,8]</text>
// | <g class="v0-1">
// | <rect class="aw" x="22.9" y="242" width="2" height="65" rx="1"/>
// | </g>
// | <g class="v1-3">
// | <rect class="a0" x="22.9" y="242" width="6" height="65"/>
// | <text x="36.9" y="286" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | <text x="36.9" y="301" class="refused v2-3">✕ x on dimension 1: already used by dimension 0</text>
// | </g>
// | <g>
// | <title>tanh  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="113.6" y="335" width="100.9" height="58" rx="4"/>
// | <text x="130.6" y="353" class="name">tanh</text>
// | <text x="206.4" y="353" class="soft" text-anchor="end">%1</text>
// | <text x="130.6" y="368" class="mono">f32[8,8]</text>
// | <g class="v0-2">
// | <rect class="aw" x="116.6" y="339" width="2" height="50" rx="1"/>
// | </g>
// | <g class="v2-3">
// | <rect class="a0" x="116.6" y="339" width="6" height="50"/>
// | <text x="130.6" y="383" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>a  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="55.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="72.6" y="174" class="name">a</text>
// | <text x="72.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="58.6" y="166" width="6" height="38"/>
// | <text x="72.6" y="204" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>b  f32[8,8]  P(None, &#39;x&#39;)</title>
// | <rect class="card" x="172.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="189.6" y="174" class="name">b</text>
// | <text x="189.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="175.6" y="166" width="6" height="38"/>
// | <text x="189.6" y="204" class="mono">P(None, &#39;x&#39;)</text>
// | </g>
// | </g>
// | <g>
// | <title>result  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="113.6" y="417" width="100.9" height="58" rx="12"/>
// | <text x="130.6" y="435" class="name">result</text>
// | <text x="130.6" y="450" class="mono">f32[8,8]</text>
// | <g class="v0-2">
// | <rect class="aw" x="116.6" y="427" width="2" height="38" rx="1"/>
// | </g>
// | <g class="v2-3">
// | <rect class="a0" x="116.6" y="427" width="6" height="38"/>
// | <text x="130.6" y="465" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <rect class="pulse p0-1" x="53.6" y="154" width="104.9" height="62" rx="8"/>
// | <rect class="pulse p0-1" x="170.6" y="154" width="104.9" height="62" rx="8"/>
// | <rect class="pulse p1-2" x="17.9" y="236" width="292.1" height="77" rx="8"/>
// | <rect class="pulse p2-3" x="111.6" y="333" width="104.9" height="62" rx="8"/>
// | <text x="368" y="106" class="head">Shardy</text>
// | <rect class="aw" x="429.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v0-1" x="429.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="443.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v1-2" x="443.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="457.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill v2-3" x="457.6" y="98" width="11" height="8" rx="2"/>
// | <text x="368" y="124" class="soft v0-1">as given: 2 shardings set</text>
// | <text x="368" y="124" class="soft v1-2">round 2: 1 sharding set</text>
// | <text x="368" y="139" class="soft v1-2">%0  dot_general takes x from a (left free dimension)</text>
// | <text x="368" y="124" class="soft v2-3">round 2: 1 sharding set</text>
// | <text x="368" y="139" class="soft v2-3">%1  tanh takes x from %0  dot_general (dimension 0 kept)</text>
// | <path class="edge" d="M512,393.4C512,399 512,405 512,410.8L512,416.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M472.7,214.2C476.6,220 480.7,226.3 484.8,232.5L488.3,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M552,214.2C548.1,220 543.8,226.3 539.6,232.5L536.1,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M512,311.1C512,316.9 512,323 512,328.8L512,335" marker-end="url(#tip)"/>
// | <path class="flow p1-2" d="M472.7,214.2C476.6,220 480.7,226.3 484.8,232.5L488.3,237.7" marker-end="url(#flow-tip)"/>
// | <path class="flow p2-3" d="M512,311.1C512,316.9 512,323 512,328.8L512,335" marker-end="url(#flow-tip)"/>
// | <g>
// | <title>dot_general  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="367.9" y="238" width="288.1" height="73" rx="4"/>
// | <text x="384.9" y="256" class="name">dot_general</text>
// | <text x="648.1" y="256" class="soft" text-anchor="end">%0</text>
// | <text x="384.9" y="271" class="mono">f32[8,8]</text>
// | <g class="v0-1">
// | <rect class="aw" x="370.9" y="242" width="2" height="65" rx="1"/>
// | </g>
// | <g class="v1-3">
// | <rect class="a0" x="370.9" y="242" width="6" height="65"/>
// | <text x="384.9" y="286" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | <text x="384.9" y="301" class="refused v2-3">✕ x on dimension 1: already used by dimension 0</text>
// | </g>
// | <g>
// | <title>tanh  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="461.6" y="335" width="100.9" height="58" rx="4"/>
// | <text x="478.6" y="353" class="name">tanh</text>
// | <text x="554.4" y="353" class="soft" text-anchor="end">%1</text>
// | <text x="478.6" y="368" class="mono">f32[8,8]</text>
// | <g class="v0-2">
// | <rect class="aw" x="464.6" y="339" width="2" height="50" rx="1"/>
// | </g>
// | <g class="v2-3">
// | <rect class="a0" x="464.6" y="339" width="6" height="50"/>
// | <text x="478.6" y="383" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>a  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="403.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="420.6" y="174" class="name">a</text>
// | <text x="420.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="406.6" y="166" width="6" height="38"/>
// | <text x="420.6" y="204" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>b  f32[8,8]  P(None, &#39;x&#39;)</title>
// | <rect class="card" x="520.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="537.6" y="174" class="name">b</text>
// | <text x="537.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="523.6" y="166" width="6" height="38"/>
// | <text x="537.6" y="204" class="mono">P(None, &#39;x&#39;)</text>
// | </g>
// | </g>
// | <g>
// | <title>result  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="461.6" y="417" width="100.9" height="58" rx="12"/>
// | <text x="478.6" y="435" class="name">result</text>
// | <text x="478.6" y="450" class="mono">f32[8,8]</text>
// | <g class="v0-2">
// | <rect class="aw" x="464.6" y="427" width="2" height="38" rx="1"/>
// | </g>
// | <g class="v2-3">
// | <rect class="a0" x="464.6" y="427" width="6" height="38"/>
// | <text x="478.6" y="465" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <rect class="pulse p0-1" x="401.6" y="154" width="104.9" height="62" rx="8"/>
// | <rect class="pulse p0-1" x="518.6" y="154" width="104.9" height="62" rx="8"/>
// | <rect class="pulse p1-2" x="365.9" y="236" width="292.1" height="77" rx="8"/>
// | <rect class="pulse p2-3" x="459.6" y="333" width="104.9" height="62" rx="8"/>
// | </svg>
// ==== shardwright render %s --propagation --step 1
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="694" height="495" viewBox="0 0 694 495" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">f: GSPMD and Shardy</title>
// | <desc id="picture-description">f  ·  propagation.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD and Shardy</desc>
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
// | <rect class="ground" width="694" height="495"/>
// | <text x="20" y="32" class="big">f: GSPMD and Shardy</text>
// | <text x="20" y="50" class="soft">f  ·  propagation.mlir (StableHLO, 2 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD and Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">x=2</text>
// | <rect class="a1" x="79.7" y="60" width="14" height="12"/>
// | <rect x="79.7" y="60" width="14" height="12" fill="url(#p1)"/>
// | <text x="99.7" y="70" class="soft">y=2</text>
// | <rect class="aw" x="145.4" y="60" width="2" height="12"/>
// | <text x="159.4" y="70" class="soft">whole on every device</text>
// | <rect class="pulse" x="295.7" y="60" width="22" height="12" rx="5"/>
// | <text x="323.7" y="70" class="soft">set in this frame</text>
// | <path class="flow" d="M427.6 66h20" marker-end="url(#flow-tip)"/>
// | <text x="455.6" y="70" class="soft">from where</text>
// | <text x="20" y="106" class="head">GSPMD</text>
// | <rect class="aw" x="83.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="97.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill " x="97.2" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="111.2" y="98" width="11" height="8" rx="2"/>
// | <text x="20" y="124" class="soft ">level 1, sweep 1: 1 sharding set</text>
// | <text x="20" y="139" class="soft ">%0  dot_general takes x from a (left free dimension)</text>
// | <path class="edge" d="M164,393.4C164,399 164,405 164,410.8L164,416.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M124.7,214.2C128.6,220 132.7,226.3 136.8,232.5L140.3,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M204,214.2C200.1,220 195.8,226.3 191.6,232.5L188.1,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M164,311.1C164,316.9 164,323 164,328.8L164,335" marker-end="url(#tip)"/>
// | <path class="flow " d="M124.7,214.2C128.6,220 132.7,226.3 136.8,232.5L140.3,237.7" marker-end="url(#flow-tip)"/>
// | <g>
// | <title>dot_general  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="19.9" y="238" width="288.1" height="73" rx="4"/>
// | <text x="36.9" y="256" class="name">dot_general</text>
// | <text x="300.1" y="256" class="soft" text-anchor="end">%0</text>
// | <text x="36.9" y="271" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="22.9" y="242" width="6" height="65"/>
// | <text x="36.9" y="286" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>tanh  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="113.6" y="335" width="100.9" height="58" rx="4"/>
// | <text x="130.6" y="353" class="name">tanh</text>
// | <text x="206.4" y="353" class="soft" text-anchor="end">%1</text>
// | <text x="130.6" y="368" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="aw" x="116.6" y="339" width="2" height="50" rx="1"/>
// | </g>
// | </g>
// | <g>
// | <title>a  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="55.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="72.6" y="174" class="name">a</text>
// | <text x="72.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="58.6" y="166" width="6" height="38"/>
// | <text x="72.6" y="204" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>b  f32[8,8]  P(None, &#39;x&#39;)</title>
// | <rect class="card" x="172.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="189.6" y="174" class="name">b</text>
// | <text x="189.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="175.6" y="166" width="6" height="38"/>
// | <text x="189.6" y="204" class="mono">P(None, &#39;x&#39;)</text>
// | </g>
// | </g>
// | <g>
// | <title>result  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="113.6" y="417" width="100.9" height="58" rx="12"/>
// | <text x="130.6" y="435" class="name">result</text>
// | <text x="130.6" y="450" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="aw" x="116.6" y="427" width="2" height="38" rx="1"/>
// | </g>
// | </g>
// | <rect class="pulse " x="17.9" y="236" width="292.1" height="77" rx="8"/>
// | <text x="368" y="106" class="head">Shardy</text>
// | <rect class="aw" x="429.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="443.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="pill " x="443.6" y="98" width="11" height="8" rx="2"/>
// | <rect class="aw" x="457.6" y="98" width="11" height="8" rx="2"/>
// | <text x="368" y="124" class="soft ">round 2: 1 sharding set</text>
// | <text x="368" y="139" class="soft ">%0  dot_general takes x from a (left free dimension)</text>
// | <path class="edge" d="M512,393.4C512,399 512,405 512,410.8L512,416.9" marker-end="url(#tip)"/>
// | <path class="edge" d="M472.7,214.2C476.6,220 480.7,226.3 484.8,232.5L488.3,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M552,214.2C548.1,220 543.8,226.3 539.6,232.5L536.1,237.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M512,311.1C512,316.9 512,323 512,328.8L512,335" marker-end="url(#tip)"/>
// | <path class="flow " d="M472.7,214.2C476.6,220 480.7,226.3 484.8,232.5L488.3,237.7" marker-end="url(#flow-tip)"/>
// | <g>
// | <title>dot_general  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="367.9" y="238" width="288.1" height="73" rx="4"/>
// | <text x="384.9" y="256" class="name">dot_general</text>
// | <text x="648.1" y="256" class="soft" text-anchor="end">%0</text>
// | <text x="384.9" y="271" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="370.9" y="242" width="6" height="65"/>
// | <text x="384.9" y="286" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>tanh  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="461.6" y="335" width="100.9" height="58" rx="4"/>
// | <text x="478.6" y="353" class="name">tanh</text>
// | <text x="554.4" y="353" class="soft" text-anchor="end">%1</text>
// | <text x="478.6" y="368" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="aw" x="464.6" y="339" width="2" height="50" rx="1"/>
// | </g>
// | </g>
// | <g>
// | <title>a  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="403.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="420.6" y="174" class="name">a</text>
// | <text x="420.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="406.6" y="166" width="6" height="38"/>
// | <text x="420.6" y="204" class="mono">P(&#39;x&#39;, None)</text>
// | </g>
// | </g>
// | <g>
// | <title>b  f32[8,8]  P(None, &#39;x&#39;)</title>
// | <rect class="card" x="520.6" y="156" width="100.9" height="58" rx="12"/>
// | <text x="537.6" y="174" class="name">b</text>
// | <text x="537.6" y="189" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="a0" x="523.6" y="166" width="6" height="38"/>
// | <text x="537.6" y="204" class="mono">P(None, &#39;x&#39;)</text>
// | </g>
// | </g>
// | <g>
// | <title>result  f32[8,8]  P(&#39;x&#39;, None)</title>
// | <rect class="card" x="461.6" y="417" width="100.9" height="58" rx="12"/>
// | <text x="478.6" y="435" class="name">result</text>
// | <text x="478.6" y="450" class="mono">f32[8,8]</text>
// | <g>
// | <rect class="aw" x="464.6" y="427" width="2" height="38" rx="1"/>
// | </g>
// | </g>
// | <rect class="pulse " x="365.9" y="236" width="292.1" height="77" rx="8"/>
// | </svg>
// ==== shardwright render %s --propagation --partitioner shardy --step 99
// ---- exit 2
// ---- stderr
// | error: `--step` takes a frame from 0 to 2 [bad-configuration]
// ==== shardwright render %s --propagation --frames %t --partitioner gspmd
// ---- exit 0
// ==== shardwright render %s --propagation --format png
// ---- exit 2
// ---- stderr
// | error: `--format png` is not for this picture [bad-configuration]
// | help: `svg`
// ==== shardwright render %s --graph --step 1
// ---- exit 2
// ---- stderr
// | error: `--step` and `--frames` are for `--propagation` [bad-configuration]
