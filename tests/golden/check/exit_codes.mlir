// Exit codes and which of several counts: usage (2), input (3), output (5), out of memory (4), findings and assertions (1).
// RUN: shardwright check %s
// RUN: shardwright check %s --assert "devices == 4" --hardware tpu-v5p
// RUN: shardwright check %s --assert "devices == 5"
// RUN: shardwright check %s --fail-on warning
// RUN: shardwright check %s --fail-on never --assert "no finding"
// RUN: shardwright check %s --hardware tpu-v5e
// RUN: shardwright check %s --hardware tpu-v5e --assert "devices == 5" --fail-on note
// RUN: shardwright check %s --hardware tpu-v5p --max-memory 0.1
// RUN: shardwright check %s --hardware tpu-v5e --format json=/dev/full
// RUN: shardwright check %s --hardware tpu-v5e --assert "devices ="
// RUN: shardwright check missing.mlir --assert "devices == 4"
// RUN: shardwright check missing.mlir --assert "devices ="
// RUN: shardwright check missing.mlir --hardware tpu-v5f
// RUN: shardwright check %s --write-baseline %t/lock.json -q && cat %t/lock.json && shardwright check %s --baseline %t/lock.json --fail-on warning
// RUN: shardwright check %s --write-baseline %t/lock.json -q > /dev/null && shardwright check %s --baseline %t/lock.json --fail-on warning --pin "%0=P('x')"
// RUN: shardwright check %s --write-baseline %t/none/lock.json
module @jit_step {
  sdy.mesh @mesh = <["x"=4, "y"=1]>
  func.func public @main(%arg0: tensor<131072x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"),
                         %arg1: tensor<131072x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("b"))
      -> (tensor<131072x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<131072x65536xf32> loc("jit(step)/add"("model.py":3:4 to :12))
    return %0 : tensor<131072x65536xf32>
  }
}
// ==== shardwright check %s
// ---- exit 0
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   passed: 1 finding
// ==== shardwright check %s --assert "devices == 4" --hardware tpu-v5p
// ---- exit 0
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   memory
// |     passed  24.0 GiB needed, 95.7 GiB usable on tpu-v5p
// |
// |   assertions
// |     passed  devices == 4   4 == 4
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   passed: 1 target fits, 1 assertion holds, 1 finding
// ==== shardwright check %s --assert "devices == 5"
// ---- exit 1
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   assertions
// |     FAILED  devices == 5   not so: 4 == 5
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 assertion; 1 finding
// ==== shardwright check %s --fail-on warning
// ---- exit 1
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     FAILED  donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 finding
// ==== shardwright check %s --fail-on never --assert "no finding"
// ---- exit 1
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   assertions
// |     FAILED  no finding   not so: 1 finding
// |             donation-missed: a: not donated, though result[0] of the same shape and sharding could take its place
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 assertion; 1 finding
// ==== shardwright check %s --hardware tpu-v5e
// ---- exit 4
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  does not fit: 24.0 GiB needed, 15.8 GiB usable on tpu-v5e
// |             worst moment: alive then: parameters 8.0 GiB, batch 8.0 GiB, outputs 8.0 GiB
// |             └ 1. donate a: saves 8.0 GiB (tried): jax.jit(..., donate_argnames='a'), if the caller does not need the old values; --donate "a"
// |             └ with 1 alone: 16.0 GiB of 15.8 GiB, still too much
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 target; 1 finding
// ==== shardwright check %s --hardware tpu-v5e --assert "devices == 5" --fail-on note
// ---- exit 4
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  does not fit: 24.0 GiB needed, 15.8 GiB usable on tpu-v5e
// |             worst moment: alive then: parameters 8.0 GiB, batch 8.0 GiB, outputs 8.0 GiB
// |             └ 1. donate a: saves 8.0 GiB (tried): jax.jit(..., donate_argnames='a'), if the caller does not need the old values; --donate "a"
// |             └ with 1 alone: 16.0 GiB of 15.8 GiB, still too much
// |
// |   assertions
// |     FAILED  devices == 5   not so: 4 == 5
// |
// |   findings
// |     FAILED  donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 target, 1 of 1 assertion, 1 of 1 finding
// ==== shardwright check %s --hardware tpu-v5p --max-memory 0.1
// ---- exit 4
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  over the budget: 24.0 GiB needed, 9.6 GiB allowed, 95.7 GiB usable on tpu-v5p
// |             worst moment: alive then: parameters 8.0 GiB, batch 8.0 GiB, outputs 8.0 GiB
// |             └ 1. donate a: saves 8.0 GiB (tried): jax.jit(..., donate_argnames='a'), if the caller does not need the old values; --donate "a"
// |             └ with 1 alone: 16.0 GiB of 9.6 GiB, still too much
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   failed: 1 of 1 target; 1 finding
// ==== shardwright check %s --hardware tpu-v5e --format json=/dev/full
// ---- exit 5
// ---- stderr
// | error: cannot write `/dev/full`: no space left on device [cannot-write-file]
// ==== shardwright check %s --hardware tpu-v5e --assert "devices ="
// ---- exit 2
// ---- stderr
// | --assert:1:9: error: expected a comparison, found `=` [syntax]
// |   1 | devices =
// |     |         ^
// | help: `==` compares
// ==== shardwright check missing.mlir --assert "devices == 4"
// ---- exit 3
// ---- stderr
// | error: cannot read `missing.mlir`: no such file or directory [cannot-read-file]
// ==== shardwright check missing.mlir --assert "devices ="
// ---- exit 2
// ---- stderr
// | --assert:1:9: error: expected a comparison, found `=` [syntax]
// |   1 | devices =
// |     |         ^
// | help: `==` compares
// | error: cannot read `missing.mlir`: no such file or directory [cannot-read-file]
// ==== shardwright check missing.mlir --hardware tpu-v5f
// ---- exit 2
// ---- stderr
// | error: unknown hardware `tpu-v5f` [unknown-name]
// | help: did you mean `tpu-v5e`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
// ==== shardwright check %s --write-baseline %t/lock.json -q && cat %t/lock.json && shardwright check %s --baseline %t/lock.json --fail-on warning
// ---- exit 0
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   passed: 1 finding
// | {
// |   "schema_version": 1,
// |   "tool": "shardwright check",
// |   "findings": [
// |     {"key": "donation-missed|||a|f32[131072,65536]", "count": 1}
// |   ]
// | }
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     1 finding more that the baseline holds
// |
// |   passed: 1 finding of the baseline
// ==== shardwright check %s --write-baseline %t/lock.json -q > /dev/null && shardwright check %s --baseline %t/lock.json --fail-on warning --pin "%0=P('x')"
// ---- exit 0
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     1 finding more that the baseline holds
// |
// |   passed: 1 finding of the baseline
// ==== shardwright check %s --write-baseline %t/none/lock.json
// ---- exit 2
// ---- stdout
// | step  ·  exit_codes.mlir (StableHLO, 1 operation)  ·  mesh x=4 × y=1 (4 devices)  ·  Shardy
// |
// |   findings
// |     found   donation-missed       exit_codes.mlir:20   a: not donated, though result[0] of the same shape and sharding could take its place (8.0 GiB on each device)
// |                                   └ jax.jit(..., donate_argnames='a'), if the caller does not need the old value
// |
// |   passed: 1 finding
// ---- stderr
// | error: cannot write `tmp/none/lock.json`: no such file or directory [cannot-write-file]
