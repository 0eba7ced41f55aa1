// One finding of each rule that one plan can show, and values that depend on the partitioner.
// RUN: shardwright lint %s
// RUN: shardwright lint %s --format json
// RUN: shardwright lint --list
// RUN: shardwright lint --explain silent-replication
// RUN: shardwright lint --explain silent-replicatoin
module @jit_step {
  sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2, "idle"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}]>} loc("batch"),
                         %arg1: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>} loc("state"),
                         %arg2: tensor<7x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>} loc("odd")) -> (tensor<64x32xf32>, tensor<7x32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<64x32xf32> loc("jit(step)/add"("model.py":7:4 to :12))
    %1 = stablehlo.tanh %0 : tensor<64x32xf32> loc("jit(step)/tanh"("model.py":8:4 to :12))
    return %1, %arg2 : tensor<64x32xf32>, tensor<7x32xf32>
  }
}
// ==== shardwright lint %s
// ---- exit 1
// ---- stdout
// | step  ·  lint.mlir (StableHLO, 2 operations)  ·  mesh a=2 × b=2 × c=2 × idle=4 (32 devices)  ·  Shardy
// |
// |     silent-replication    argument   odd: dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it (384 B on each device)
// |                           └ make the extent a multiple of 2, or shard another dimension
// |     unused-axis           mesh axis `idle` (4 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |     under-constrained     model.py:7   %0 add: 2 values depend on the partitioner or on the order of propagation, from here on (4.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P(('a', 'b'), 'c'))  # x: add %0
// |     under-constrained     argument   odd: 1 value depends on the partitioner or on the order of propagation, from here on (384 B on each device)
// |                           └ odd = jax.lax.with_sharding_constraint(odd, P())
// ==== shardwright lint %s --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "silent-replication",
// |     "severity": "warning",
// |     "line": 11,
// |     "source": null,
// |     "value": "odd",
// |     "message": "dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it",
// |     "bytes": 384,
// |     "fix": "make the extent a multiple of 2, or shard another dimension"
// |   },
// |   {
// |     "rule": "unused-axis",
// |     "severity": "warning",
// |     "line": null,
// |     "source": null,
// |     "value": null,
// |     "message": "mesh axis `idle` (4 devices) cuts no value of the program",
// |     "bytes": 0,
// |     "fix": "annotate an argument with it, for example the batch, or leave it out of the mesh"
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 12,
// |     "source": "model.py:7",
// |     "value": "%0",
// |     "message": "2 values depend on the partitioner or on the order of propagation, from here on",
// |     "bytes": 4096,
// |     "fix": "x = jax.lax.with_sharding_constraint(x, P(('a', 'b'), 'c'))  # x: add %0"
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 11,
// |     "source": null,
// |     "value": "odd",
// |     "message": "1 value depends on the partitioner or on the order of propagation, from here on",
// |     "bytes": 384,
// |     "fix": "odd = jax.lax.with_sharding_constraint(odd, P())"
// |   }
// | ]
// ==== shardwright lint --list
// ---- exit 0
// ---- stdout
// | under-constrained     the sharding depends on the partitioner or on the order of propagation
// | silent-replication    an axis was asked for and dropped, so every device holds the whole
// | unused-axis           a mesh axis shards nothing, so its devices repeat one another's work
// | constraint-ignored    a with_sharding_constraint is not what the value got
// | loop-carry-resharded  a value carried round a loop changes its sharding in each iteration
// ==== shardwright lint --explain silent-replication
// ---- exit 0
// ---- stdout
// | silent-replication: an axis was asked for and dropped, so every device holds the whole
// |
// | An annotation names an axis that does not divide the dimension, and the partitioner dropped it without a word. Every
// | device along that axis holds a copy. Make the extent a multiple of the axis, or shard another dimension.
// ==== shardwright lint --explain silent-replicatoin
// ---- exit 2
// ---- stderr
// | error: unknown lint rule `silent-replicatoin` [unknown-name]
// | help: did you mean `silent-replication`?
// | help: `shardwright lint --list` names them
