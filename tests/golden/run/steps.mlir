// Step after step: results go to the arguments whose memory they take, scalars that do not are a curve.
// RUN: shardwright run %s --steps 3 --all
// RUN: shardwright run %s --steps 2 --format json
// RUN: shardwright run %s --steps 2 --feed 0-1=0-1
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<4xi32> {jax.buffer_donor = true}, %arg2: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xi32> {jax.result_info = "w"}, tensor<4xi32> {jax.result_info = "n", sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<f32> {jax.result_info = "loss"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.add %arg0, %arg2 : tensor<8xi32>
    %1 = stablehlo.add %arg1, %arg1 : tensor<4xi32>
    %2 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>
    return %0, %1, %3 : tensor<8xi32>, tensor<4xi32>, tensor<f32>
  }
}
// ==== shardwright run %s --steps 3 --all
// ---- exit 0
// ---- stdout
// | step  ·  steps.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  Shardy
// |
// |   results        3 of 3 as the program computes them, on every device (within 1e-05 of the largest magnitude; integers exactly)
// |   inputs         random, seed 0, floats from -1 to 1
// |   steps          3, each with 2 results of the one before, as the program aliases them to arguments
// |   moved          6 all-gather (384 B), between all devices
// |   memory         72 B at most, on device 0; 104 B expected before the run
// |
// |   loss step by step: equal within the tolerance
// |     step  as written  partitioned  off by
// |     1     50          50           0
// |     2     71          71           0
// |     3     92          92           0
// |
// |   results, the least exact first
// |     w     s32[8]  equal
// |     n     s32[4]  equal
// |     loss  f32[]   equal
// |
// |   what each collective moved
// |     all-gather  s32[8]  3 times  192 B
// |     all-gather  s32[8]  3 times  192 B
// ==== shardwright run %s --steps 2 --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "file": "steps.mlir",
// |   "partitioner": "shardy",
// |   "devices": 4,
// |   "agrees": true,
// |   "tolerance": 1e-05,
// |   "inputs": {
// |     "random": true,
// |     "seed": 0,
// |     "floats": "symmetric"
// |   },
// |   "miscompiled": [],
// |   "memory": {
// |     "measured_bytes": 72,
// |     "device": 0,
// |     "expected_bytes": 104,
// |     "by_device": [72, 72, 72, 72]
// |   },
// |   "collectives": [
// |     {"kind": "all-gather", "result": "s32[8]", "executions": 2, "moved_bytes": 128},
// |     {"kind": "all-gather", "result": "s32[8]", "executions": 2, "moved_bytes": 128}
// |   ],
// |   "outputs": [
// |     {"name": "w", "element": "s32", "dims": [8], "agrees": true, "compared": 32, "wrong": 0, "largest": 14, "absolute": 0, "relative": 0, "worst": null},
// |     {"name": "n", "element": "s32", "dims": [4], "agrees": true, "compared": 8, "wrong": 0, "largest": 16, "absolute": 0, "relative": 0, "worst": null},
// |     {"name": "loss", "element": "f32", "dims": [], "agrees": true, "compared": 4, "wrong": 0, "largest": 71, "absolute": 0, "relative": 0, "worst": null}
// |   ],
// |   "steps": {
// |     "count": 2,
// |     "fed_by": "aliases",
// |     "feeds": [{"result": 0, "argument": 0}, {"result": 1, "argument": 1}],
// |     "curves": [{"name": "loss", "element": "f32", "agrees": true, "compared": 2, "wrong": 0, "largest": 71, "absolute": 0, "relative": 0, "worst": null, "as_written": [50, 71], "partitioned": [50, 71]}]
// |   }
// | }
// ==== shardwright run %s --steps 2 --feed 0-1=0-1
// ---- exit 0
// ---- stdout
// | step  ·  steps.mlir (StableHLO, 6 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  Shardy
// |
// |   results        3 of 3 as the program computes them, on every device (within 1e-05 of the largest magnitude; integers exactly)
// |   inputs         random, seed 0, floats from -1 to 1
// |   steps          2, each with 2 results of the one before, as `--feed` says
// |   moved          4 all-gather (256 B), between all devices
// |   memory         72 B at most, on device 0; 104 B expected before the run
// |
// |   loss step by step: equal within the tolerance
// |     step  as written  partitioned  off by
// |     1     50          50           0
// |     2     71          71           0
// |
// |   results, the least exact first
// |     w     s32[8]  equal
// |     n     s32[4]  equal
// |     loss  f32[]   equal
