// Values on the way; the loop makes its own three times.
// RUN: shardwright run %s --every-value
// RUN: shardwright run %s --every-value --format json
// RUN: shardwright run %s --every-value --backend xla-gpu
module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<6xi32>
    cond {
      %2 = stablehlo.compare LT, %iterArg, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.reverse %iterArg_0, dims = [0] : tensor<6xi32>
      %3 = stablehlo.add %2, %iterArg_0 : tensor<6xi32>
      %4 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<6xi32>
    }
    %1 = stablehlo.negate %0#1 : tensor<6xi32>
    return %1 : tensor<6xi32>
  }
}
// ==== shardwright run %s --every-value
// ---- exit 0
// ---- stdout
// | f  ·  every_value.mlir (StableHLO, 9 operations)  ·  mesh x=2 (2 devices)  ·  Shardy
// |
// |   results        1 of 1 as the program computes them, on every device (within 1e-10 of the largest magnitude; integers exactly)
// |   values         12 of 12 on the way as the program computes them, in every piece, each time
// |   inputs         random, seed 0, floats from -1 to 1
// |   moved          3 collective-permute (72 B), between all devices
// |   memory         29 B at most, on device 0; 60 B expected before the run
// |
// |   results, the least exact first
// |     result[0]  s32[6]  equal
// ==== shardwright run %s --every-value --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "file": "every_value.mlir",
// |   "partitioner": "shardy",
// |   "devices": 2,
// |   "agrees": true,
// |   "tolerance": 1e-10,
// |   "inputs": {
// |     "random": true,
// |     "seed": 0,
// |     "floats": "symmetric"
// |   },
// |   "miscompiled": [],
// |   "memory": {
// |     "measured_bytes": 29,
// |     "device": 0,
// |     "expected_bytes": 60,
// |     "by_device": [29, 29]
// |   },
// |   "collectives": [
// |     {"kind": "collective-permute", "result": "s32[3]", "executions": 3, "moved_bytes": 72}
// |   ],
// |   "outputs": [
// |     {"name": "result[0]", "element": "s32", "dims": [6], "agrees": true, "compared": 6, "wrong": 0, "largest": 36, "absolute": 0, "relative": 0, "worst": null}
// |   ],
// |   "values": {
// |     "compared": 12,
// |     "not_lined_up": 0,
// |     "without_room": 0,
// |     "differing": []
// |   }
// | }
// ==== shardwright run %s --every-value --backend xla-gpu
// ---- exit 2
// ---- stderr
// | error: `--every-value` compares what the partitioner leaves; after `--backend` values are not found again [bad-configuration]
