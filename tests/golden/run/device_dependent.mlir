// A program that asks which device it runs on means nothing as a whole: its sum depends on where the pieces are. The
// first value that differs is the sum, not what is made of it.
// RUN: shardwright run %s --every-value
// RUN: shardwright run %s --every-value --format json
module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<ui32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %2 = stablehlo.add %arg0, %1 : tensor<4xui32>
    %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xui32>, tensor<ui32>) -> tensor<ui32>
    %4 = stablehlo.add %3, %3 : tensor<ui32>
    return %4 : tensor<ui32>
  }
}
// ==== shardwright run %s --every-value
// ---- exit 1
// ---- stdout
// | f  ·  device_dependent.mlir (StableHLO, 7 operations)  ·  mesh x=2 (2 devices)  ·  Shardy
// |
// |   results        0 of 1 as the program computes them, on every device (within 1e-10 of the largest magnitude; integers exactly)
// |   values         4 of 6 on the way as the program computes them, in every piece, each time
// |   inputs         random, seed 0, floats from -1 to 1
// |   moved          1 all-reduce (8 B), between all devices
// |   memory         16 B at most, on device 0; 24 B expected before the run
// |
// |   the first value that differs is `%3`, line 12, u32[]: off by 6.4e-10, on device 0: 3117245263 instead of 3117245261
// |
// |   results, the least exact first
// |     result[0]  u32[]  off by 2.1e-09, 2 of 2 wrong  absolute 4  on device 0: 1939523230 instead of 1939523226
// ==== shardwright run %s --every-value --format json
// ---- exit 1
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "file": "device_dependent.mlir",
// |   "partitioner": "shardy",
// |   "devices": 2,
// |   "agrees": false,
// |   "tolerance": 1e-10,
// |   "inputs": {
// |     "random": true,
// |     "seed": 0,
// |     "floats": "symmetric"
// |   },
// |   "miscompiled": [],
// |   "memory": {
// |     "measured_bytes": 16,
// |     "device": 0,
// |     "expected_bytes": 24,
// |     "by_device": [16, 16]
// |   },
// |   "collectives": [
// |     {"kind": "all-reduce", "result": "u32[]", "executions": 1, "moved_bytes": 8}
// |   ],
// |   "outputs": [
// |     {"name": "result[0]", "element": "u32", "dims": [], "agrees": false, "compared": 2, "wrong": 2, "largest": 1.93952323e+09, "absolute": 4, "relative": 2.06236252e-09, "relative_in_f64": 2.06236252e-09, "worst": {"at": [], "device": 0, "expected": "1939523226", "found": "1939523230"}}
// |   ],
// |   "values": {
// |     "compared": 6,
// |     "not_lined_up": 0,
// |     "without_room": 0,
// |     "differing": [{"name": "%3", "line": 12, "element": "u32", "dims": [], "times": 1, "worst_time": 0, "agrees": false, "compared": 2, "wrong": 2, "largest": 3.11724526e+09, "absolute": 2, "relative": 6.41592121e-10, "relative_in_f64": 6.41592121e-10, "worst": {"at": [], "device": 0, "expected": "3117245261", "found": "3117245263"}}, {"name": "%4", "line": 13, "element": "u32", "dims": [], "times": 1, "worst_time": 0, "agrees": false, "compared": 2, "wrong": 2, "largest": 1.93952323e+09, "absolute": 4, "relative": 2.06236252e-09, "relative_in_f64": 2.06236252e-09, "worst": {"at": [], "device": 0, "expected": "1939523226", "found": "1939523230"}}]
// |   }
// | }
