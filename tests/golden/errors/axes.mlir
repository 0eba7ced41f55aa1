// Shardings whose axes cannot be: unknown, used twice, a part that does not divide, a full axis spelt as a part, a rank that
// is not the value's, a mesh that is not there.
// RUN: shardwright plan %s
module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=6]>
  func.func public @main(%arg0: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"dta"}, {}]> : tensor<64x32xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {"data"}]> : tensor<64x32xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"model":(1)4}, {}]> : tensor<64x32xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"data":(1)2}, {}]> : tensor<64x32xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"data"}, {}], replicated={"data"}> : tensor<64x32xf32>
    %5 = sdy.sharding_constraint %4 <@msh, [{"data"}, {}]> : tensor<64x32xf32>
    return %5 : tensor<64x32xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 3
// ---- stderr
// | axes.mlir:7:50: error: the mesh has no axis `dta` [unknown-axis]
// |   7 |     %0 = sdy.sharding_constraint %arg0 <@mesh, [{"dta"}, {}]> : tensor<64x32xf32>
// |     |                                                  ^~~~~
// | help: did you mean `data`?
// | axes.mlir:8:57: error: axis `data` shards two dimensions, 0 and 1 [duplicate-axis]
// |   8 |     %1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {"data"}]> : tensor<64x32xf32>
// |     |                                                         ^~~~~~
// | axes.mlir:8:47: note: first used for dimension 0 here
// | axes.mlir:9:47: error: (1)4 does not divide axis `model` of size 6: 1 x 4 = 4 [sub-axis-invalid]
// |   9 |     %2 = sdy.sharding_constraint %1 <@mesh, [{"model":(1)4}, {}]> : tensor<64x32xf32>
// |     |                                               ^~~~~~~~~~~~
// | axes.mlir:10:47: error: this part of axis `data` is all of it [sub-axis-invalid]
// |   10 |     %3 = sdy.sharding_constraint %2 <@mesh, [{"data":(1)2}, {}]> : tensor<64x32xf32>
// |      |                                               ^~~~~~~~~~~
// | help: write `"data"`
// | axes.mlir:11:73: error: axis `data` is used in dimension 0 and in the replicated axes [duplicate-axis]
// |   11 |     %4 = sdy.sharding_constraint %3 <@mesh, [{"data"}, {}], replicated={"data"}> : tensor<64x32xf32>
// |      |                                                                         ^~~~~~
// | axes.mlir:11:47: note: first used for dimension 0 here
// | axes.mlir:12:38: error: there is no mesh named `@msh` [unknown-mesh]
// |   12 |     %5 = sdy.sharding_constraint %4 <@msh, [{"data"}, {}]> : tensor<64x32xf32>
// |      |                                      ^~~~
// | help: did you mean `@mesh`?
