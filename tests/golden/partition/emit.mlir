// What `plan --emit` writes, so that XLA reads it: constants in every spelling, functions that HLO has no operation for,
// calls of foreign code, and a constant that XLA would have folded (%10).
// RUN: shardwright plan %s --emit partitioned.hlo
// RUN: shardwright plan %s --partitioner gspmd --emit annotated.hlo
// RUN: shardwright plan %s --emit partitioned.hlo --format json > /dev/null
// RUN: shardwright plan %s --emit partitioned.hlo=%t/a.hlo --emit annotated.hlo=%t/b.hlo -q > /dev/null
// RUN: shardwright plan %s --partitioner none --emit partitioned.hlo > /dev/null
// RUN: shardwright plan %s --emit partition.hlo
module @emit attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x8xf32>, tensor<2xi32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
    %c = stablehlo.constant dense<[5, 7]> : tensor<2xi32>
    %c_1 = stablehlo.constant dense<6> : tensor<2xi32>
    %0 = stablehlo.maximum %arg0, %cst : tensor<4x8xf32>
    %1 = chlo.erf_inv %0 : tensor<4x8xf32> -> tensor<4x8xf32>
    %2 = chlo.erf_inv %1 : tensor<4x8xf32> -> tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
    %values, %indices = chlo.top_k(%0, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %9 = stablehlo.custom_call @lapack(%4) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = stablehlo.minimum %c, %c_1 : tensor<2xi32>
    return %4, %values, %indices, %9, %10 : tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x8xf32>, tensor<2xi32>
  }
}
// ==== shardwright plan %s --emit partitioned.hlo
// ---- exit 0
// ---- stdout
// | HloModule emit, num_partitions=2
// |
// | %erf_inv (x: f32[2,8]) -> f32[2,8] {
// |   %x = f32[2,8] parameter(0)
// |   %negate.27 = f32[2,8] negate(%x)
// |   %multiply.28 = f32[2,8] multiply(%x, %negate.27)
// |   %log-plus-one.29 = f32[2,8] log-plus-one(%multiply.28)
// |   %negate.30 = f32[2,8] negate(%log-plus-one.29)
// |   %sqrt.31 = f32[2,8] sqrt(%negate.30)
// |   %constant.32 = f32[] constant(3)
// |   %broadcast.33 = f32[2,8] broadcast(%constant.32), dimensions={}
// |   %subtract.34 = f32[2,8] subtract(%sqrt.31, %broadcast.33)
// |   %constant.35 = f32[] constant(-0.00020021426)
// |   %broadcast.36 = f32[2,8] broadcast(%constant.35), dimensions={}
// |   %multiply.37 = f32[2,8] multiply(%broadcast.36, %subtract.34)
// |   %constant.38 = f32[] constant(0.00010095056)
// |   %broadcast.39 = f32[2,8] broadcast(%constant.38), dimensions={}
// |   %add.40 = f32[2,8] add(%multiply.37, %broadcast.39)
// |   %multiply.41 = f32[2,8] multiply(%add.40, %subtract.34)
// |   %constant.42 = f32[] constant(0.0013493432)
// |   %broadcast.43 = f32[2,8] broadcast(%constant.42), dimensions={}
// |   %add.44 = f32[2,8] add(%multiply.41, %broadcast.43)
// |   %multiply.45 = f32[2,8] multiply(%add.44, %subtract.34)
// |   %constant.46 = f32[] constant(-0.0036734284)
// |   %broadcast.47 = f32[2,8] broadcast(%constant.46), dimensions={}
// |   %add.48 = f32[2,8] add(%multiply.45, %broadcast.47)
// |   %multiply.49 = f32[2,8] multiply(%add.48, %subtract.34)
// |   %constant.50 = f32[] constant(0.0057395077)
// |   %broadcast.51 = f32[2,8] broadcast(%constant.50), dimensions={}
// |   %add.52 = f32[2,8] add(%multiply.49, %broadcast.51)
// |   %multiply.53 = f32[2,8] multiply(%add.52, %subtract.34)
// |   %constant.54 = f32[] constant(-0.0076224613)
// |   %broadcast.55 = f32[2,8] broadcast(%constant.54), dimensions={}
// |   %add.56 = f32[2,8] add(%multiply.53, %broadcast.55)
// |   %multiply.57 = f32[2,8] multiply(%add.56, %subtract.34)
// |   %constant.58 = f32[] constant(0.0094388705)
// |   %broadcast.59 = f32[2,8] broadcast(%constant.58), dimensions={}
// |   %add.60 = f32[2,8] add(%multiply.57, %broadcast.59)
// |   %multiply.61 = f32[2,8] multiply(%add.60, %subtract.34)
// |   %constant.62 = f32[] constant(1.001674)
// |   %broadcast.63 = f32[2,8] broadcast(%constant.62), dimensions={}
// |   %add.64 = f32[2,8] add(%multiply.61, %broadcast.63)
// |   %multiply.65 = f32[2,8] multiply(%add.64, %subtract.34)
// |   %constant.66 = f32[] constant(2.8329768)
// |   %broadcast.67 = f32[2,8] broadcast(%constant.66), dimensions={}
// |   %add.68 = f32[2,8] add(%multiply.65, %broadcast.67)
// |   %constant.69 = f32[] constant(2.5)
// |   %broadcast.70 = f32[2,8] broadcast(%constant.69), dimensions={}
// |   %subtract.71 = f32[2,8] subtract(%negate.30, %broadcast.70)
// |   %constant.72 = f32[] constant(2.8102264e-08)
// |   %broadcast.73 = f32[2,8] broadcast(%constant.72), dimensions={}
// |   %multiply.74 = f32[2,8] multiply(%broadcast.73, %subtract.71)
// |   %constant.75 = f32[] constant(3.4327394e-07)
// |   %broadcast.76 = f32[2,8] broadcast(%constant.75), dimensions={}
// |   %add.77 = f32[2,8] add(%multiply.74, %broadcast.76)
// |   %multiply.78 = f32[2,8] multiply(%add.77, %subtract.71)
// |   %constant.79 = f32[] constant(-3.5233877e-06)
// |   %broadcast.80 = f32[2,8] broadcast(%constant.79), dimensions={}
// |   %add.81 = f32[2,8] add(%multiply.78, %broadcast.80)
// |   %multiply.82 = f32[2,8] multiply(%add.81, %subtract.71)
// |   %constant.83 = f32[] constant(-4.3915065e-06)
// |   %broadcast.84 = f32[2,8] broadcast(%constant.83), dimensions={}
// |   %add.85 = f32[2,8] add(%multiply.82, %broadcast.84)
// |   %multiply.86 = f32[2,8] multiply(%add.85, %subtract.71)
// |   %constant.87 = f32[] constant(0.00021858087)
// |   %broadcast.88 = f32[2,8] broadcast(%constant.87), dimensions={}
// |   %add.89 = f32[2,8] add(%multiply.86, %broadcast.88)
// |   %multiply.90 = f32[2,8] multiply(%add.89, %subtract.71)
// |   %constant.91 = f32[] constant(-0.001253725)
// |   %broadcast.92 = f32[2,8] broadcast(%constant.91), dimensions={}
// |   %add.93 = f32[2,8] add(%multiply.90, %broadcast.92)
// |   %multiply.94 = f32[2,8] multiply(%add.93, %subtract.71)
// |   %constant.95 = f32[] constant(-0.0041776816)
// |   %broadcast.96 = f32[2,8] broadcast(%constant.95), dimensions={}
// |   %add.97 = f32[2,8] add(%multiply.94, %broadcast.96)
// |   %multiply.98 = f32[2,8] multiply(%add.97, %subtract.71)
// |   %constant.99 = f32[] constant(0.24664073)
// |   %broadcast.100 = f32[2,8] broadcast(%constant.99), dimensions={}
// |   %add.101 = f32[2,8] add(%multiply.98, %broadcast.100)
// |   %multiply.102 = f32[2,8] multiply(%add.101, %subtract.71)
// |   %constant.103 = f32[] constant(1.5014094)
// |   %broadcast.104 = f32[2,8] broadcast(%constant.103), dimensions={}
// |   %add.105 = f32[2,8] add(%multiply.102, %broadcast.104)
// |   %constant.106 = f32[] constant(5)
// |   %broadcast.107 = f32[2,8] broadcast(%constant.106), dimensions={}
// |   %compare.108 = pred[2,8] compare(%negate.30, %broadcast.107), direction=LT
// |   %select.109 = f32[2,8] select(%compare.108, %add.105, %add.68)
// |   %multiply.110 = f32[2,8] multiply(%select.109, %x)
// |   %constant.111 = f32[] constant(inf)
// |   %broadcast.112 = f32[2,8] broadcast(%constant.111), dimensions={}
// |   %multiply.113 = f32[2,8] multiply(%x, %broadcast.112)
// |   %abs.114 = f32[2,8] abs(%x)
// |   %constant.115 = f32[] constant(1)
// |   %broadcast.116 = f32[2,8] broadcast(%constant.115), dimensions={}
// |   %compare.117 = pred[2,8] compare(%abs.114, %broadcast.116), direction=EQ
// |   ROOT %select.118 = f32[2,8] select(%compare.117, %multiply.113, %multiply.110)
// | }
// |
// | ENTRY %main_spmd (arg0: f32[2,8]) -> (f32[2,8], f32[2,2], s32[2,2], f32[4,8], s32[2]) {
// |   %arg0 = f32[2,8] parameter(0)
// |   %partition-id.1 = u32[] partition-id()
// |   %constant.25 = f32[] constant(0)
// |   %broadcast.3 = f32[2,8] broadcast(%constant.25), dimensions={}
// |   %maximum.4 = f32[2,8] maximum(%arg0, %broadcast.3)
// |   %call.119 = f32[2,8] call(%maximum.4), to_apply=%erf_inv
// |   %call.120 = f32[2,8] call(%call.119), to_apply=%erf_inv
// |   %constant.121 = f32[4] constant({1, 2, 3, 4})
// |   %convert.8 = s32[] convert(%partition-id.1)
// |   %constant.122 = s32[] constant(2)
// |   %multiply.10 = s32[] multiply(%convert.8, %constant.122)
// |   %dynamic-slice.11 = f32[2] dynamic-slice(%constant.121, %multiply.10), dynamic_slice_sizes={2}
// |   %broadcast.12 = f32[2,8] broadcast(%dynamic-slice.11), dimensions={0}
// |   %add.13 = f32[2,8] add(%call.120, %broadcast.12)
// |   %all-gather.14 = f32[4,8] all-gather(%maximum.4), dimensions={0}, channel_id=1, replica_groups=[1,2]<=[2], use_global_device_ids=true
// |   %topk.15 = (f32[4,2], s32[4,2]) topk(%all-gather.14), k=2, largest=true
// |   %get-tuple-element.16 = f32[4,2] get-tuple-element(%topk.15), index=0
// |   %constant.123 = s32[] constant(0)
// |   %dynamic-slice.18 = f32[2,2] dynamic-slice(%get-tuple-element.16, %multiply.10, %constant.123), dynamic_slice_sizes={2,2}
// |   %get-tuple-element.19 = s32[4,2] get-tuple-element(%topk.15), index=1
// |   %dynamic-slice.20 = s32[2,2] dynamic-slice(%get-tuple-element.19, %multiply.10, %constant.123), dynamic_slice_sizes={2,2}
// |   %all-gather.21 = f32[4,8] all-gather(%add.13), dimensions={0}, channel_id=2, replica_groups=[1,2]<=[2], use_global_device_ids=true
// |   %custom-call.22 = f32[4,8]{0,1} custom-call(%all-gather.21), custom_call_target="lapack", operand_layout_constraints={f32[4,8]{0,1}}, api_version=API_VERSION_TYPED_FFI, backend_config={mode = 78 : ui8}
// |   %constant.124 = s32[2] constant({5, 6})
// |   ROOT %tuple.24 = (f32[2,8], f32[2,2], s32[2,2], f32[4,8], s32[2]) tuple(%add.13, %dynamic-slice.18, %dynamic-slice.20, %custom-call.22, %constant.124)
// | }
// ==== shardwright plan %s --partitioner gspmd --emit annotated.hlo
// ---- exit 0
// ---- stdout
// | HloModule emit, num_partitions=2
// |
// | %erf_inv (x: f32[4,8]) -> f32[4,8] {
// |   %x = f32[4,8] parameter(0)
// |   %negate.17 = f32[4,8] negate(%x)
// |   %multiply.18 = f32[4,8] multiply(%x, %negate.17)
// |   %log-plus-one.19 = f32[4,8] log-plus-one(%multiply.18)
// |   %negate.20 = f32[4,8] negate(%log-plus-one.19)
// |   %sqrt.21 = f32[4,8] sqrt(%negate.20)
// |   %constant.22 = f32[] constant(3)
// |   %broadcast.23 = f32[4,8] broadcast(%constant.22), dimensions={}
// |   %subtract.24 = f32[4,8] subtract(%sqrt.21, %broadcast.23)
// |   %constant.25 = f32[] constant(-0.00020021426)
// |   %broadcast.26 = f32[4,8] broadcast(%constant.25), dimensions={}
// |   %multiply.27 = f32[4,8] multiply(%broadcast.26, %subtract.24)
// |   %constant.28 = f32[] constant(0.00010095056)
// |   %broadcast.29 = f32[4,8] broadcast(%constant.28), dimensions={}
// |   %add.30 = f32[4,8] add(%multiply.27, %broadcast.29)
// |   %multiply.31 = f32[4,8] multiply(%add.30, %subtract.24)
// |   %constant.32 = f32[] constant(0.0013493432)
// |   %broadcast.33 = f32[4,8] broadcast(%constant.32), dimensions={}
// |   %add.34 = f32[4,8] add(%multiply.31, %broadcast.33)
// |   %multiply.35 = f32[4,8] multiply(%add.34, %subtract.24)
// |   %constant.36 = f32[] constant(-0.0036734284)
// |   %broadcast.37 = f32[4,8] broadcast(%constant.36), dimensions={}
// |   %add.38 = f32[4,8] add(%multiply.35, %broadcast.37)
// |   %multiply.39 = f32[4,8] multiply(%add.38, %subtract.24)
// |   %constant.40 = f32[] constant(0.0057395077)
// |   %broadcast.41 = f32[4,8] broadcast(%constant.40), dimensions={}
// |   %add.42 = f32[4,8] add(%multiply.39, %broadcast.41)
// |   %multiply.43 = f32[4,8] multiply(%add.42, %subtract.24)
// |   %constant.44 = f32[] constant(-0.0076224613)
// |   %broadcast.45 = f32[4,8] broadcast(%constant.44), dimensions={}
// |   %add.46 = f32[4,8] add(%multiply.43, %broadcast.45)
// |   %multiply.47 = f32[4,8] multiply(%add.46, %subtract.24)
// |   %constant.48 = f32[] constant(0.0094388705)
// |   %broadcast.49 = f32[4,8] broadcast(%constant.48), dimensions={}
// |   %add.50 = f32[4,8] add(%multiply.47, %broadcast.49)
// |   %multiply.51 = f32[4,8] multiply(%add.50, %subtract.24)
// |   %constant.52 = f32[] constant(1.001674)
// |   %broadcast.53 = f32[4,8] broadcast(%constant.52), dimensions={}
// |   %add.54 = f32[4,8] add(%multiply.51, %broadcast.53)
// |   %multiply.55 = f32[4,8] multiply(%add.54, %subtract.24)
// |   %constant.56 = f32[] constant(2.8329768)
// |   %broadcast.57 = f32[4,8] broadcast(%constant.56), dimensions={}
// |   %add.58 = f32[4,8] add(%multiply.55, %broadcast.57)
// |   %constant.59 = f32[] constant(2.5)
// |   %broadcast.60 = f32[4,8] broadcast(%constant.59), dimensions={}
// |   %subtract.61 = f32[4,8] subtract(%negate.20, %broadcast.60)
// |   %constant.62 = f32[] constant(2.8102264e-08)
// |   %broadcast.63 = f32[4,8] broadcast(%constant.62), dimensions={}
// |   %multiply.64 = f32[4,8] multiply(%broadcast.63, %subtract.61)
// |   %constant.65 = f32[] constant(3.4327394e-07)
// |   %broadcast.66 = f32[4,8] broadcast(%constant.65), dimensions={}
// |   %add.67 = f32[4,8] add(%multiply.64, %broadcast.66)
// |   %multiply.68 = f32[4,8] multiply(%add.67, %subtract.61)
// |   %constant.69 = f32[] constant(-3.5233877e-06)
// |   %broadcast.70 = f32[4,8] broadcast(%constant.69), dimensions={}
// |   %add.71 = f32[4,8] add(%multiply.68, %broadcast.70)
// |   %multiply.72 = f32[4,8] multiply(%add.71, %subtract.61)
// |   %constant.73 = f32[] constant(-4.3915065e-06)
// |   %broadcast.74 = f32[4,8] broadcast(%constant.73), dimensions={}
// |   %add.75 = f32[4,8] add(%multiply.72, %broadcast.74)
// |   %multiply.76 = f32[4,8] multiply(%add.75, %subtract.61)
// |   %constant.77 = f32[] constant(0.00021858087)
// |   %broadcast.78 = f32[4,8] broadcast(%constant.77), dimensions={}
// |   %add.79 = f32[4,8] add(%multiply.76, %broadcast.78)
// |   %multiply.80 = f32[4,8] multiply(%add.79, %subtract.61)
// |   %constant.81 = f32[] constant(-0.001253725)
// |   %broadcast.82 = f32[4,8] broadcast(%constant.81), dimensions={}
// |   %add.83 = f32[4,8] add(%multiply.80, %broadcast.82)
// |   %multiply.84 = f32[4,8] multiply(%add.83, %subtract.61)
// |   %constant.85 = f32[] constant(-0.0041776816)
// |   %broadcast.86 = f32[4,8] broadcast(%constant.85), dimensions={}
// |   %add.87 = f32[4,8] add(%multiply.84, %broadcast.86)
// |   %multiply.88 = f32[4,8] multiply(%add.87, %subtract.61)
// |   %constant.89 = f32[] constant(0.24664073)
// |   %broadcast.90 = f32[4,8] broadcast(%constant.89), dimensions={}
// |   %add.91 = f32[4,8] add(%multiply.88, %broadcast.90)
// |   %multiply.92 = f32[4,8] multiply(%add.91, %subtract.61)
// |   %constant.93 = f32[] constant(1.5014094)
// |   %broadcast.94 = f32[4,8] broadcast(%constant.93), dimensions={}
// |   %add.95 = f32[4,8] add(%multiply.92, %broadcast.94)
// |   %constant.96 = f32[] constant(5)
// |   %broadcast.97 = f32[4,8] broadcast(%constant.96), dimensions={}
// |   %compare.98 = pred[4,8] compare(%negate.20, %broadcast.97), direction=LT
// |   %select.99 = f32[4,8] select(%compare.98, %add.95, %add.58)
// |   %multiply.100 = f32[4,8] multiply(%select.99, %x)
// |   %constant.101 = f32[] constant(inf)
// |   %broadcast.102 = f32[4,8] broadcast(%constant.101), dimensions={}
// |   %multiply.103 = f32[4,8] multiply(%x, %broadcast.102)
// |   %abs.104 = f32[4,8] abs(%x)
// |   %constant.105 = f32[] constant(1)
// |   %broadcast.106 = f32[4,8] broadcast(%constant.105), dimensions={}
// |   %compare.107 = pred[4,8] compare(%abs.104, %broadcast.106), direction=EQ
// |   ROOT %select.108 = f32[4,8] select(%compare.107, %multiply.103, %multiply.100)
// | }
// |
// | ENTRY %main (arg0: f32[4,8]) -> (f32[4,8], f32[4,2], s32[4,2], f32[4,8], s32[2]) {
// |   %arg0 = f32[4,8] parameter(0), sharding={devices=[2,1]<=[2]}
// |   %constant.15 = f32[] constant(0), sharding={replicated}
// |   %cst = f32[4,8] broadcast(%constant.15), dimensions={}, sharding={devices=[2,1]<=[2]}
// |   %maximum.3 = f32[4,8] maximum(%arg0, %cst), sharding={devices=[2,1]<=[2]}
// |   %call.109 = f32[4,8] call(%maximum.3), to_apply=%erf_inv, sharding={devices=[2,1]<=[2]}
// |   %call.110 = f32[4,8] call(%call.109), to_apply=%erf_inv, sharding={devices=[2,1]<=[2]}
// |   %cst_0 = f32[4] constant({1, 2, 3, 4}), sharding={devices=[2]<=[2]}
// |   %broadcast.7 = f32[4,8] broadcast(%cst_0), dimensions={0}, sharding={devices=[2,1]<=[2]}
// |   %add.8 = f32[4,8] add(%call.110, %broadcast.7), sharding={devices=[2,1]<=[2]}
// |   %topk.9 = (f32[4,2], s32[4,2]) topk(%maximum.3), k=2, largest=true
// |   %values = f32[4,2] get-tuple-element(%topk.9), index=0, sharding={replicated}
// |   %indices = s32[4,2] get-tuple-element(%topk.9), index=1, sharding={replicated}
// |   %custom-call.12 = f32[4,8]{0,1} custom-call(%add.8), custom_call_target="lapack", operand_layout_constraints={f32[4,8]{0,1}}, api_version=API_VERSION_TYPED_FFI, backend_config={mode = 78 : ui8}
// |   %constant.112 = s32[2] constant({5, 6}), sharding={replicated}
// |   ROOT %tuple.14 = (f32[4,8], f32[4,2], s32[4,2], f32[4,8], s32[2]) tuple(%add.8, %values, %indices, %custom-call.12, %constant.112), sharding={{devices=[2,1]<=[2]}, {replicated}, {replicated}, {replicated}, {replicated}}
// | }
// ==== shardwright plan %s --emit partitioned.hlo --format json > /dev/null
// ---- exit 2
// ---- stderr
// | error: several formats for one output [bad-configuration]
// | help: give files: `--format json=plan.json`
// ==== shardwright plan %s --emit partitioned.hlo=%t/a.hlo --emit annotated.hlo=%t/b.hlo -q > /dev/null
// ---- exit 0
// ==== shardwright plan %s --partitioner none --emit partitioned.hlo > /dev/null
// ---- exit 0
// ==== shardwright plan %s --emit partition.hlo
// ---- exit 2
// ---- stderr
// | error: unknown value `partition.hlo` of `--emit` [unknown-name]
// | help: did you mean `partitioned.hlo`?
// | help: expected one of `partitioned.hlo`, `annotated.hlo`
