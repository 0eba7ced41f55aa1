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
// |     full-remat            model.py:7   %0 add: no direct way from P(('b', 'a'), None) to P(None, 'c'): gathered whole on every device (full rematerialization), by 1 all-gather; it has `b` on dimension 0 and `a` on dimension 0 from state (argument), wanted is `c` on dimension 1 from batch (argument) (8.0 KiB on each device)
// |     silent-replication    argument   odd: dimension 0 (7) was to be cut in 2 and is cut in 1, since 2 does not divide it (384 B on each device)
// |                           └ make the extent a multiple of 2, or shard another dimension
// |     unused-axis           mesh axis `idle` (4 devices) cuts no value of the program
// |                           └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |     under-constrained     model.py:7   %0 add: 2 values depend on the partitioner or on the order of propagation: this one is P(None, 'c') by Shardy and 7 more, P() by Shardy basic or P(('a', 'b'), 'c') by GSPMD and 6 more; with it %1 (2.0 KiB to 16.0 KiB on each device)
// |                           └ x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0
// |     under-constrained     argument   odd: 1 value depends on the partitioner or on the order of propagation: P() by Shardy and 8 more or P('a', None) by GSPMD and 6 more (512 B to 896 B on each device)
// |                           └ odd = jax.lax.with_sharding_constraint(odd, P())
// ==== shardwright lint %s --format json
// ---- exit 1
// ---- stdout
// | [
// |   {
// |     "rule": "full-remat",
// |     "severity": "warning",
// |     "line": 12,
// |     "source": "model.py:7",
// |     "value": "%0",
// |     "message": "no direct way from P(('b', 'a'), None) to P(None, 'c'): gathered whole on every device (full rematerialization), by 1 all-gather; it has `b` on dimension 0 and `a` on dimension 0 from state (argument), wanted is `c` on dimension 1 from batch (argument)",
// |     "bytes": 8192,
// |     "fix": null
// |   },
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
// |     "message": "2 values depend on the partitioner or on the order of propagation: this one is P(None, 'c') by Shardy and 7 more, P() by Shardy basic or P(('a', 'b'), 'c') by GSPMD and 6 more; with it %1",
// |     "bytes": 14336,
// |     "fix": "x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0",
// |     "bytes_least": 2048,
// |     "bytes_most": 16384,
// |     "values": [{"value": "%0", "line": 12, "source": "model.py:7", "outcomes": [{"sharding": "P(None, 'c')", "bytes": 4096, "ways": ["Shardy", "Shardy reversed", "Shardy backward first", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic first"]}, {"sharding": "P()", "bytes": 8192, "ways": ["Shardy basic"]}, {"sharding": "P(('a', 'b'), 'c')", "bytes": 1024, "ways": ["GSPMD", "GSPMD reversed", "GSPMD backward first", "GSPMD shuffled 1", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}]}, {"value": "%1", "line": 13, "source": "model.py:8", "outcomes": [{"sharding": "P(None, 'c')", "bytes": 4096, "ways": ["Shardy", "Shardy reversed", "Shardy backward first", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic first"]}, {"sharding": "P()", "bytes": 8192, "ways": ["Shardy basic"]}, {"sharding": "P(('a', 'b'), 'c')", "bytes": 1024, "ways": ["GSPMD", "GSPMD reversed", "GSPMD backward first", "GSPMD shuffled 1", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}]}],
// |     "pins": [{"value": "%0", "line": 12, "source": "model.py:7", "spec": "P(None, 'c')", "flag": "--pin \"%0=P(None, 'c')\"", "code": "x = jax.lax.with_sharding_constraint(x, P(None, 'c'))  # x: add %0"}]
// |   },
// |   {
// |     "rule": "under-constrained",
// |     "severity": "warning",
// |     "line": 11,
// |     "source": null,
// |     "value": "odd",
// |     "message": "1 value depends on the partitioner or on the order of propagation: P() by Shardy and 8 more or P('a', None) by GSPMD and 6 more",
// |     "bytes": 384,
// |     "fix": "odd = jax.lax.with_sharding_constraint(odd, P())",
// |     "bytes_least": 512,
// |     "bytes_most": 896,
// |     "values": [{"value": "odd", "line": 11, "source": null, "outcomes": [{"sharding": "P()", "bytes": 896, "ways": ["Shardy", "Shardy reversed", "Shardy backward first", "Shardy shuffled 1", "Shardy shuffled 2", "Shardy shuffled 3", "Shardy without priorities", "Shardy basic", "Shardy basic first"]}, {"sharding": "P('a', None)", "bytes": 512, "ways": ["GSPMD", "GSPMD reversed", "GSPMD backward first", "GSPMD shuffled 1", "GSPMD shuffled 2", "GSPMD shuffled 3", "GSPMD without levels"]}]}],
// |     "pins": [{"value": "odd", "line": 11, "source": null, "spec": "P()", "flag": "--pin \"odd=P()\"", "code": "odd = jax.lax.with_sharding_constraint(odd, P())"}]
// |   }
// | ]
// ==== shardwright lint --list
// ---- exit 0
// ---- stdout
// | under-constrained           the sharding depends on the partitioner or on the order of propagation
// | silent-replication          an axis was asked for and dropped, so every device holds the whole
// | axis-conflict               two dimensions of an operation want one axis, and the loser is gathered
// | unused-axis                 a mesh axis shards nothing, so its devices repeat one another's work
// | constraint-ignored          a with_sharding_constraint is not what the value got
// | loop-carry-resharded        a value carried round a loop changes its sharding in each iteration
// | full-remat                  a value is gathered whole on every device, since there is no direct way between two shardings
// | donation-missed             an argument is kept beside the result that replaces it
// | replicated-optimizer-state  every device along an axis keeps the same state of the optimizer
// | large-unsharded             a large array is whole on every device
// | tile-padding                an array takes twice its bytes or more in the tiles of a TPU
// | miscompiled                 the partitioned program computes something else than the program
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
