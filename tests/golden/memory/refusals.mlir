// No device, an unknown one, two; a program that says nothing about shardings.
// RUN: shardwright memory %s
// RUN: shardwright memory %s --hardware h10
// RUN: shardwright memory %s --hardware h100 --hardware a100
// RUN: shardwright memory %s --hardware h100 --partitioner none
// RUN: shardwright plan %s --hardware h10
module @jit_f {
  func.func public @main(%arg0: tensor<64x32xf32>) -> tensor<64x32xf32> {
    return %arg0 : tensor<64x32xf32>
  }
}
// ==== shardwright memory %s
// ---- exit 2
// ---- stderr
// | error: `memory` needs a device [bad-configuration]
// | help: `--hardware h100`; `shardwright hardware` names what is known
// ==== shardwright memory %s --hardware h10
// ---- exit 2
// ---- stderr
// | error: unknown hardware `h10` [unknown-name]
// | help: did you mean `h100`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
// ==== shardwright memory %s --hardware h100 --hardware a100
// ---- exit 2
// ---- stderr
// | error: `--hardware` is given more than once: this report is of one device [bad-configuration]
// | help: `shardwright check` takes several
// ==== shardwright memory %s --hardware h100 --partitioner none
// ---- exit 3
// ---- stderr
// | refusals.mlir:1:1: error: no sharding stands in this program, so there is nothing to partition it by [unsupported]
// |   1 | // No device, an unknown one, two; a program that says nothing about shardings.
// |     | ^
// | help: give arguments one, `--mesh x=2,y=4 --shard "ARGUMENT=P('x', 'y')"`
// ==== shardwright plan %s --hardware h10
// ---- exit 2
// ---- stderr
// | error: unknown hardware `h10` [unknown-name]
// | help: did you mean `h100`?
// | help: `shardwright hardware list` names what is known; a file of your own ends in `.yaml`
