// What is wrong with a budget, an assertion, a device: where in it, and what was meant. All of one command line at once.
// RUN: shardwright check %s --max-memory 1.5 --hardware h100
// RUN: shardwright check %s --max-memory 16 --hardware h100
// RUN: shardwright check %s --max-memory lots --hardware h101
// RUN: shardwright check %s --max-memory 0.9
// RUN: shardwright check %s --assert "peek <= 0.9*capacity" --assert "count(all-gathr) == 0" --assert "count(all-gather, axis=modl) == 0" --assert "count(all-gather, axs=model) == 0"
// RUN: shardwright check %s --assert "peak <= 0.9*capacity"
// RUN: shardwright check %s --hardware h100 --assert "peak <= 0.9" --assert "peak <= 0.9 *" --assert "peak" --assert "peak = 3" --assert "peak <= 3 GiBs" --assert "peak <= 3GiB 4" --assert "peak * peak < 3GiB" --assert "1/0 > 2" --assert "peak + 3 < 1GiB" --assert "bytes(any) == 0"
// RUN: shardwright check %s --hardware cpu --assert "peak <= 0.9*capacity"
// RUN: shardwright check %s --assert "no finding full-remt" --assert "no findings" --assert "findings(nothing) == 0" --assert "memory(weights) < 1GiB" --assert "count(any, cause=halos) == 0" --assert "count(any, not axis=x) == 0"
// RUN: shardwright check %s --assert "spec(x) == P()" --assert "spec(\"x\") < P()" --assert "1 + spec(\"x\") == 2" --assert "spec(\"x\") =="
// RUN: shardwright check %s --assert "spec(\"params['v']\") == P()"
// RUN: shardwright check %s --assert "spec(\"x\") == P('modle', None)"
// RUN: shardwright check %s --assert "spec(\"x\") == P(None, None, 'model')"
// RUN: shardwright check %s --assert "é < 1" --assert "" --assert "((1) < 2"
// RUN: shardwright check %s --fail-on errors --format sarf --assrt x
// RUN: shardwright check %s --baseline missing.json
// RUN: shardwright check %s --baseline %s
module @jit_step {
  sdy.mesh @mesh = <["model"=4]>
  func.func public @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("x"), %arg1: tensor<8x64xf32> loc("params['w']")) -> tensor<8x64xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8x64xf32>
    return %0 : tensor<8x64xf32>
  }
}
// ==== shardwright check %s --max-memory 1.5 --hardware h100
// ---- exit 2
// ---- stderr
// | --max-memory:1:1: error: `1.5` is neither a share of the capacity, up to 1, nor a megabyte or more [bad-configuration]
// |   1 | 1.5
// |     | ^~~
// | help: `0.9` is nine tenths of the capacity, `14GiB` and `80 GB` are bytes
// ==== shardwright check %s --max-memory 16 --hardware h100
// ---- exit 2
// ---- stderr
// | --max-memory:1:1: error: `16` is neither a share of the capacity, up to 1, nor a megabyte or more [bad-configuration]
// |   1 | 16
// |     | ^~
// | help: `0.9` is nine tenths of the capacity, `14GiB` and `80 GB` are bytes
// ==== shardwright check %s --max-memory lots --hardware h101
// ---- exit 2
// ---- stderr
// | --max-memory:1:1: error: `lots` is neither a share of the capacity nor a number of bytes [bad-configuration]
// |   1 | lots
// |     | ^~~~
// | help: `0.9` is nine tenths of the capacity, `14GiB` and `80 GB` are bytes
// | error: unknown hardware `h101` [unknown-name]
// | help: did you mean `h100`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
// ==== shardwright check %s --max-memory 0.9
// ---- exit 2
// ---- stderr
// | error: `--max-memory` says how much of a device, and no device is given [bad-configuration]
// | help: `--hardware h100`; `shardwright hardware` names what is known
// ==== shardwright check %s --assert "peek <= 0.9*capacity" --assert "count(all-gathr) == 0" --assert "count(all-gather, axis=modl) == 0" --assert "count(all-gather, axs=model) == 0"
// ---- exit 2
// ---- stderr
// | --assert:1:1: error: `peek` is not a measure [unknown-name]
// |   1 | peek <= 0.9*capacity
// |     | ^~~~
// | help: did you mean `peak`?
// | help: known are `peak`, `total`, `argument`, `output`, `alias`, `temp`, `capacity`, `reserve`, `usable`, `devices`, `count`, `runs`, `bytes`, `memory`, `findings`
// | --assert:1:7: error: `all-gathr` is not a kind of collective [unknown-name]
// |   1 | count(all-gathr) == 0
// |     |       ^~~~~~~~~
// | help: did you mean `all-gather`?
// | help: known are `all-gather`, `all-reduce`, `reduce-scatter`, `all-to-all`, `collective-permute`, `collective-broadcast`, `ragged-all-to-all`, `any`
// | --assert:1:24: error: the mesh has no axis `modl` [unknown-axis]
// |   1 | count(all-gather, axis=modl) == 0
// |     |                        ^~~~
// | help: did you mean `model`?
// | help: its axes are `model`
// | --assert:1:19: error: `axs` is not a filter [unknown-name]
// |   1 | count(all-gather, axs=model) == 0
// |     |                   ^~~
// | help: did you mean `axis`?
// | help: known are `axis`, `cause`, `in_loop`, `user`, `not`
// ==== shardwright check %s --assert "peak <= 0.9*capacity"
// ---- exit 2
// ---- stderr
// | --assert:1:1: error: this is about the memory of a device, and no device is given [bad-configuration]
// |   1 | peak <= 0.9*capacity
// |     | ^~~~~~~~~~~~~~~~~~~~
// | help: `--hardware h100`; `shardwright hardware` names what is known
// ==== shardwright check %s --hardware h100 --assert "peak <= 0.9" --assert "peak <= 0.9 *" --assert "peak" --assert "peak = 3" --assert "peak <= 3 GiBs" --assert "peak <= 3GiB 4" --assert "peak * peak < 3GiB" --assert "1/0 > 2" --assert "peak + 3 < 1GiB" --assert "bytes(any) == 0"
// ---- exit 2
// ---- stderr
// | --assert:1:1: error: bytes are compared with the number 0.9 [bad-configuration]
// |   1 | peak <= 0.9
// |     | ^~~~~~~~~~~
// | help: did you mean `0.9*capacity`?
// | --assert:1:14: error: expected a measure, found the end of the assertion [syntax]
// |   1 | peak <= 0.9 *
// |     |              ^
// | --assert:1:5: error: expected a comparison, found the end of the assertion [syntax]
// |   1 | peak
// |     |     ^
// | help: one of <=, <, >=, >, ==, !=
// | --assert:1:6: error: expected a comparison, found `=` [syntax]
// |   1 | peak = 3
// |     |      ^
// | help: `==` compares
// | --assert:1:11: error: `GiBs` is not a unit of bytes [unknown-name]
// |   1 | peak <= 3 GiBs
// |     |           ^~~~
// | help: units are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB
// | --assert:1:14: error: expected the end of the assertion, found `4` [syntax]
// |   1 | peak <= 3GiB 4
// |     |              ^
// | help: give several assertions as several `--assert`
// | --assert:1:1: error: bytes are multiplied by bytes [bad-configuration]
// |   1 | peak * peak < 3GiB
// |     | ^~~~~~~~~~~~
// | --assert:1:1: error: division by zero [bad-configuration]
// |   1 | 1/0 > 2
// |     | ^~~~
// | --assert:1:1: error: bytes and a number are added [bad-configuration]
// |   1 | peak + 3 < 1GiB
// |     | ^~~~~~~~~
// | help: a number of bytes has a unit: 2GiB, 500 MB
// ==== shardwright check %s --hardware cpu --assert "peak <= 0.9*capacity"
// ---- exit 2
// ---- stderr
// | --assert:1:1: error: `cpu` has no capacity that this could be compared with [bad-configuration]
// |   1 | peak <= 0.9*capacity
// |     | ^~~~~~~~~~~~~~~~~~~~
// ==== shardwright check %s --assert "no finding full-remt" --assert "no findings" --assert "findings(nothing) == 0" --assert "memory(weights) < 1GiB" --assert "count(any, cause=halos) == 0" --assert "count(any, not axis=x) == 0"
// ---- exit 2
// ---- stderr
// | --assert:1:12: error: `full-remt` is not a lint rule [unknown-name]
// |   1 | no finding full-remt
// |     |            ^~~~~~~~~
// | help: did you mean `full-remat`?
// | help: known are `under-constrained`, `silent-replication`, `axis-conflict`, `unused-axis`, `constraint-ignored`, `loop-carry-resharded`, `full-remat`, `donation-missed`, `replicated-optimizer-state`, `large-unsharded`, `tile-padding`, `miscompiled`
// | --assert:1:4: error: expected `finding`, found `findings` [syntax]
// |   1 | no findings
// |     |    ^~~~~~~~
// | --assert:1:10: error: `nothing` is not a lint rule [unknown-name]
// |   1 | findings(nothing) == 0
// |     |          ^~~~~~~
// | help: known are `under-constrained`, `silent-replication`, `axis-conflict`, `unused-axis`, `constraint-ignored`, `loop-carry-resharded`, `full-remat`, `donation-missed`, `replicated-optimizer-state`, `large-unsharded`, `tile-padding`, `miscompiled`
// | --assert:1:8: error: `weights` is not a category of memory [unknown-name]
// |   1 | memory(weights) < 1GiB
// |     |        ^~~~~~~
// | help: known are `parameters`, `optimizer-state`, `batch`, `outputs`, `activations`, `gradients`, `collective-buffers`, `loop-carries`, `scratch`
// | --assert:1:18: error: `halos` is not a cause [unknown-name]
// |   1 | count(any, cause=halos) == 0
// |     |                  ^~~~~
// | help: did you mean `halo`?
// | help: known are `reshard`, `result`, `contraction`, `reduction`, `halo`, `masked_rows`, `partial_updates`, `full_replication`, `loop_state`, `output`, `user`, `as_read`
// | --assert:1:20: error: `not` stands before `in_loop` or `user` [syntax]
// |   1 | count(any, not axis=x) == 0
// |     |                    ^
// ==== shardwright check %s --assert "spec(x) == P()" --assert "spec(\"x\") < P()" --assert "1 + spec(\"x\") == 2" --assert "spec(\"x\") =="
// ---- exit 2
// ---- stderr
// | --assert:1:6: error: expected the name of a value in double quotes [syntax]
// |   1 | spec(x) == P()
// |     |      ^
// | --assert:1:11: error: expected `==`, found `<` [syntax]
// |   1 | spec("x") < P()
// |     |           ^
// | --assert:1:5: error: `spec` stands alone on the left of `==` or `!=` [syntax]
// |   1 | 1 + spec("x") == 2
// |     |     ^~~~
// | --assert:1:13: error: expected a sharding, found the end of the assertion [syntax]
// |   1 | spec("x") ==
// |     |             ^
// | help: P(None, 'x')
// ==== shardwright check %s --assert "spec(\"params['v']\") == P()"
// ---- exit 2
// ---- stderr
// | --assert:1:7: error: nothing in the program is called `params['v']` [unknown-name]
// |   1 | spec("params['v']") == P()
// |     |       ^~~~~~~~~~~
// | help: did you mean `params['w']`?
// | help: a value as the file spells it (`%12`, `%12#1`), an argument (`params['w1']`), an output (`result[0]`), a line (`61`, `model.py:41`)
// ==== shardwright check %s --assert "spec(\"x\") == P('modle', None)"
// ---- exit 2
// ---- stderr
// | --assert:1:16: error: the mesh has no axis `modle` [unknown-axis]
// |   1 | spec("x") == P('modle', None)
// |     |                ^~~~~~~
// | help: its axes are `model`=4
// ==== shardwright check %s --assert "spec(\"x\") == P(None, None, 'model')"
// ---- exit 2
// ---- stderr
// | --assert:1:14: error: the spec has 3 entries, `x` has 2 dimensions [sharding-rank]
// |   1 | spec("x") == P(None, None, 'model')
// |     |              ^~~~~~~~~~~~~~~~~~~~~~
// ==== shardwright check %s --assert "é < 1" --assert "" --assert "((1) < 2"
// ---- exit 2
// ---- stderr
// | --assert:1:1: error: expected a measure, found `é` [syntax]
// |   1 | é < 1
// |     | ^
// | --assert:1:1: error: expected a measure, found the end of the assertion [syntax]
// |   1 |
// |     | ^
// | --assert:1:6: error: expected `)`, found `<` [syntax]
// |   1 | ((1) < 2
// |     |      ^
// ==== shardwright check %s --fail-on errors --format sarf --assrt x
// ---- exit 2
// ---- stderr
// | error: unknown option `--assrt` of `check` [unknown-name]
// | help: did you mean `--assert`?
// | error: unknown value `errors` of `--fail-on` [unknown-name]
// | help: did you mean `error`?
// | help: expected one of `error`, `warning`, `note`, `never`
// | error: unknown value `sarf` of `--format` [unknown-name]
// | help: did you mean `sarif`?
// | help: expected one of `text`, `json`, `markdown`, `sarif`, `junit`, `github`
// ==== shardwright check %s --baseline missing.json
// ---- exit 2
// ---- stderr
// | error: cannot read `missing.json`: no such file or directory [cannot-read-file]
// ==== shardwright check %s --baseline %s
// ---- exit 2
// ---- stderr
// | errors.mlir:1:1: error: not valid JSON [bad-configuration]
// |   1 | // What is wrong with a budget, an assertion, a device: where in it, and what was meant. All of one command ...
// |     | ^
// | help: `check --write-baseline FILE` writes one
