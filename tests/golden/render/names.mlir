// RUN: shardwright render %s --graph
// RUN: shardwright render %s --graph --format dot
module @"jit_<script>alert(1)</script>" {
  sdy.mesh @mesh = <["x & \22y\22 <b>"=2]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x & \22y\22 <b>"}]>} loc("a<b>\22&amp;\0A\\N日本語 имя"), %arg1: tensor<8xf32> loc("a_name_that_is_far_too_long_to_be_written_on_a_card_that_anybody_would_want_to_see")) -> (tensor<8xf32> {jax.result_info = "\E2\80\AEresult</text>"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32> loc("jit(f)/<i>/\22quoted\22/add"("/tmp/<m>.py":3:1))
    return %0 : tensor<8xf32>
  }
}
// ==== shardwright render %s --graph
// ---- exit 0
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <svg xmlns="http://www.w3.org/2000/svg" width="635" height="351" viewBox="0 0 635 351" role="img" aria-labelledby="picture-title picture-description">
// | <title id="picture-title">&lt;script&gt;alert(1)&lt;/script&gt;</title>
// | <desc id="picture-description">&lt;script&gt;alert(1)&lt;/script&gt;  ·  names.mlir (StableHLO, 1 operation)  ·  mesh x &amp; &quot;y&quot; &lt;b&gt;=2 (2 devices)  ·  Shardy</desc>
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
// | <rect class="ground" width="635" height="351"/>
// | <text x="20" y="32" class="big">&lt;script&gt;alert(1)&lt;/script&gt;</text>
// | <text x="20" y="50" class="soft">&lt;script&gt;alert(1)&lt;/script&gt;  ·  names.mlir (StableHLO, 1 operation)  ·  mesh x &amp; &quot;y&quot; &lt;b&gt;=2 (2 devices)  ·  Shardy</text>
// | <rect class="a0" x="20" y="60" width="14" height="12"/>
// | <text x="40" y="70" class="soft">x &amp; &quot;y&quot; &lt;b&gt;=2</text>
// | <rect class="aw" x="144" y="60" width="2" height="12"/>
// | <text x="158" y="70" class="soft">whole on every device</text>
// | <rect class="pill" x="294.3" y="60" width="22" height="12" rx="6"/>
// | <text x="322.3" y="70" class="soft">collective, with the bytes a device and step</text>
// | <path class="edge" d="M260,249.1C260,254.9 260,261 260,266.8L260,273" marker-end="url(#tip)"/>
// | <path class="edge" d="M169.8,152.2C179.6,158.6 190.2,165.6 200.5,172.4L205.6,175.7" marker-end="url(#tip)"/>
// | <path class="edge" d="M350.9,152.2C341,158.6 330.3,165.6 319.9,172.4L314.8,175.7" marker-end="url(#tip)"/>
// | <g>
// | <title>add  %0  f32[8]  P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)  &lt;m&gt;.py:3</title>
// | <rect class="card" x="196.5" y="176" width="127" height="73" rx="4"/>
// | <rect class="a0" x="199.5" y="180" width="6" height="65"/>
// | <text x="213.5" y="194" class="name">add</text>
// | <text x="315.5" y="194" class="soft" text-anchor="end">%0</text>
// | <text x="213.5" y="209" class="mono">f32[8] → [4]</text>
// | <text x="213.5" y="224" class="mono">P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</text>
// | <text x="213.5" y="239" class="soft">&lt;m&gt;.py:3</text>
// | </g>
// | <g>
// | <title>a&lt;b&gt;&quot;&amp;amp;�\N日本語 имя  f32[8]  P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</title>
// | <rect class="card" x="20" y="94" width="214" height="58" rx="12"/>
// | <rect class="a0" x="23" y="104" width="6" height="38"/>
// | <text x="37" y="112" class="name">a&lt;b&gt;&quot;&amp;amp;�\N日本語 имя</text>
// | <text x="37" y="127" class="mono">f32[8] → [4]</text>
// | <text x="37" y="142" class="mono">P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</text>
// | </g>
// | <g>
// | <title>a_name_that_is_far_too_long_to_be_writt…  f32[8]  P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</title>
// | <rect class="card" x="249.5" y="94" width="289" height="58" rx="12"/>
// | <rect class="a0" x="252.5" y="104" width="6" height="38"/>
// | <text x="266.5" y="112" class="name">a_name_that_is_far_too_long_to_be_w…</text>
// | <text x="266.5" y="127" class="mono">f32[8] → [4]</text>
// | <text x="266.5" y="142" class="mono">P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</text>
// | </g>
// | <g>
// | <title>�result&lt;/text&gt;  f32[8]  P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</title>
// | <rect class="card" x="195.5" y="273" width="129" height="58" rx="12"/>
// | <rect class="a0" x="198.5" y="283" width="6" height="38"/>
// | <text x="212.5" y="291" class="name">�result&lt;/text&gt;</text>
// | <text x="212.5" y="306" class="mono">f32[8] → [4]</text>
// | <text x="212.5" y="321" class="mono">P(&#39;x &amp; &quot;y&quot; &lt;b&gt;&#39;)</text>
// | </g>
// | </svg>
// ==== shardwright render %s --graph --format dot
// ---- exit 0
// ---- stdout
// | digraph "<script>alert(1)</script>" {
// |   graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname="Helvetica", fontsize=12, pad=0.2, label="<script>alert(1)</script>", labelloc=t]
// |   node [shape=box, style="rounded,filled", fixedsize=true, fontname="Helvetica", fontsize=10]
// |   edge [color="#7b8794", arrowsize=0.6]
// |     n0 [width=1.7639, height=1.0139, label="add  %0\lf32[8] → [4]\lP('x &amp; \"y\" <b>')\l<m>.py:3\l", fillcolor="#d6e8f3", color="#52606d"]
// |     n1 [width=2.9722, height=0.8056, label="a<b>\"&amp;amp;�\\N日本語 имя\lf32[8] → [4]\lP('x &amp; \"y\" <b>')\l", fillcolor="#d6e8f3", color="#52606d", style=filled]
// |     n2 [width=4.0139, height=0.8056, label="a_name_that_is_far_too_long_to_be_w…\lf32[8] → [4]\lP('x &amp; \"y\" <b>')\l", fillcolor="#d6e8f3", color="#52606d", style=filled]
// |     n3 [width=1.7917, height=0.8056, label="‮result</text>\lf32[8] → [4]\lP('x &amp; \"y\" <b>')\l", fillcolor="#d6e8f3", color="#52606d", style=filled]
// |   n0 -> n3 [id=e0]
// |   n1 -> n0 [id=e1]
// |   n2 -> n0 [id=e2]
// | }
