// What JAX lowers with Shardy off is planned with GSPMD, and Shardy says that it does not read such shardings.
// RUN: shardwright plan %s
// RUN: shardwright plan %s --partitioner shardy
// RUN: shardwright diff %s --partitioners gspmd,shardy
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %arg1: tensor<16x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// ==== shardwright plan %s
// ---- exit 0
// ---- stdout
// | f  ·  gspmd_text.mlir (StableHLO, 1 operation)  ·  GSPMD
// |
// |   arguments  640 B on a device, of 1.0 KiB in 2 arguments
// |   values     2 sharded, 1 whole on every device
// |
// |   collectives    none
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[8,16]  [2,16]       {devices=[4,1]<=[4]}
// |     %arg1    f32[16,8]  [16,8]       {replicated}
// |
// |   results      global    on a device  spec
// |     result[0]  f32[8,8]  [2,8]        {devices=[4,1]<=[4]}
// ==== shardwright plan %s --partitioner shardy
// ---- exit 0
// ---- stdout
// | f  ·  gspmd_text.mlir (StableHLO, 1 operation)  ·  Shardy
// |
// |   no shardings    Shardy does not read those of this file, which are GSPMD's (`mhlo.sharding`)
// |   to use them     shardwright plan gspmd_text.mlir --partitioner gspmd
// |
// |   arguments  1.0 KiB on a device, of 1.0 KiB in 2 arguments
// |
// |   collectives    none
// |
// |   arguments  global     on a device  spec
// |     %arg0    f32[8,16]  [8,16]       P()
// |     %arg1    f32[16,8]  [16,8]       P()
// |
// |   results      global    on a device  spec
// |     result[0]  f32[8,8]  [8,8]        P()
// ==== shardwright diff %s --partitioners gspmd,shardy
// ---- exit 1
// ---- stdout
// | GSPMD and Shardy differ on 2 of 3 values and on 1 result of main; Shardy does not read the shardings of this file, which are GSPMD's: lower the program with Shardy to compare.
// |
// |   1  %arg0  f32[8,16]   argument
// |      GSPMD   {devices=[4,1]<=[4]}  128 B
// |      Shardy  P()                   512 B
// |      how GSPMD came to it
// |        4 tiles on dimension 0  from  %arg0  argument  annotated
// |      1 more follow from it
// |        %0  dot_general  line 7  {devices=[4,1]<=[4]}  P()  +192 B
// |
// |   results of main
// |                 GSPMD                 Shardy
// |      result[0]  {devices=[4,1]<=[4]}  P()
// |
// |   no collectives on either side
// |
// |   No single pin was found that makes them agree more (0 tried).
