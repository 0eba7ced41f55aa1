// RUN: shardwright render %s
// RUN: shardwright render %s --graph --expand bakward
// RUN: shardwright render %s --graph --format jpeg
// RUN: shardwright render %s --graph --nodes 0
// RUN: shardwright render --help
#l1 = loc("jit(step)/transpose(jvp(encoder))/mul"("m.py":4:1))
module @jit_step {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8xf32> loc(#l1)
    %1 = stablehlo.negate %0 : tensor<8xf32> loc(#l1)
    %2 = stablehlo.negate %1 : tensor<8xf32> loc(#l1)
    %3 = stablehlo.negate %2 : tensor<8xf32>
    %4 = stablehlo.negate %3 : tensor<8xf32>
    %5 = stablehlo.negate %4 : tensor<8xf32>
    return %5 : tensor<8xf32>
  }
}
// ==== shardwright render %s
// ---- exit 2
// ---- stderr
// | error: `render` needs to know which picture to make [bad-configuration]
// | help: `--graph`, `--array VALUE`, `--devices`, `--propagation` or `--report`
// ==== shardwright render %s --graph --expand bakward
// ---- exit 2
// ---- stderr
// | error: no scope is called `bakward` [unknown-name]
// | help: the picture names them: each folded node, when pointed at, says how to expand it
// ==== shardwright render %s --graph --format jpeg
// ---- exit 2
// ---- stderr
// | error: unknown value `jpeg` of `--format` [unknown-name]
// | help: expected one of `svg`, `text`, `dot`, `png`, `pdf`
// ==== shardwright render %s --graph --nodes 0
// ---- exit 2
// ---- stderr
// | error: `--nodes` takes a number from 1 [bad-configuration]
// ==== shardwright render --help
// ---- exit 0
// ---- stdout
// | Pictures: the graph of a plan, the pieces of an array on the devices; a page to look around in all of it
// | Usage: shardwright render [OPTIONS] [FILE]
// |
// | Positionals:
// |   FILE                            StableHLO text, as jax.jit(f).lower(...).as_text() prints it, or HLO text;
// |                                   `-` is standard input; .gz and .xz are read as they are
// |
// | Options:
// |   -h,--help                       Print this help and exit
// |   --partitioner NAME              shardy (default), gspmd (default for HLO text), or none: what is written in FILE is the plan
// |   --mesh MESH                     FILE.yaml, or sizes (x=2,y=4) instead of those of the program
// |   --shard PATTERN=SPEC ...        Shard the arguments (or else the results) whose name matches,
// |                                   "params/w1=P('x', None)"; repeatable
// |   --shardings FILE.yaml           A list of such rules; the first that matches wins
// |   --pin VALUE|LINE=SPEC ...       Constrain any value, as with_sharding_constraint does; repeatable
// |   --donate PATTERN ...            Give the arguments whose name matches away, as donate_argnames does; repeatable
// |   --graph                         The operations, in the scopes of your source, coloured by sharding
// |   --report                        One HTML page that needs no network: both partitioners' tables, the graph, where each
// |                                   sharding comes from
// |   --array VALUE|LINE              The pieces of a value and the devices that hold them, before and after each reshard;
// |                                   %12, %12#1, an argument (params['w1']), an output (result[0]), a line (61, model.py:41)
// |   --devices                       The mesh: its axes and its devices
// |   --hardware NAME ...             Of --report: the memory of this device over the step; of --devices: in what nodes or on what
// |                                   torus they stand (`shardwright hardware` lists them, or FILE.yaml)
// |   --propagation                   How the shardings travelled, round by round, GSPMD's and Shardy's side by side: an animated SVG
// |                                   (with --partitioner: that one alone)
// |   --step N                        Of --propagation: frame N alone, from 0
// |   --frames DIR                    Of --propagation: every frame as a file in DIR
// |   --diff                          Of --graph: two partitioners in one, what differs is marked
// |   --partitioners NAME,NAME        Of --diff: which two (gspmd,shardy)
// |   --expand SCOPE ...              Of graphs: show what is inside a scope, as the picture names it; repeatable
// |   --nodes N                       Of graphs: fold scopes beyond N operations (60; of --propagation 24)
// |   --backend NAME                  Show the collectives as this compiler leaves them: xla-cpu, xla-gpu, tpu,
// |                                   or none (default): as they stand right after the partitioner
// |   --format NAME[=FILE] ...        svg, text, dot, png or pdf, each to a FILE if given; repeatable
// |                                   (by the name of the output; else svg for graphs, text for arrays)
// |   -o,--output FILE                Write the result to FILE, not to standard output
// |   --color WHEN                    auto (default), always or never
// |   -q,--quiet                      Print no warnings
// |   --max-errors N                  Show at most N errors and N warnings (20)
// |
// | `shardwright VERB --help` says more about a verb.
