// A scanned perceptron with momentum: weights that no axis cuts and that are not donated, residuals kept for the backward
// loop. It fits on an H100, where nothing is tried unasked; on a device of 30 MB it does not, and what is advised there
// makes it fit, as the third command shows with the words of the second; on one of 2 MB nothing does.
// RUN: shardwright memory %s --hardware h100 --advice 30
// RUN: shardwright memory %s --hardware %d/thirty_megabytes.yaml --gate --all
// RUN: shardwright memory %s --hardware %d/thirty_megabytes.yaml --gate --shard "mu['head']=P('model', None)" --shard "params['head']=P('model', None)" --shard "mu['layers']=P(None, 'model', None)" --shard "params['layers']=P(None, 'model', None)" --shard "result[*]['head']=P('model', None)" --shard "result[*]['layers']=P(None, 'model', None)"
// RUN: shardwright memory %s --hardware %d/small.yaml | sed -n '/what makes/,$p'
// RUN: shardwright memory %s --hardware %d/thirty_megabytes.yaml --advice 0 | tail -3
// RUN: shardwright memory %s --hardware %d/thirty_megabytes.yaml --advice 8 --format json
// RUN: shardwright check %s --hardware %d/thirty_megabytes.yaml
// RUN: shardwright check %s --hardware h100 --max-memory 20MiB --format markdown --donate "params*" --advice 8
// RUN: shardwright check %s --hardware %d/thirty_megabytes.yaml --advice 0
// RUN: shardwright memory %s --hardware h100 --donate "parms['head']" > /dev/null
// RUN: shardwright memory %s --hardware h100 --advice -1
// RUN: shardwright memory %s --hardware h100 --advice some
// RUN: shardwright memory %s --hardware h100 --shard "result[7]=P('data')" > /dev/null
// RUN: shardwright memory %s --hardware h100 --shard "result[2]=P('data')" --shard "result[0]['head']=P('date')"
#loc = loc(unknown)
#loc1 = loc("params['head']")
#loc2 = loc("params['layers']")
#loc3 = loc("mu['head']")
#loc4 = loc("mu['layers']")
#loc5 = loc("x")
module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}} loc(#loc)
  func.func public @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("params['head']"), %arg1: tensor<6x512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>} loc("params['layers']"), %arg2: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32} loc("mu['head']"), %arg3: tensor<6x512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, tf.aliasing_output = 1 : i32} loc("mu['layers']"), %arg4: tensor<2048x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x")) -> (tensor<512x512xf32> {jax.result_info = "result[0]['head']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<6x512x512xf32> {jax.result_info = "result[0]['layers']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<512x512xf32> {jax.result_info = "result[1]['head']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<6x512x512xf32> {jax.result_info = "result[1]['layers']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<f32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc80)
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2048x512xf32> loc(#loc81)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc80)
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x2048x512xf32> loc(#loc81)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc80)
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x2048x512xf32> loc(#loc81)
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc61)
    %3:6 = stablehlo.while(%iterArg = %arg1, %iterArg_13 = %c, %iterArg_14 = %arg4, %iterArg_15 = %0, %iterArg_16 = %1, %iterArg_17 = %2) : tensor<6x512x512xf32>, tensor<i32>, tensor<2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>
    cond {
      %c_18 = stablehlo.constant dense<6> : tensor<i32> loc(#loc82)
      %30 = stablehlo.compare LT, %iterArg_13, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc83)
      stablehlo.return %30 : tensor<i1> loc(#loc82)
    } do {
      %30 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_13) : (tensor<6x512x512xf32>, tensor<i32>) -> tensor<512x512xf32> loc(#loc84)
      %31:4 = func.call @closed_call(%iterArg_14, %30) : (tensor<2048x512xf32>, tensor<512x512xf32>) -> (tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>) loc(#loc85)
      %32 = func.call @dynamic_update_index_in_dim(%iterArg_15, %31#1, %iterArg_13) : (tensor<6x2048x512xf32>, tensor<2048x512xf32>, tensor<i32>) -> tensor<6x2048x512xf32> loc(#loc86)
      %33 = func.call @dynamic_update_index_in_dim(%iterArg_16, %31#2, %iterArg_13) : (tensor<6x2048x512xf32>, tensor<2048x512xf32>, tensor<i32>) -> tensor<6x2048x512xf32> loc(#loc86)
      %34 = func.call @dynamic_update_index_in_dim(%iterArg_17, %31#3, %iterArg_13) : (tensor<6x2048x512xf32>, tensor<2048x512xf32>, tensor<i32>) -> tensor<6x2048x512xf32> loc(#loc86)
      %c_18 = stablehlo.constant dense<1> : tensor<i32> loc(#loc82)
      %35 = stablehlo.add %iterArg_13, %c_18 : tensor<i32> loc(#loc87)
      stablehlo.return %iterArg, %35, %31#0, %32, %33, %34 : tensor<6x512x512xf32>, tensor<i32>, tensor<2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32> loc(#loc82)
    } loc(#loc82)
    %4 = stablehlo.dot_general %3#2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> loc(#loc63)
    %5 = stablehlo.multiply %4, %4 : tensor<2048x512xf32> loc(#loc64)
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32> loc(#loc36)
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2048x512xf32> loc(#loc65)
    %7 = stablehlo.multiply %6, %4 : tensor<2048x512xf32> loc(#loc65)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc66)
    %8 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<2048x512xf32>, tensor<f32>) -> tensor<f32> loc(#loc66)
    %cst_4 = stablehlo.constant dense<0x49800000> : tensor<f32> loc(#loc36)
    %9 = stablehlo.divide %8, %cst_4 : tensor<f32> loc(#loc67)
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32> loc(#loc36)
    %cst_6 = stablehlo.constant dense<0x49800000> : tensor<f32> loc(#loc36)
    %10 = stablehlo.divide %cst_5, %cst_6 : tensor<f32> loc(#loc68)
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2048x512xf32> loc(#loc69)
    %12 = stablehlo.multiply %11, %7 : tensor<2048x512xf32> loc(#loc70)
    %13 = stablehlo.dot_general %12, %3#2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<512x512xf32> loc(#loc71)
    %14 = stablehlo.transpose %13, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32> loc(#loc72)
    %15 = stablehlo.dot_general %12, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> loc(#loc71)
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc88)
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x512x512xf32> loc(#loc89)
    %c_8 = stablehlo.constant dense<0> : tensor<i32> loc(#loc73)
    %17:7 = stablehlo.while(%iterArg = %arg1, %iterArg_13 = %3#3, %iterArg_14 = %3#4, %iterArg_15 = %3#5, %iterArg_16 = %c_8, %iterArg_17 = %15, %iterArg_18 = %16) : tensor<6x512x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<i32>, tensor<2048x512xf32>, tensor<6x512x512xf32>
    cond {
      %c_19 = stablehlo.constant dense<6> : tensor<i32> loc(#loc90)
      %30 = stablehlo.compare LT, %iterArg_16, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc91)
      stablehlo.return %30 : tensor<i1> loc(#loc90)
    } do {
      %c_19 = stablehlo.constant dense<6> : tensor<i32> loc(#loc90)
      %30 = stablehlo.subtract %c_19, %iterArg_16 : tensor<i32> loc(#loc92)
      %c_20 = stablehlo.constant dense<1> : tensor<i32> loc(#loc90)
      %31 = stablehlo.subtract %30, %c_20 : tensor<i32> loc(#loc92)
      %32 = func.call @dynamic_index_in_dim(%iterArg, %31) : (tensor<6x512x512xf32>, tensor<i32>) -> tensor<512x512xf32> loc(#loc93)
      %33 = func.call @dynamic_index_in_dim_0(%iterArg_13, %31) : (tensor<6x2048x512xf32>, tensor<i32>) -> tensor<2048x512xf32> loc(#loc93)
      %34 = func.call @dynamic_index_in_dim_0(%iterArg_14, %31) : (tensor<6x2048x512xf32>, tensor<i32>) -> tensor<2048x512xf32> loc(#loc93)
      %35 = func.call @dynamic_index_in_dim_0(%iterArg_15, %31) : (tensor<6x2048x512xf32>, tensor<i32>) -> tensor<2048x512xf32> loc(#loc93)
      %36:2 = func.call @closed_call_1(%iterArg_17, %32, %33, %34, %35) : (tensor<2048x512xf32>, tensor<512x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>) -> (tensor<2048x512xf32>, tensor<512x512xf32>) loc(#loc94)
      %37 = func.call @dynamic_update_index_in_dim_2(%iterArg_18, %36#1, %31) : (tensor<6x512x512xf32>, tensor<512x512xf32>, tensor<i32>) -> tensor<6x512x512xf32> loc(#loc95)
      %c_21 = stablehlo.constant dense<1> : tensor<i32> loc(#loc90)
      %38 = stablehlo.add %iterArg_16, %c_21 : tensor<i32> loc(#loc96)
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14, %iterArg_15, %38, %36#0, %37 : tensor<6x512x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<6x2048x512xf32>, tensor<i32>, tensor<2048x512xf32>, tensor<6x512x512xf32> loc(#loc90)
    } loc(#loc90)
    %cst_9 = stablehlo.constant dense<0.899999976> : tensor<f32> loc(#loc36)
    %18 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<512x512xf32> loc(#loc74)
    %19 = stablehlo.multiply %18, %arg2 : tensor<512x512xf32> loc(#loc74)
    %20 = stablehlo.add %19, %14 : tensor<512x512xf32> loc(#loc75)
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32> loc(#loc36)
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x512x512xf32> loc(#loc74)
    %22 = stablehlo.multiply %21, %arg3 : tensor<6x512x512xf32> loc(#loc74)
    %23 = stablehlo.add %22, %17#6 : tensor<6x512x512xf32> loc(#loc75)
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32> loc(#loc36)
    %24 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x512xf32> loc(#loc76)
    %25 = stablehlo.multiply %24, %20 : tensor<512x512xf32> loc(#loc76)
    %26 = stablehlo.subtract %arg0, %25 : tensor<512x512xf32> loc(#loc77)
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32> loc(#loc36)
    %27 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x512x512xf32> loc(#loc76)
    %28 = stablehlo.multiply %27, %23 : tensor<6x512x512xf32> loc(#loc76)
    %29 = stablehlo.subtract %arg1, %28 : tensor<6x512x512xf32> loc(#loc77)
    return %26, %29, %20, %23, %9 : tensor<512x512xf32>, tensor<6x512x512xf32>, tensor<512x512xf32>, tensor<6x512x512xf32>, tensor<f32> loc(#loc36)
  } loc(#loc)
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x512x512xf32> loc(unknown), %arg1: tensor<i32> loc(unknown)) -> tensor<512x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %c_0 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 512] : (tensor<6x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32> loc(#loc55)
    %1 = stablehlo.reshape %0 : (tensor<1x512x512xf32>) -> tensor<512x512xf32> loc(#loc56)
    return %1 : tensor<512x512xf32> loc(#loc)
  } loc(#loc78)
  func.func private @closed_call(%arg0: tensor<2048x512xf32> loc(unknown), %arg1: tensor<512x512xf32> loc(unknown)) -> (tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> loc(#loc39)
    %1 = stablehlo.tanh %0 : tensor<2048x512xf32> loc(#loc40)
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32> loc(#loc)
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048x512xf32> loc(#loc41)
    %3 = stablehlo.subtract %2, %1 : tensor<2048x512xf32> loc(#loc41)
    return %1, %arg0, %1, %3 : tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32>, tensor<2048x512xf32> loc(#loc)
  } loc(#loc79)
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x2048x512xf32> loc(unknown), %arg1: tensor<2048x512xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<6x2048x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2048x512xf32>) -> tensor<1x2048x512xf32> loc(#loc58)
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %c_0 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x2048x512xf32>, tensor<1x2048x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2048x512xf32> loc(#loc59)
    return %1 : tensor<6x2048x512xf32> loc(#loc)
  } loc(#loc78)
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x2048x512xf32> loc(unknown), %arg1: tensor<i32> loc(unknown)) -> tensor<2048x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %c_0 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2048, 512] : (tensor<6x2048x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x512xf32> loc(#loc55)
    %1 = stablehlo.reshape %0 : (tensor<1x2048x512xf32>) -> tensor<2048x512xf32> loc(#loc56)
    return %1 : tensor<2048x512xf32> loc(#loc)
  } loc(#loc78)
  func.func private @closed_call_1(%arg0: tensor<2048x512xf32> loc(unknown), %arg1: tensor<512x512xf32> loc(unknown), %arg2: tensor<2048x512xf32> loc(unknown), %arg3: tensor<2048x512xf32> loc(unknown), %arg4: tensor<2048x512xf32> loc(unknown)) -> (tensor<2048x512xf32>, tensor<512x512xf32>) {
    %0 = stablehlo.multiply %arg0, %arg4 : tensor<2048x512xf32> loc(#loc42)
    %1 = stablehlo.multiply %0, %arg3 : tensor<2048x512xf32> loc(#loc42)
    %2 = stablehlo.add %0, %1 : tensor<2048x512xf32> loc(#loc43)
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<2048x512xf32>) -> tensor<512x512xf32> loc(#loc39)
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32> loc(#loc44)
    %5 = stablehlo.dot_general %2, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> loc(#loc39)
    return %5, %4 : tensor<2048x512xf32>, tensor<512x512xf32> loc(#loc)
  } loc(#loc79)
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x512x512xf32> loc(unknown), %arg1: tensor<512x512xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<6x512x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32> loc(#loc58)
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %c_0 = stablehlo.constant dense<0> : tensor<i32> loc(#loc)
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x512x512xf32> loc(#loc59)
    return %1 : tensor<6x512x512xf32> loc(#loc)
  } loc(#loc78)
} loc(#loc)
#loc6 = loc("step.py":10:9 to :49)
#loc7 = loc("step.py":14:16 to :54)
#loc8 = loc("step.py":25:8 to :161)
#loc9 = loc("step.py":11:19 to :37)
#loc10 = loc("step.py":11:18 to :43)
#loc11 = loc("step.py":11:9 to :44)
#loc12 = loc("step.py":15:33 to :40)
#loc13 = loc("step.py":15:7 to :56)
#loc14 = loc("step.py":15:33 to :44)
#loc15 = loc("step.py":16:41 to :48)
#loc16 = loc("step.py":16:11 to :61)
#loc17 = loc("step.py":16:37 to :48)
#loc18 = loc("step.py":9:20 to :25)
#loc19 = loc("step.py":9:11 to :26)
#loc20 = loc("forward"(#loc6))
#loc21 = loc("step"(#loc7))
#loc22 = loc("<module>"(#loc8))
#loc23 = loc("forward"(#loc9))
#loc24 = loc("forward"(#loc10))
#loc25 = loc("forward"(#loc11))
#loc26 = loc("step.<locals>.<lambda>"(#loc12))
#loc27 = loc("step"(#loc13))
#loc28 = loc("step.<locals>.<lambda>"(#loc14))
#loc29 = loc("step.<locals>.<lambda>"(#loc15))
#loc30 = loc("step"(#loc16))
#loc31 = loc("step.<locals>.<lambda>"(#loc17))
#loc32 = loc("forward.<locals>.layer"(#loc18))
#loc33 = loc("forward.<locals>.layer"(#loc19))
#loc34 = loc(callsite(#loc20 at #loc21))
#loc35 = loc(callsite(#loc21 at #loc22))
#loc36 = loc("jit(step)"(#loc22))
#loc37 = loc(callsite(#loc27 at #loc22))
#loc38 = loc(callsite(#loc30 at #loc22))
#loc39 = loc("dot_general"(#loc32))
#loc40 = loc("tanh"(#loc33))
#loc41 = loc("sub"(#loc33))
#loc42 = loc("mul"(#loc33))
#loc43 = loc("add_any"(#loc33))
#loc44 = loc("transpose"(#loc32))
#loc45 = loc(callsite(#loc20 at #loc35))
#loc46 = loc(callsite(#loc34 at #loc34))
#loc47 = loc(callsite(#loc23 at #loc35))
#loc48 = loc(callsite(#loc24 at #loc35))
#loc49 = loc(callsite(#loc25 at #loc35))
#loc50 = loc(callsite(#loc26 at #loc37))
#loc51 = loc(callsite(#loc28 at #loc37))
#loc52 = loc(callsite(#loc29 at #loc38))
#loc53 = loc(callsite(#loc31 at #loc38))
#loc54 = loc("while/body/jit"(#loc34))
#loc55 = loc("dynamic_slice"(#loc34))
#loc56 = loc("squeeze"(#loc34))
#loc57 = loc("while/body/closed_call"(#loc34))
#loc58 = loc("broadcast_in_dim"(#loc34))
#loc59 = loc("dynamic_update_slice"(#loc34))
#loc60 = loc(callsite(#loc34 at #loc45))
#loc61 = loc("jit(step)/jvp()/scan"(#loc45))
#loc62 = loc(callsite(#loc46 at #loc45))
#loc63 = loc("jit(step)/jvp()/dot_general"(#loc47))
#loc64 = loc("jit(step)/jvp()/integer_pow"(#loc48))
#loc65 = loc("jit(step)/jvp()/mul"(#loc48))
#loc66 = loc("jit(step)/jvp()/reduce_sum"(#loc49))
#loc67 = loc("jit(step)/jvp()/div"(#loc49))
#loc68 = loc("jit(step)/transpose(jvp())/div"(#loc49))
#loc69 = loc("jit(step)/transpose(jvp())/broadcast_in_dim"(#loc49))
#loc70 = loc("jit(step)/transpose(jvp())/mul"(#loc48))
#loc71 = loc("jit(step)/transpose(jvp())/dot_general"(#loc47))
#loc72 = loc("jit(step)/transpose(jvp())/transpose"(#loc47))
#loc73 = loc("jit(step)/transpose(jvp())/scan"(#loc45))
#loc74 = loc("jit(step)/mul"(#loc50))
#loc75 = loc("jit(step)/add"(#loc51))
#loc76 = loc("jit(step)/mul"(#loc52))
#loc77 = loc("jit(step)/sub"(#loc53))
#loc78 = loc("jit:"(#loc54))
#loc79 = loc("closed_call:"(#loc57))
#loc80 = loc("jit(step)/jvp()/empty2"(#loc60))
#loc81 = loc("jit(step)/jvp()/broadcast_in_dim"(#loc60))
#loc82 = loc("jit(step)/jvp()/while"(#loc60))
#loc83 = loc("jit(step)/jvp()/while/cond/lt"(#loc62))
#loc84 = loc("jit(step)/jvp()/while/body/jit(dynamic_index_in_dim)"(#loc62))
#loc85 = loc("jit(step)/jvp()/while/body/closed_call"(#loc62))
#loc86 = loc("jit(step)/jvp()/while/body/jit(dynamic_update_index_in_dim)"(#loc62))
#loc87 = loc("jit(step)/jvp()/while/body/add"(#loc62))
#loc88 = loc("jit(step)/transpose(jvp())/empty2"(#loc60))
#loc89 = loc("jit(step)/transpose(jvp())/broadcast_in_dim"(#loc60))
#loc90 = loc("jit(step)/transpose(jvp())/while"(#loc60))
#loc91 = loc("jit(step)/transpose(jvp())/while/cond/lt"(#loc62))
#loc92 = loc("jit(step)/transpose(jvp())/while/body/sub"(#loc62))
#loc93 = loc("jit(step)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)"(#loc62))
#loc94 = loc("jit(step)/transpose(jvp())/while/body/closed_call"(#loc62))
#loc95 = loc("jit(step)/transpose(jvp())/while/body/jit(dynamic_update_index_in_dim)"(#loc62))
#loc96 = loc("jit(step)/transpose(jvp())/while/body/add"(#loc62))

// ==== shardwright memory %s --hardware h100 --advice 30
// ---- exit 0
// ---- stdout
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// |   45.0 MiB of 78.7 GiB usable on h100, fits; at most 45.0 MiB at one time
// |
// |   arguments    15.0 MiB
// |   results      14.0 MiB  7.0 MiB of it in arguments
// |   temporaries  23.0 MiB
// |   in all       45.0 MiB  45.0 MiB at the worst moment
// |   capacity     79.1 GiB  373.8 MiB of it kept by the runtime
// |
// |   at the worst moment
// |     gradients           20.0 MiB  44 %  ##############
// |     outputs             7.0 MiB   16 %  #####
// |     parameters          7.0 MiB   16 %  #####
// |     optimizer-state     7.0 MiB   16 %  #####
// |     batch               1.0 MiB   2 %   #
// |     collective-buffers  1.0 MiB   2 %   #
// |     loop-carries        1.0 MiB   2 %   #
// |     scratch             1.0 MiB   2 %   #
// |
// |   the worst moment is step 51 of 77, dot, step.py:9
// |
// |   largest buffers alive then
// |     6.0 MiB        mu['layers']      f32[6,512,512]  optimizer-state     argument
// |     6.0 MiB        add               f32[6,512,512]  outputs             step.py:15
// |     6.0 MiB × 3    broadcast         f32[6,512,512]  gradients           step.py:10
// |     6.0 MiB        params['layers']  f32[6,512,512]  parameters          argument
// |     1.0 MiB        mu['head']        f32[512,512]    optimizer-state     argument
// |     1.0 MiB        add               f32[512,512]    outputs             step.py:15
// |     1.0 MiB        x                 f32[512,512]    batch               argument
// |     1.0 MiB        params['head']    f32[512,512]    parameters          argument
// |     1.0 MiB        dot               f32[512,512]    gradients           step.py:11
// |     1.0 MiB        dot               f32[512,512]    loop-carries        step.py:11
// |     1.0 MiB        add               f32[512,512]    gradients           step.py:9
// |     1.0 MiB        dynamic-slice     f32[1,512,512]  scratch             step.py:10
// |     1.0 MiB        dot               f32[512,512]    collective-buffers  step.py:9
// |     4 B            divide            f32[]           outputs             step.py:11
// |
// |   over the step, temporaries above 22.0 MiB
// |     │                                       ▄▄████▄██  23.0 MiB
// |     │▄▄▄▄▄▄▄▄▄▄▄▄▄▄█████████▄▄▄████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████▄▄▄
// |     │█████████████████████████████████████████████████████
// |     │█████████████████████████████████████████████████████▄███▄██▄▄▄
// |
// |   what makes it smaller, in the order of XLA's own guide; 15 changes tried
// |     1  shard   params['layers'], mu['layers'] and 2 more to P(None, 'data', None)
// |                saves 14.7 MiB, moves 13.0 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['head']=P('data', None)"
// |                  --shard "params['head']=P('data', None)"
// |                  --shard "mu['layers']=P(None, 'data', None)"
// |                  --shard "params['layers']=P(None, 'data', None)"
// |                  …2 more (--all)
// |     2  shard   params['layers'] and mu['layers'] to P(None, 'data', None)
// |                saves 13.5 MiB, moves 12.0 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['layers']=P(None, 'data', None)"
// |                  --shard "params['layers']=P(None, 'data', None)"
// |                  --shard "result[*]['layers']=P(None, 'data', None)"
// |     3  shard   x to P(('data', 'model'), None)
// |                saves 12.0 MiB
// |                └ in_shardings of jax.jit, or jax.device_put
// |                  --shard "x=P(('data', 'model'), None)"
// |     4  pin     %1, tanh, step.py:9, f32[2048,512] to P(('data', 'model'), None)
// |                saves 11.5 MiB
// |                └ x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None))
// |                  --pin "116:%1=P(('data', 'model'), None)"
// |     5  pin     %23, add, step.py:15, f32[6,512,512] to P(None, 'data', None)
// |                saves 4.5 MiB, moves 12.0 MiB more a step
// |                └ x = jax.lax.with_sharding_constraint(x, P(None, 'data', None))
// |                  --pin "%23=P(None, 'data', None)"
// |     6  remat   loop step.py:10, whose backward pass reads f32[6,512,512], f32[6,512,512]
// |                saves about 12.0 MiB
// |                └ jax.checkpoint around the body of the scan: it is computed once more in the backward pass
// ==== shardwright memory %s --hardware %d/thirty_megabytes.yaml --gate --all
// ---- exit 4
// ---- stdout
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// |   45.0 MiB of 30.0 MiB usable on thirty-megabytes, does not fit; at most 45.0 MiB at one time
// |
// |   arguments    15.0 MiB
// |   results      14.0 MiB  7.0 MiB of it in arguments
// |   temporaries  23.0 MiB
// |   in all       45.0 MiB  45.0 MiB at the worst moment
// |   capacity     30.0 MiB
// |
// |   at the worst moment
// |     gradients           20.0 MiB  44 %  ##############
// |     outputs             7.0 MiB   16 %  #####
// |     parameters          7.0 MiB   16 %  #####
// |     optimizer-state     7.0 MiB   16 %  #####
// |     batch               1.0 MiB   2 %   #
// |     collective-buffers  1.0 MiB   2 %   #
// |     loop-carries        1.0 MiB   2 %   #
// |     scratch             1.0 MiB   2 %   #
// |
// |   the worst moment is step 51 of 77, dot, step.py:9
// |
// |   largest buffers alive then
// |     6.0 MiB        mu['layers']      f32[6,512,512]  optimizer-state     argument
// |     6.0 MiB        add               f32[6,512,512]  outputs             step.py:15
// |     6.0 MiB × 3    broadcast         f32[6,512,512]  gradients           step.py:10
// |     6.0 MiB        params['layers']  f32[6,512,512]  parameters          argument
// |     1.0 MiB        mu['head']        f32[512,512]    optimizer-state     argument
// |     1.0 MiB        add               f32[512,512]    outputs             step.py:15
// |     1.0 MiB        x                 f32[512,512]    batch               argument
// |     1.0 MiB        params['head']    f32[512,512]    parameters          argument
// |     1.0 MiB        dot               f32[512,512]    gradients           step.py:11
// |     1.0 MiB        dot               f32[512,512]    loop-carries        step.py:11
// |     1.0 MiB        add               f32[512,512]    gradients           step.py:9
// |     1.0 MiB        dynamic-slice     f32[1,512,512]  scratch             step.py:10
// |     1.0 MiB        dot               f32[512,512]    collective-buffers  step.py:9
// |     4 B            divide            f32[]           outputs             step.py:11
// |
// |   over the step, temporaries above 22.0 MiB
// |     │                                       ▄▄████▄██  23.0 MiB
// |     │▄▄▄▄▄▄▄▄▄▄▄▄▄▄█████████▄▄▄████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████
// |     │██████████████████████████████████████████████████▄▄▄
// |     │█████████████████████████████████████████████████████
// |     │█████████████████████████████████████████████████████▄███▄██▄▄▄
// |
// |   what makes it smaller, in the order of XLA's own guide; 32 changes tried
// |     1  shard   params['layers'], mu['layers'] and 2 more to P(None, 'model', None)
// |                saves 22.0 MiB, moves 9.5 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['head']=P('model', None)"
// |                  --shard "params['head']=P('model', None)"
// |                  --shard "mu['layers']=P(None, 'model', None)"
// |                  --shard "params['layers']=P(None, 'model', None)"
// |                  --shard "result[*]['head']=P('model', None)"
// |                  --shard "result[*]['layers']=P(None, 'model', None)"
// |     2  shard   params['layers'] and params['head'] to P(None, 'model', None)
// |                saves 14.0 MiB, moves 16.5 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "params['head']=P('model', None)"
// |                  --shard "params['layers']=P(None, 'model', None)"
// |                  --shard "result[0]['head']=P('model', None)"
// |                  --shard "result[0]['layers']=P(None, 'model', None)"
// |     3  shard   params['layers'] and mu['layers'] to P(None, 'data', None)
// |                saves 13.5 MiB, moves 12.0 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['layers']=P(None, 'data', None)"
// |                  --shard "params['layers']=P(None, 'data', None)"
// |                  --shard "result[*]['layers']=P(None, 'data', None)"
// |     4  pin     %4, dot_general, step.py:11, f32[2048,512] to P(('data', 'model'), None)
// |                saves 11.5 MiB
// |                └ x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None))
// |                  --pin "%4=P(('data', 'model'), None)"
// |     5  pin     %23, add, step.py:15, f32[6,512,512] to P(None, 'data', None)
// |                saves 4.5 MiB, moves 12.0 MiB more a step
// |                └ x = jax.lax.with_sharding_constraint(x, P(None, 'data', None))
// |                  --pin "%23=P(None, 'data', None)"
// |     6  remat   loop step.py:10, whose backward pass reads f32[6,512,512], f32[6,512,512]
// |                saves about 12.0 MiB
// |                └ jax.checkpoint around the body of the scan: it is computed once more in the backward pass
// |
// |     with 1 alone: 23.0 MiB of 30.0 MiB, fits, moves 9.5 MiB more a step
// ==== shardwright memory %s --hardware %d/thirty_megabytes.yaml --gate --shard "mu['head']=P('model', None)" --shard "params['head']=P('model', None)" --shard "mu['layers']=P(None, 'model', None)" --shard "params['layers']=P(None, 'model', None)" --shard "result[*]['head']=P('model', None)" --shard "result[*]['layers']=P(None, 'model', None)"
// ---- exit 0
// ---- stdout
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// |   23.0 MiB of 30.0 MiB usable on thirty-megabytes, fits; at most 23.0 MiB at one time
// |
// |   arguments    8.0 MiB
// |   results      7.0 MiB   3.5 MiB of it in arguments
// |   temporaries  11.5 MiB
// |   in all       23.0 MiB  23.0 MiB at the worst moment
// |   capacity     30.0 MiB
// |
// |   at the worst moment
// |     activations         9.5 MiB    41 %  #############
// |     outputs             3.5 MiB    15 %  #####
// |     parameters          3.5 MiB    15 %  #####
// |     optimizer-state     3.5 MiB    15 %  #####
// |     collective-buffers  1.5 MiB    7 %   ##
// |     batch               1.0 MiB    4 %   #
// |     scratch             512.0 KiB  2 %   #
// |     loop-carries        4 B        0 %   #
// |
// |   the worst moment is step 69 of 82, dot, step.py:9
// |
// |   largest buffers alive then
// |     3.0 MiB        mu['layers']      f32[6,256,512]  optimizer-state     argument
// |     3.0 MiB        add               f32[6,256,512]  outputs             step.py:15
// |     3.0 MiB        params['layers']  f32[6,256,512]  parameters          argument
// |     3.0 MiB × 3    broadcast         f32[6,512,256]  activations         step.py:10
// |     1.0 MiB        x                 f32[512,512]    batch               argument
// |     1.0 MiB        all-gather        f32[512,512]    collective-buffers  step.py:9
// |     512.0 KiB      mu['head']        f32[256,512]    optimizer-state     argument
// |     512.0 KiB      add               f32[256,512]    outputs             step.py:15
// |     512.0 KiB      params['head']    f32[256,512]    parameters          argument
// |     512.0 KiB      all-reduce        f32[512,256]    activations         step.py:11
// |     512.0 KiB      dynamic-slice     f32[1,512,256]  scratch             step.py:10
// |     512.0 KiB      dot               f32[512,256]    collective-buffers  step.py:9
// |     4 B            divide            f32[]           outputs             step.py:11
// |     4 B            constant          s32[]           loop-carries        step.py:10
// |     4 B            add               s32[]           scratch             step.py:10
// |
// |   over the step, temporaries above 11.5 MiB
// |     │                     ▄           ▄▄               ████  11.5 MiB
// |     │       ▄▄▄▄▄▄▄▄▄▄▄▄▄▄███▄▄▄▄▄▄▄███████████████████████████
// |     │       ███████████████████████████████████████████████████
// |     │       ███████████████████████████████████████████████████
// |     │       ███████████████████████████████████████████████████
// |     │       ███████████████████████████████████████████████████
// |     │       ███████████████████████████████████████████████████
// |     │       ███████████████████████████████████████████████████▄▄
// ==== shardwright memory %s --hardware %d/small.yaml | sed -n '/what makes/,$p'
// ---- exit 0
// ---- stdout
// |   what makes it smaller, in the order of XLA's own guide; 48 changes tried
// |     1  shard   params['layers'], mu['layers'] and 2 more to P(None, 'model', None)
// |                saves 22.0 MiB, moves 9.5 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['head']=P('model', None)"
// |                  --shard "params['head']=P('model', None)"
// |                  --shard "mu['layers']=P(None, 'model', None)"
// |                  --shard "params['layers']=P(None, 'model', None)"
// |                  …2 more (--all)
// |     2  shard   params['layers'] and params['head'] to P(None, 'model', None)
// |                saves 14.0 MiB, moves 16.5 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "params['head']=P('model', None)"
// |                  --shard "params['layers']=P(None, 'model', None)"
// |                  --shard "result[0]['head']=P('model', None)"
// |                  --shard "result[0]['layers']=P(None, 'model', None)"
// |     3  shard   params['layers'] and mu['layers'] to P(None, 'data', None)
// |                saves 13.5 MiB, moves 12.0 MiB more a step
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['layers']=P(None, 'data', None)"
// |                  --shard "params['layers']=P(None, 'data', None)"
// |                  --shard "result[*]['layers']=P(None, 'data', None)"
// |     4  pin     %23, add, step.py:15, f32[6,512,512] to P(None, 'data', None)
// |                saves 4.5 MiB, moves 12.0 MiB more a step
// |                └ x = jax.lax.with_sharding_constraint(x, P(None, 'data', None))
// |                  --pin "%23=P(None, 'data', None)"
// |     5  pin     %4, dot_general, step.py:11, f32[2048,512] to P(('data', 'model'), None)
// |                saves 11.5 MiB
// |                └ x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None))
// |                  --pin "%4=P(('data', 'model'), None)"
// |     6  remat   loop step.py:10, whose backward pass reads f32[6,512,512], f32[6,512,512]
// |                saves about 12.0 MiB
// |                └ jax.checkpoint around the body of the scan: it is computed once more in the backward pass
// |     7  shard   params['layers'], mu['layers'] and 2 more to P(None, 'model', 'data')
// |                saves 6.9 MiB, moves 12.5 MiB more a step, on top of 1
// |                └ in_shardings and out_shardings of jax.jit
// |                  --shard "mu['head']=P('model', 'data')"
// |                  --shard "params['head']=P('model', 'data')"
// |                  --shard "mu['layers']=P(None, 'model', 'data')"
// |                  --shard "params['layers']=P(None, 'model', 'data')"
// |                  …2 more (--all)
// |     8  shard   x to P(('data', 'model'), None)
// |                saves 512.2 KiB, moves 4.5 MiB more a step, on top of 1 and 7
// |                └ in_shardings of jax.jit, or jax.device_put
// |                  --shard "x=P(('data', 'model'), None)"
// |
// |     with 1, 6, 7 and 8: about 9.6 MiB of 2.0 MiB, still too much, moves 26.5 MiB more a step
// |                  --shard "mu['head']=P('model', 'data')"
// |                  --shard "params['head']=P('model', 'data')"
// |                  --shard "x=P(('data', 'model'), None)"
// |                  --shard "mu['layers']=P(None, 'model', 'data')"
// |                  …3 more (--all)
// ==== shardwright memory %s --hardware %d/thirty_megabytes.yaml --advice 0 | tail -3
// ---- exit 0
// ---- stdout
// |     │██████████████████████████████████████████████████▄▄▄
// |     │█████████████████████████████████████████████████████
// |     │█████████████████████████████████████████████████████▄███▄██▄▄▄
// ==== shardwright memory %s --hardware %d/thirty_megabytes.yaml --advice 8 --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "advice.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {
// |       "name": "mesh",
// |       "axes": [{"name": "data", "size": 4}, {"name": "model", "size": 2}],
// |       "device_ids": null
// |     }
// |   ],
// |   "device_count": 8,
// |   "memory": {
// |     "hardware": "thirty-megabytes",
// |     "rules": "gpu",
// |     "argument": 15728640,
// |     "output": 14680108,
// |     "alias": 7340032,
// |     "temp": 24118328,
// |     "total": 47187044,
// |     "peak": 47185964,
// |     "capacity": 31457280,
// |     "reserve": 0,
// |     "fits": false,
// |     "by_category": {
// |       "parameters": 7340032,
// |       "optimizer-state": 7340032,
// |       "batch": 1048576,
// |       "outputs": 7340036,
// |       "activations": 0,
// |       "gradients": 20971520,
// |       "collective-buffers": 1048576,
// |       "loop-carries": 1048576,
// |       "scratch": 1048576
// |     },
// |     "worst": {
// |       "step": 50,
// |       "steps": 77,
// |       "line": 140
// |     },
// |     "at_peak": [
// |       {"what": "mu['layers']", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "optimizer-state", "begin": 0, "end": 77, "line": null, "source": null},
// |       {"what": "add", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "outputs", "begin": 62, "end": 77, "line": 96, "source": "step.py:15"},
// |       {"what": "broadcast", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "gradients", "begin": 0, "end": 59, "line": 28, "source": "step.py:10"},
// |       {"what": "broadcast", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "gradients", "begin": 0, "end": 59, "line": 28, "source": "step.py:10"},
// |       {"what": "broadcast", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "gradients", "begin": 0, "end": 62, "line": 28, "source": "step.py:10"},
// |       {"what": "params['layers']", "shape": "f32[6,512,512]", "bytes": 6291456, "unpadded_bytes": 6291456, "category": "parameters", "begin": 0, "end": 77, "line": null, "source": null},
// |       {"what": "mu['head']", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "optimizer-state", "begin": 0, "end": 77, "line": null, "source": null},
// |       {"what": "add", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "outputs", "begin": 71, "end": 77, "line": 92, "source": "step.py:15"},
// |       {"what": "x", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "batch", "begin": 0, "end": 77, "line": null, "source": null},
// |       {"what": "params['head']", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "parameters", "begin": 0, "end": 77, "line": null, "source": null},
// |       {"what": "dot", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "gradients", "begin": 31, "end": 66, "line": 49, "source": "step.py:11"},
// |       {"what": "dot", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "loop-carries", "begin": 32, "end": 59, "line": 65, "source": "step.py:11"},
// |       {"what": "add", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "gradients", "begin": 47, "end": 56, "line": 139, "source": "step.py:9"},
// |       {"what": "dynamic-slice", "shape": "f32[1,512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "scratch", "begin": 49, "end": 50, "line": 132, "source": "step.py:10"},
// |       {"what": "dot", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "collective-buffers", "begin": 50, "end": 53, "line": 140, "source": "step.py:9"},
// |       {"what": "divide", "shape": "f32[]", "bytes": 4, "unpadded_bytes": 4, "category": "outputs", "begin": 75, "end": 77, "line": 57, "source": "step.py:11"}
// |     ],
// |     "curve": [
// |       [0, 41943084],
// |       [1, 41943084],
// |       [2, 41943084],
// |       [3, 41943084],
// |       [4, 41943084],
// |       [5, 41943084],
// |       [6, 41943084],
// |       [7, 41943084],
// |       [8, 41943084],
// |       [9, 41943084],
// |       [10, 41943084],
// |       [11, 41943084],
// |       [12, 41943085],
// |       [13, 41943085],
// |       [14, 41943084],
// |       [15, 41943084],
// |       [16, 42991660],
// |       [17, 42991660],
// |       [18, 44040236],
// |       [19, 42991660],
// |       [20, 42991660],
// |       [21, 42991660],
// |       [22, 42991660],
// |       [23, 42991660],
// |       [24, 42991660],
// |       [25, 42991660],
// |       [26, 42991660],
// |       [27, 41943084],
// |       [28, 41943084],
// |       [29, 41943084],
// |       [30, 41943084],
// |       [31, 42991660],
// |       [32, 44040236],
// |       [33, 44040236],
// |       [34, 44040236],
// |       [35, 44040236],
// |       [36, 44040236],
// |       [37, 44040236],
// |       [38, 44040236],
// |       [39, 44040236],
// |       [40, 44040236],
// |       [41, 44040237],
// |       [42, 44040237],
// |       [43, 44040236],
// |       [44, 44040236],
// |       [45, 44040236],
// |       [46, 44040236],
// |       [47, 45088812],
// |       [48, 45088812],
// |       [49, 46137388],
// |       [50, 47185964],
// |       [51, 46137388],
// |       [52, 46137388],
// |       [53, 46137388],
// |       [54, 45088812],
// |       [55, 46137388],
// |       [56, 46137388],
// |       [57, 44040236],
// |       [58, 44040236],
// |       [59, 44040236],
// |       [60, 30408748],
// |       [61, 30408748],
// |       [62, 30408748],
// |       [63, 24117292],
// |       [64, 24117292],
// |       [65, 25165868],
// |       [66, 25165868],
// |       [67, 25165872],
// |       [68, 24117296],
// |       [69, 25165872],
// |       [70, 25165872],
// |       [71, 25165872],
// |       [72, 24117296],
// |       [73, 24117296],
// |       [74, 24117296],
// |       [75, 23068716],
// |       [76, 23068716]
// |     ]
// |   },
// |   "advice": {
// |     "tried": 8,
// |     "limit": 31457280,
// |     "before": {
// |       "total": 47187044,
// |       "peak": 47185964,
// |       "moved": 7340036
// |     },
// |     "items": [
// |       {"number": 1, "kind": "shard", "what": "params['layers'], mu['layers'] and 2 more", "spec": "P(None, 'data', None)", "code": "in_shardings and out_shardings of jax.jit", "options": ["--shard \"mu['head']=P('data', None)\"", "--shard \"params['head']=P('data', None)\"", "--shard \"mu['layers']=P(None, 'data', None)\"", "--shard \"params['layers']=P(None, 'data', None)\"", "--shard \"result[*]['head']=P('data', None)\"", "--shard \"result[*]['layers']=P(None, 'data', None)\""], "after": [], "estimate": false, "saves": 15465728, "with": {"total": 31721316, "peak": 31719468, "moved": 20971524}},
// |       {"number": 2, "kind": "shard", "what": "x", "spec": "P(('data', 'model'), None)", "code": "in_shardings of jax.jit, or jax.device_put", "options": ["--shard \"x=P(('data', 'model'), None)\""], "after": [], "estimate": false, "saves": 12582912, "with": {"total": 34604132, "peak": 34603052, "moved": 7340036}},
// |       {"number": 3, "kind": "pin", "what": "%iterArg_14, given to a body, step.py:10, f32[2048,512]", "spec": "P(('data', 'model'), None)", "code": "x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None))", "options": ["--pin \"34:%iterArg_14@2=P(('data', 'model'), None)\""], "after": [], "estimate": false, "saves": 12058624, "with": {"total": 35128420, "peak": 35127340, "moved": 7340036}},
// |       {"number": 4, "kind": "remat", "what": "loop step.py:10, whose backward pass reads f32[6,512,512], f32[6,512,512]", "spec": null, "code": "jax.checkpoint around the body of the scan: it is computed once more in the backward pass", "options": [], "after": [], "estimate": true, "saves": 12582912, "with": {"total": 34604132, "peak": 34603052, "moved": 7340036}}
// |     ],
// |     "together": {
// |       "items": [1, 2],
// |       "options": ["--shard \"mu['head']=P('data', None)\"", "--shard \"params['head']=P('data', None)\"", "--shard \"x=P(('data', 'model'), None)\"", "--shard \"mu['layers']=P(None, 'data', None)\"", "--shard \"params['layers']=P(None, 'data', None)\"", "--shard \"result[*]['head']=P('data', None)\"", "--shard \"result[*]['layers']=P(None, 'data', None)\""],
// |       "estimate": false,
// |       "with": {"total": 19138404, "peak": 19136556, "moved": 22806532},
// |       "fits": true
// |     }
// |   }
// | }
// |
// ==== shardwright check %s --hardware %d/thirty_megabytes.yaml
// ---- exit 4
// ---- stdout
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  does not fit: 45.0 MiB needed, 30.0 MiB usable on thirty-megabytes
// |             worst moment: dot, step.py:9; alive then: gradients 20.0 MiB, outputs 7.0 MiB, parameters 7.0 MiB, optimizer-state 7.0 MiB
// |             └ 1. shard params['layers'], mu['layers'] and 2 more to P(None, 'model', None): saves 22.0 MiB, moves 9.5 MiB more a step (tried): in_shardings and out_shardings of jax.jit; --shard "mu['head']=P('model', None)" --shard "params['head']=P('model', None)" --shard "mu['layers']=P(None, 'model', None)" --shard "params['layers']=P(None, 'model', None)" and 2 more
// |             └ 2. shard params['layers'] and params['head'] to P(None, 'model', None): saves 14.0 MiB, moves 16.5 MiB more a step (tried): in_shardings and out_shardings of jax.jit; --shard "params['head']=P('model', None)" --shard "params['layers']=P(None, 'model', None)" --shard "result[0]['head']=P('model', None)" --shard "result[0]['layers']=P(None, 'model', None)"
// |             └ 3. shard params['layers'] and mu['layers'] to P(None, 'data', None): saves 13.5 MiB, moves 12.0 MiB more a step (tried): in_shardings and out_shardings of jax.jit; --shard "mu['layers']=P(None, 'data', None)" --shard "params['layers']=P(None, 'data', None)" --shard "result[*]['layers']=P(None, 'data', None)"
// |             └ 4. pin %4, dot_general, step.py:11, f32[2048,512] to P(('data', 'model'), None): saves 11.5 MiB (tried): x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None)); --pin "%4=P(('data', 'model'), None)"
// |             └ 2 more: `shardwright memory`
// |             └ with 1 alone: 23.0 MiB of 30.0 MiB, fits, moves 9.5 MiB more a step
// |
// |   findings
// |     found   donation-missed       advice.mlir:26   params['layers']: not donated, though result[1]['layers'] of the same shape and sharding could take its place; so with 1 more (7.0 MiB on each device)
// |                                   └ jax.jit(..., donate_argnames='params'), if the caller does not need the old value
// |     found   replicated-optimizer-state  advice.mlir:26   mu['layers']: state of the optimizer that is the same along `data`: 4 devices keep and update copies of it; so with 1 more (5.2 MiB on each device)
// |                                   └ shard it by `data` too, on dimension 1: 5.2 MiB less on each device
// |     found   unused-axis           advice.mlir:1   mesh axis `model` (2 devices) cuts no value of the program
// |                                   └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |
// |   failed: 1 of 1 target; 3 findings
// ==== shardwright check %s --hardware h100 --max-memory 20MiB --format markdown --donate "params*" --advice 8
// ---- exit 4
// ---- stdout
// | ### shardwright check
// |
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// | **failed: 1 of 1 target; 2 findings**
// |
// | |  | what | where |  |
// | | --- | --- | --- | --- |
// | | FAILED | fits on h100 | step.py:9 | over the budget: 45.0 MiB needed, 20.0 MiB allowed, 78.7 GiB usable on h100; worst moment: dot, step.py:9; alive then: gradients 26.0 MiB, parameters 7.0 MiB, optimizer-state 7.0 MiB, loop-carries 2.0 MiB; 1. shard params['layers'], mu['layers'] and 2 more to P(None, 'data', None): saves 15.0 MiB, moves 13.0 MiB more a step (tried): in_shardings and out_shardings of jax.jit; --shard "mu['head']=P('data', None)" --shard "params['head']=P('data', None)" --shard "mu['layers']=P(None, 'data', None)" --shard "params['layers']=P(None, 'data', None)" and 2 more; 2. shard x to P(('data', 'model'), None): saves 12.0 MiB (tried): in_shardings of jax.jit, or jax.device_put; --shard "x=P(('data', 'model'), None)"; 3. pin %1, tanh, step.py:9, f32[2048,512] to P(('data', 'model'), None): saves 11.5 MiB (tried): x = jax.lax.with_sharding_constraint(x, P(('data', 'model'), None)); --pin "116:%1=P(('data', 'model'), None)"; 4. remat loop step.py:10, whose backward pass reads f32[6,512,512], f32[6,512,512]: saves about 12.0 MiB (estimated): jax.checkpoint around the body of the scan: it is computed once more in the backward pass; with 1 and 2: 18.0 MiB of 20.0 MiB, fits, moves 14.8 MiB more a step |
// | | found | replicated-optimizer-state | advice.mlir:26 | mu['layers']: state of the optimizer that is the same along `data`: 4 devices keep and update copies of it; so with 1 more; shard it by `data` too, on dimension 1: 5.2 MiB less on each device |
// | | found | unused-axis | advice.mlir:1 | mesh axis `model` (2 devices) cuts no value of the program; annotate an argument with it, for example the batch, or leave it out of the mesh |
// ==== shardwright check %s --hardware %d/thirty_megabytes.yaml --advice 0
// ---- exit 4
// ---- stdout
// | step  ·  advice.mlir (StableHLO, 96 operations)  ·  mesh data=4 × model=2 (8 devices)  ·  Shardy
// |
// |   memory
// |     FAILED  does not fit: 45.0 MiB needed, 30.0 MiB usable on thirty-megabytes
// |             worst moment: dot, step.py:9; alive then: gradients 20.0 MiB, outputs 7.0 MiB, parameters 7.0 MiB, optimizer-state 7.0 MiB
// |             └ donation-missed (7.0 MiB): params['layers']: jax.jit(..., donate_argnames='params'), if the caller does not need the old value
// |             └ replicated-optimizer-state (5.2 MiB): mu['layers']: shard it by `data` too, on dimension 1: 5.2 MiB less on each device
// |
// |   findings
// |     found   donation-missed       advice.mlir:26   params['layers']: not donated, though result[1]['layers'] of the same shape and sharding could take its place; so with 1 more (7.0 MiB on each device)
// |                                   └ jax.jit(..., donate_argnames='params'), if the caller does not need the old value
// |     found   replicated-optimizer-state  advice.mlir:26   mu['layers']: state of the optimizer that is the same along `data`: 4 devices keep and update copies of it; so with 1 more (5.2 MiB on each device)
// |                                   └ shard it by `data` too, on dimension 1: 5.2 MiB less on each device
// |     found   unused-axis           advice.mlir:1   mesh axis `model` (2 devices) cuts no value of the program
// |                                   └ annotate an argument with it, for example the batch, or leave it out of the mesh
// |
// |   failed: 1 of 1 target; 3 findings
// ==== shardwright memory %s --hardware h100 --donate "parms['head']" > /dev/null
// ---- exit 0
// ---- stderr
// | --donate:1:1: warning: `parms['head']` selects no argument of the program [unmatched-rule]
// |   1 | parms['head']
// |     | ^~~~~~~~~~~~~
// | help: did you mean `params['head']`?
// ==== shardwright memory %s --hardware h100 --advice -1
// ---- exit 2
// ---- stderr
// | error: `--advice` takes a number of tries, 0 for none [bad-configuration]
// ==== shardwright memory %s --hardware h100 --advice some
// ---- exit 2
// ---- stderr
// | error: `--advice` takes a number of tries, 0 for none [bad-configuration]
// ==== shardwright memory %s --hardware h100 --shard "result[7]=P('data')" > /dev/null
// ---- exit 0
// ---- stderr
// | --shard:1:1: warning: `result[7]` selects no argument of the program [unmatched-rule]
// |   1 | result[7]=P('data')
// |     | ^~~~~~~~~
// | help: its arguments are `params['head']`, `params['layers']`, `mu['head']`, `mu['layers']`, `x`
// ==== shardwright memory %s --hardware h100 --shard "result[2]=P('data')" --shard "result[0]['head']=P('date')"
// ---- exit 2
// ---- stderr
// | --shard:1:11: error: the spec has 1 entries, `result[2]` has 0 dimensions [sharding-rank]
// |   1 | result[2]=P('data')
// |     |           ^~~~~~~~~
// | --shard:1:21: error: the mesh has no axis `date` [unknown-axis]
// |   1 | result[0]['head']=P('date')
// |     |                     ^~~~~~
// | help: did you mean `data`?
