// One program, every form of answer. The weights are cut by `model`, so that the product is added up over it in each step of the loop.
// RUN: shardwright check %s --hardware h100 --hardware tpu-v5e --assert "argument <= 0.5*capacity" --assert "count(all-reduce, axis=model, in_loop) == 0" --assert "spec(\"params['w']\") == P('model', None)" --assert "spec(\"result[0]\") == P('data')" --assert "no finding"
// RUN: shardwright check %s --assert "runs(all-reduce) == 3" --assert "bytes(any, user) == 0" --assert "count(all-reduce, not in_loop, cause=contraction) + 1 > 0" --assert "devices == 2*4/2+4" --assert "findings(full-remat) == 0"
// RUN: shardwright check %s --assert "count(all-reduce) == 0" --assert "no finding unused-axis" --format github
// RUN: shardwright check %s --hardware h100 --assert "count(all-reduce) == 0" --format junit
// RUN: shardwright check %s --assert "count(all-reduce) == 0" --format markdown
// RUN: shardwright check %s --assert "spec(\"%0#1\") != P('data', None)" --format json
// RUN: shardwright check %s --assert "spec(\"result[0]\") == P()" --format sarif
// RUN: shardwright check %s --partitioner gspmd --assert "spec(\"result[0]\") == P('data', None)" --assert "spec(\"params['w']\") == [{}, {}]"
// RUN: shardwright check %s --format text --format json=%t/a.json --format sarif=%t/b.sarif --format junit=%t/c.xml
module @jit_step {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
                         %arg1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w']"))
      -> (tensor<8x64xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1) : tensor<i32>, tensor<8x64xf32>, tensor<64x64xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.dot_general %iterArg_2, %iterArg_3, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32> loc("jit(step)/dot"("model.py":7:4 to :12))
      %3 = stablehlo.tanh %2 : tensor<8x64xf32> loc("jit(step)/tanh"("model.py":8:4 to :12))
      %4 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      stablehlo.return %4, %3, %iterArg_3 : tensor<i32>, tensor<8x64xf32>, tensor<64x64xf32>
    }
    return %0#1 : tensor<8x64xf32>
  }
}
// ==== shardwright check %s --hardware h100 --hardware tpu-v5e --assert "argument <= 0.5*capacity" --assert "count(all-reduce, axis=model, in_loop) == 0" --assert "spec(\"params['w']\") == P('model', None)" --assert "spec(\"result[0]\") == P('data')" --assert "no finding"
// ---- exit 1
// ---- stdout
// | step  ·  check.mlir (StableHLO, 8 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// |   memory
// |     passed  7.3 KiB needed, 78.7 GiB usable on h100
// |     passed  108.0 KiB needed, 15.8 GiB usable on tpu-v5e
// |
// |   assertions
// |     passed  argument <= 0.5*capacity   h100: 5.0 KiB <= 39.6 GiB
// |     passed  argument <= 0.5*capacity   tpu-v5e: 10.0 KiB <= 8.0 GiB
// |     FAILED  count(all-reduce, axis=model, in_loop) == 0   not so: 1 == 0
// |             all-reduce over {model} f32[4,64], model.py:7, 3 times a step: dot_general sums over a sharded dimension
// |     passed  spec("params['w']") == P('model', None)   P('model', None)
// |     passed  spec("result[0]") == P('data')   P('data', None)
// |     passed  no finding   none
// |
// |   failed: 1 of 6 assertions; 2 targets fit
// ==== shardwright check %s --assert "runs(all-reduce) == 3" --assert "bytes(any, user) == 0" --assert "count(all-reduce, not in_loop, cause=contraction) + 1 > 0" --assert "devices == 2*4/2+4" --assert "findings(full-remat) == 0"
// ---- exit 0
// ---- stdout
// | step  ·  check.mlir (StableHLO, 8 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// |   assertions
// |     passed  runs(all-reduce) == 3   3 == 3
// |     passed  bytes(any, user) == 0   0 B == 0 B
// |     passed  count(all-reduce, not in_loop, cause=contraction) + 1 > 0   1 > 0
// |     passed  devices == 2*4/2+4   8 == 8
// |     passed  findings(full-remat) == 0   0 == 0
// |
// |   passed: 5 assertions hold
// ==== shardwright check %s --assert "count(all-reduce) == 0" --assert "no finding unused-axis" --format github
// ---- exit 1
// ---- stdout
// | ::error file=model.py,line=7,title=assertion-failed::count(all-reduce) == 0: not so: 1 == 0%0Aall-reduce over {model} f32[4,64], model.py:7, 3 times a step: dot_general sums over a sharded dimension
// | ::notice title=shardwright check::failed: 1 of 2 assertions
// ==== shardwright check %s --hardware h100 --assert "count(all-reduce) == 0" --format junit
// ---- exit 1
// ---- stdout
// | <?xml version="1.0" encoding="UTF-8"?>
// | <testsuites>
// |   <testsuite name="memory" package="shardwright" id="0" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="0" errors="0" skipped="0" time="0">
// |     <properties/>
// |     <testcase name="fits" classname="memory.h100" time="0"/>
// |     <system-out/>
// |     <system-err/>
// |   </testsuite>
// |   <testsuite name="assertions" package="shardwright" id="1" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="1" errors="0" skipped="0" time="0">
// |     <properties/>
// |     <testcase name="count(all-reduce) == 0" classname="assertion" time="0">
// |       <failure message="not so: 1 == 0" type="assertion-failed">model.py:7: not so: 1 == 0
// |   all-reduce over {model} f32[4,64], model.py:7, 3 times a step: dot_general sums over a sharded dimension
// | </failure>
// |     </testcase>
// |     <system-out/>
// |     <system-err/>
// |   </testsuite>
// |   <testsuite name="findings" package="shardwright" id="2" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="12" failures="0" errors="0" skipped="2" time="0">
// |     <properties/>
// |     <testcase name="under-constrained" classname="lint" time="0"><skipped/></testcase>
// |     <testcase name="silent-replication" classname="lint" time="0"/>
// |     <testcase name="axis-conflict" classname="lint" time="0"/>
// |     <testcase name="unused-axis" classname="lint" time="0"/>
// |     <testcase name="constraint-ignored" classname="lint" time="0"/>
// |     <testcase name="loop-carry-resharded" classname="lint" time="0"/>
// |     <testcase name="full-remat" classname="lint" time="0"/>
// |     <testcase name="donation-missed" classname="lint" time="0"/>
// |     <testcase name="replicated-optimizer-state" classname="lint" time="0"/>
// |     <testcase name="large-unsharded" classname="lint" time="0"/>
// |     <testcase name="tile-padding" classname="lint" time="0"><skipped/></testcase>
// |     <testcase name="miscompiled" classname="lint" time="0"/>
// |     <system-out/>
// |     <system-err/>
// |   </testsuite>
// | </testsuites>
// ==== shardwright check %s --assert "count(all-reduce) == 0" --format markdown
// ---- exit 1
// ---- stdout
// | ### shardwright check
// |
// | step  ·  check.mlir (StableHLO, 8 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// | **failed: 1 of 1 assertion**
// |
// | |  | what | where |  |
// | | --- | --- | --- | --- |
// | | FAILED | count(all-reduce) == 0 | model.py:7 | not so: 1 == 0; all-reduce over {model} f32[4,64], model.py:7, 3 times a step: dot_general sums over a sharded dimension |
// ==== shardwright check %s --assert "spec(\"%0#1\") != P('data', None)" --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "check.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {"name": "mesh", "axes": [{"name": "data", "size": 2}, {"name": "model", "size": 4}], "device_ids": null}
// |   ],
// |   "passed": true,
// |   "exit_code": 0,
// |   "verdict": "passed: 1 assertion holds",
// |   "targets": [],
// |   "items": [
// |     {"kind": "assertion", "outcome": "passed", "severity": "error", "rule": "assertion-failed", "title": "spec(\"%0#1\") != P('data', None)", "target": null, "value": null, "message": "P('data', 'model')", "file": "check.mlir", "line": 1, "bytes": 0, "notes": [], "fixes": [], "key": null, "flows": []}
// |   ]
// | }
// ==== shardwright check %s --assert "spec(\"result[0]\") == P()" --format sarif
// ---- exit 1
// ---- stdout
// | {
// |   "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
// |   "version": "2.1.0",
// |   "runs": [
// |     {
// |       "tool": {
// |         "driver": {
// |           "name": "shardwright",
// |           "version": "0.1.0",
// |           "rules": [{"id": "out-of-memory", "shortDescription": {"text": "the program does not fit on the device"}, "fullDescription": {"text": "The bytes that the program needs at its worst moment are more than the device has left beside the reserve of the runtime."}, "defaultConfiguration": {"level": "error"}}, {"id": "over-budget", "shortDescription": {"text": "the program fits, but not within the budget"}, "fullDescription": {"text": "The bytes that the program needs are more than `--max-memory` allows."}, "defaultConfiguration": {"level": "error"}}, {"id": "assertion-failed", "shortDescription": {"text": "an assertion of `check` does not hold"}, "fullDescription": {"text": "What `--assert` says about the plan is not so."}, "defaultConfiguration": {"level": "error"}}, {"id": "under-constrained", "shortDescription": {"text": "the sharding depends on the partitioner or on the order of propagation"}, "fullDescription": {"text": "Several shardings are equally good to the partitioner, and which one comes out depends on the order in which it looks\nat the operations. GSPMD and Shardy, or two versions of either, may then differ. Found by running both in their own\norder, reversed, shuffled, backward first, without priorities, and with Shardy's basic strategy. Pin the values at the\nplaces named with jax.lax.with_sharding_constraint; the pins proposed have been tried in all of these."}, "defaultConfiguration": {"level": "warning"}}, {"id": "silent-replication", "shortDescription": {"text": "an axis was asked for and dropped, so every device holds the whole"}, "fullDescription": {"text": "An annotation names an axis that does not divide the dimension, and the partitioner dropped it without a word. Every\ndevice along that axis holds a copy. Make the extent a multiple of the axis, or shard another dimension."}, "defaultConfiguration": {"level": "warning"}}, {"id": "axis-conflict", "shortDescription": {"text": "two dimensions of an operation want one axis, and the loser is gathered"}, "fullDescription": {"text": "An axis can cut one dimension of an operation at a time. Its operands bring it on two, such as the rows of one matrix and\nthe columns of the other, so one operand is gathered along the axis, or exchanged between its dimensions, each time the\noperation runs. Shard one of the two by another axis. Gathering the weights may be what you want (FSDP);\nwhere both operands and the result are pinned, it is taken as meant."}, "defaultConfiguration": {"level": "warning"}}, {"id": "unused-axis", "shortDescription": {"text": "a mesh axis shards nothing, so its devices repeat one another's work"}, "fullDescription": {"text": "No value is cut by this axis: the devices along it compute the same. Annotate an argument with it, or leave it out."}, "defaultConfiguration": {"level": "warning"}}, {"id": "constraint-ignored", "shortDescription": {"text": "a with_sharding_constraint is not what the value got"}, "fullDescription": {"text": "The value ends up with another sharding than its constraint says, since an axis of it does not divide the dimension or\nanother constraint stands beside it."}, "defaultConfiguration": {"level": "warning"}}, {"id": "loop-carry-resharded", "shortDescription": {"text": "a value carried round a loop changes its sharding in each iteration"}, "fullDescription": {"text": "What the body returns is sharded unlike what the loop carries, so it is resharded once an iteration. Constrain the value\ninside the body to the sharding of the carry, or the initial value to that of the body."}, "defaultConfiguration": {"level": "warning"}}, {"id": "full-remat", "shortDescription": {"text": "a value is gathered whole on every device, since there is no direct way between two shardings"}, "fullDescription": {"text": "An operation wants a value in a sharding to which the partitioner knows no efficient way from the one it has, so it puts\nall of it on every device and cuts it again: what XLA logs as \"involuntary full rematerialization\". It costs the bytes\nof the whole array in memory and on the wire. Go through a sharding in between, of which each half is one exchange; the\nones proposed have been tried. Or annotate the value as its user wants it, so that nothing is moved."}, "defaultConfiguration": {"level": "warning"}}, {"id": "donation-missed", "shortDescription": {"text": "an argument is kept beside the result that replaces it"}, "fullDescription": {"text": "A result has the shape, type and sharding of an argument that is not donated, as new weights have those of the old ones, so\nboth lie in memory at once. Donated, the result takes the place of the argument: jax.jit(step, donate_argnames=('params',)).\nThe caller must not use the old array again. The bytes are exact: the results' own storage goes away."}, "defaultConfiguration": {"level": "warning"}}, {"id": "replicated-optimizer-state", "shortDescription": {"text": "every device along an axis keeps the same state of the optimizer"}, "fullDescription": {"text": "Moments and the like are as large as the weights, but no product reads them: each device may keep and update its part only\n(ZeRO, stage 1). Shard them by the axis of the batch too; the new weights are then gathered once a step. State is told by\nhaving a successor among the results and the shape of a weight, and by being read by no product."}, "defaultConfiguration": {"level": "warning"}}, {"id": "large-unsharded", "shortDescription": {"text": "a large array is whole on every device"}, "fullDescription": {"text": "An argument, or a value made from what is sharded, of at least 64 MiB and a twentieth of all arguments and results is cut by\nno axis of the mesh. Shard one of its dimensions. With data parallelism alone that is FSDP: the weights are gathered layer by\nlayer."}, "defaultConfiguration": {"level": "warning"}}, {"id": "tile-padding", "shortDescription": {"text": "an array takes twice its bytes or more in the tiles of a TPU"}, "fullDescription": {"text": "TPUs store the two innermost dimensions in tiles of 8 by 128 and choose which dimensions those are; when all are short, most\nof each tile is padding. Join dimensions, or let one be a multiple of 128. Looked for with `--hardware` of a TPU, among the\narguments and what lives at the worst moment."}, "defaultConfiguration": {"level": "warning"}}, {"id": "miscompiled", "shortDescription": {"text": "the partitioned program computes something else than the program"}, "fullDescription": {"text": "XLA's partitioner has mistakes that show under few shardings: the program compiles and runs, and its numbers are wrong.\nWhere a rule of the partitioner is known to go wrong, it is named here. Plans and emitted programs are what XLA makes;\nshardwright run computes such operations whole on every device instead, and so gets what the program says."}, "defaultConfiguration": {"level": "warning"}}]
// |         }
// |       },
// |       "invocations": [
// |         {
// |           "executionSuccessful": true,
// |           "exitCode": 1
// |         }
// |       ],
// |       "results": [
// |         {
// |           "ruleId": "assertion-failed",
// |           "ruleIndex": 2,
// |           "level": "error",
// |           "message": {"text": "spec(\"result[0]\") == P(): not so: it is P('data', None)"},
// |           "locations": [{"physicalLocation": {"artifactLocation": {"uri": "check.mlir"}, "region": {"startLine": 19}}}],
// |           "partialFingerprints": {"shardwrightKey/v1": "assertion-failed||spec(\"result[0]\") == P()"},
// |           "codeFlows": [{"threadFlows": [{"locations": [{"location": {"physicalLocation": {"artifactLocation": {"uri": "check.mlir"}, "region": {"startLine": 1}}, "message": {"text": "result[0]: `data` on dimension 0, annotated"}}}, {"location": {"physicalLocation": {"artifactLocation": {"uri": "check.mlir"}, "region": {"startLine": 19}}, "message": {"text": "%0#1  while: `data` on dimension 0, returned by the function"}}}]}]}, {"threadFlows": [{"locations": [{"location": {"physicalLocation": {"artifactLocation": {"uri": "check.mlir"}, "region": {"startLine": 19}}, "message": {"text": "%0#1  while: `model` on dimension 1, dot_general"}}}]}]}]
// |         }
// |       ],
// |       "columnKind": "unicodeCodePoints"
// |     }
// |   ]
// | }
// ==== shardwright check %s --partitioner gspmd --assert "spec(\"result[0]\") == P('data', None)" --assert "spec(\"params['w']\") == [{}, {}]"
// ---- exit 1
// ---- stdout
// | step  ·  check.mlir (StableHLO, 8 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  GSPMD
// |
// |   assertions
// |     passed  spec("result[0]") == P('data', None)   P('data', None)
// |     FAILED  spec("params['w']") == [{}, {}]   not so: it is P('model', None)
// |
// |   failed: 1 of 2 assertions
// ==== shardwright check %s --format text --format json=%t/a.json --format sarif=%t/b.sarif --format junit=%t/c.xml
// ---- exit 0
// ---- stdout
// | step  ·  check.mlir (StableHLO, 8 operations)  ·  mesh data=2 × model=4 (8 devices)  ·  Shardy
// |
// |   passed
