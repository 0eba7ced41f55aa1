// GSPMD gives up a constraint on a result that the axis does not divide.
// RUN: shardwright lint %s --partitioner gspmd
module @jit_step {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("a")) -> (tensor<7x8xf32>) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<7x8xf32> loc("jit(step)/c"("model.py":3:4 to :12))
    return %0 : tensor<7x8xf32>
  }
}
// ==== shardwright lint %s --partitioner gspmd
// ---- exit 1
// ---- stdout
// | step  ·  constraint_ignored.mlir (StableHLO, 1 operation)  ·  mesh x=2 × y=2 (4 devices)  ·  GSPMD
// |
// |     constraint-ignored    model.py:3   %0 sharding_constraint: constrained to P('x', None), but it is P() (96 B on each device)
// |                           └ look for a second constraint on the same value: shardwright explain names what won
// |     under-constrained     model.py:3   %0 sharding_constraint: 1 value depends on the partitioner or on the order of propagation: P() by GSPMD and 6 more or P('x', None) by Shardy and 8 more (128 B to 224 B on each device)
// |                           └ annotate what these values are computed from: pins that settle it were not found in 10 propagations
