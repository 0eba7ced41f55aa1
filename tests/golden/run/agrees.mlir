// RUN: shardwright run %s
// RUN: shardwright run %s --partitioner gspmd --seed 3 --format json
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg2: tensor<4xi32>) -> (tensor<4x8xi32> {jax.result_info = "result"}, tensor<4xi32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x6xi32>, tensor<6x8xi32>) -> tensor<4x8xi32>
    %1 = stablehlo.negate %0 : tensor<4x8xi32>
    %2 = stablehlo.add %arg2, %arg2 : tensor<4xi32>
    return %1, %2 : tensor<4x8xi32>, tensor<4xi32>
  }
}
// ==== shardwright run %s
// ---- exit 0
// ---- stdout
// | step  ·  agrees.mlir (StableHLO, 3 operations)  ·  mesh x=2 × y=2 (4 devices)  ·  Shardy
// |
// |   results        2 of 2 as the program computes them, on every device (within 1e-10 of the largest magnitude; integers exactly)
// |   inputs         random, seed 0, floats from -1 to 1
// |   moved          1 all-reduce (256 B), between all devices
// |   memory         136 B at most, on device 0; 200 B expected before the run
// |
// |   results, the least exact first
// |     result     s32[4,8]  equal
// |     result[1]  s32[4]    equal
// ==== shardwright run %s --partitioner gspmd --seed 3 --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "file": "agrees.mlir",
// |   "partitioner": "gspmd",
// |   "devices": 4,
// |   "agrees": true,
// |   "tolerance": 1e-10,
// |   "inputs": {
// |     "random": true,
// |     "seed": 3,
// |     "floats": "symmetric"
// |   },
// |   "miscompiled": [],
// |   "memory": {
// |     "measured_bytes": 136,
// |     "device": 0,
// |     "expected_bytes": 200,
// |     "by_device": [136, 136, 136, 136]
// |   },
// |   "collectives": [
// |     {"kind": "all-reduce", "result": "s32[2,8]", "executions": 1, "moved_bytes": 256}
// |   ],
// |   "outputs": [
// |     {"name": "result", "element": "s32", "dims": [4, 8], "agrees": true, "compared": 64, "wrong": 0, "largest": 108, "absolute": 0, "relative": 0, "worst": null},
// |     {"name": "result[1]", "element": "s32", "dims": [4], "agrees": true, "compared": 16, "wrong": 0, "largest": 6, "absolute": 0, "relative": 0, "worst": null}
// |   ]
// | }
