// A step of training on eight devices: weights and a moment are donated, the batch is cut. What each device needs, on two
// kinds of hardware; a device that is too small; the same in the report of `plan`.
// RUN: shardwright memory %s --hardware h100
// RUN: shardwright memory %s --hardware tpu-v5e --all
// RUN: shardwright memory %s --hardware %d/small.yaml --gate
// RUN: shardwright memory %s --hardware h100 --format json
// RUN: shardwright plan %s --hardware h100
module @jit_step {
  sdy.mesh @mesh = <["data"=8]>
  func.func public @main(%arg0: tensor<512x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("params['w']"),
                         %arg1: tensor<512x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("moments['w']"),
                         %arg2: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"))
      -> (tensor<512x512xf32> {jax.result_info = "result[0]"}, tensor<512x512xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32> loc("jit(step)/dot_general"("model.py":4:4 to :9))
    %1 = stablehlo.tanh %0 : tensor<256x512xf32> loc("jit(step)/tanh"("model.py":5:4 to :9))
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32> loc("jit(step)/dot_general"("model.py":6:4 to :9))
    %3 = stablehlo.add %arg1, %2 : tensor<512x512xf32> loc("jit(step)/add"("model.py":7:4 to :9))
    %4 = stablehlo.subtract %arg0, %3 : tensor<512x512xf32> loc("jit(step)/sub"("model.py":8:4 to :9))
    return %4, %3 : tensor<512x512xf32>, tensor<512x512xf32>
  }
}
// ==== shardwright memory %s --hardware h100
// ---- exit 0
// ---- stdout
// | step  ·  step.mlir (StableHLO, 5 operations)  ·  mesh data=8 (8 devices)  ·  Shardy
// |
// |   3.1 MiB of 78.7 GiB usable on h100, fits; at most 3.1 MiB at one time
// |
// |   arguments    2.1 MiB
// |   results      2.0 MiB   2.0 MiB of it in arguments
// |   temporaries  1.1 MiB
// |   in all       3.1 MiB   3.1 MiB at the worst moment
// |   capacity     79.1 GiB  373.8 MiB of it kept by the runtime
// |
// |   at the worst moment
// |     parameters          1.0 MiB   32 %  ##########
// |     optimizer-state     1.0 MiB   32 %  ##########
// |     collective-buffers  1.0 MiB   32 %  ##########
// |     batch               64.0 KiB  2 %   #
// |     scratch             64.0 KiB  2 %   #
// |
// |   the worst moment is step 5 of 10, dot, model.py:6
// |
// |   largest buffers alive then
// |     1.0 MiB     params['w']   f32[512,512]  parameters          argument
// |     1.0 MiB     moments['w']  f32[512,512]  optimizer-state     argument
// |     1.0 MiB     dot           f32[512,512]  collective-buffers  model.py:6
// |     64.0 KiB    x             f32[32,512]   batch               argument
// |     64.0 KiB    tanh          f32[32,512]   scratch             model.py:5
// |
// |   over the step, temporaries above 2.1 MiB
// |     │    ███  1.1 MiB
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │   ▄███
// ==== shardwright memory %s --hardware tpu-v5e --all
// ---- exit 0
// ---- stdout
// | step  ·  step.mlir (StableHLO, 5 operations)  ·  mesh data=8 (8 devices)  ·  Shardy
// |
// |   2.1 MiB of 15.8 GiB usable on tpu-v5e, fits; at most 2.1 MiB at one time
// |
// |   arguments    2.1 MiB
// |   results      2.0 MiB   2.0 MiB of it in arguments
// |   temporaries  0 B
// |   in all       2.1 MiB   2.1 MiB at the worst moment
// |   capacity     16.0 GiB  256.0 MiB of it kept by the runtime
// |
// |   at the worst moment
// |     parameters       1.0 MiB   48 %  ################
// |     optimizer-state  1.0 MiB   48 %  ################
// |     batch            64.0 KiB  3 %   #
// |
// |   largest buffers alive then
// |     1.0 MiB     params['w']   f32[512,512]  parameters       argument
// |     1.0 MiB     moments['w']  f32[512,512]  optimizer-state  argument
// |     64.0 KiB    x             f32[32,512]   batch            argument
// |
// |   over the step, temporaries above 2.1 MiB
// |     │  1 B
// |     │
// |     │
// |     │
// |     │
// |     │
// |     │
// |     │
// ==== shardwright memory %s --hardware %d/small.yaml --gate
// ---- exit 4
// ---- stdout
// | step  ·  step.mlir (StableHLO, 5 operations)  ·  mesh data=8 (8 devices)  ·  Shardy
// |
// |   3.1 MiB of 2.0 MiB usable on small, does not fit; at most 3.1 MiB at one time
// |
// |   arguments    2.1 MiB
// |   results      2.0 MiB  2.0 MiB of it in arguments
// |   temporaries  1.1 MiB
// |   in all       3.1 MiB  3.1 MiB at the worst moment
// |   capacity     2.0 MiB
// |
// |   at the worst moment
// |     parameters          1.0 MiB   32 %  ##########
// |     optimizer-state     1.0 MiB   32 %  ##########
// |     collective-buffers  1.0 MiB   32 %  ##########
// |     batch               64.0 KiB  2 %   #
// |     scratch             64.0 KiB  2 %   #
// |
// |   the worst moment is step 5 of 10, dot, model.py:6
// |
// |   largest buffers alive then
// |     1.0 MiB     params['w']   f32[512,512]  parameters          argument
// |     1.0 MiB     moments['w']  f32[512,512]  optimizer-state     argument
// |     1.0 MiB     dot           f32[512,512]  collective-buffers  model.py:6
// |     64.0 KiB    x             f32[32,512]   batch               argument
// |     64.0 KiB    tanh          f32[32,512]   scratch             model.py:5
// |
// |   over the step, temporaries above 2.1 MiB
// |     │    ███  1.1 MiB
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │    ███
// |     │   ▄███
// |
// |   what makes it smaller, in the order of XLA's own guide; 9 changes tried
// |     1  shard   params['w'] and moments['w'] to P(None, 'data')
// |                saves 2.2 MiB, moves 512.0 KiB less a step
// |                └ in_shardings of jax.jit, or jax.device_put
// |                  --shard "moments['w']=P(None, 'data')"
// |                  --shard "params['w']=P(None, 'data')"
// |     2  shard   params['w'] to P(None, 'data')
// |                saves 1.2 MiB, moves 512.0 KiB less a step
// |                └ in_shardings of jax.jit, or jax.device_put
// |                  --shard "params['w']=P(None, 'data')"
// |     3  shard   moments['w'] to P('data', None)
// |                saves 832.0 KiB
// |                └ in_shardings of jax.jit, or jax.device_put
// |                  --shard "moments['w']=P('data', None)"
// |
// |     with 1 alone: 896.3 KiB of 2.0 MiB, fits, moves 512.0 KiB less a step
// ==== shardwright memory %s --hardware h100 --format json
// ---- exit 0
// ---- stdout
// | {
// |   "schema_version": 1,
// |   "input": {
// |     "file": "step.mlir",
// |     "format": "stablehlo",
// |     "module": "jit_step"
// |   },
// |   "partitioner": "shardy",
// |   "meshes": [
// |     {
// |       "name": "mesh",
// |       "axes": [{"name": "data", "size": 8}],
// |       "device_ids": null
// |     }
// |   ],
// |   "device_count": 8,
// |   "memory": {
// |     "hardware": "h100",
// |     "rules": "gpu",
// |     "argument": 2162688,
// |     "output": 2097168,
// |     "alias": 2097152,
// |     "temp": 1114128,
// |     "total": 3276832,
// |     "peak": 3276816,
// |     "capacity": 84942979072,
// |     "reserve": 392000000,
// |     "fits": true,
// |     "by_category": {
// |       "parameters": 1048576,
// |       "optimizer-state": 1048576,
// |       "batch": 65536,
// |       "outputs": 0,
// |       "activations": 0,
// |       "gradients": 0,
// |       "collective-buffers": 1048576,
// |       "loop-carries": 0,
// |       "scratch": 65536
// |     },
// |     "worst": {
// |       "step": 4,
// |       "steps": 10,
// |       "line": 16
// |     },
// |     "at_peak": [
// |       {"what": "params['w']", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "parameters", "begin": 0, "end": 10, "line": null, "source": null},
// |       {"what": "moments['w']", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "optimizer-state", "begin": 0, "end": 10, "line": null, "source": null},
// |       {"what": "dot", "shape": "f32[512,512]", "bytes": 1048576, "unpadded_bytes": 1048576, "category": "collective-buffers", "begin": 4, "end": 6, "line": 16, "source": "model.py:6"},
// |       {"what": "x", "shape": "f32[32,512]", "bytes": 65536, "unpadded_bytes": 65536, "category": "batch", "begin": 0, "end": 10, "line": null, "source": null},
// |       {"what": "tanh", "shape": "f32[32,512]", "bytes": 65536, "unpadded_bytes": 65536, "category": "scratch", "begin": 3, "end": 4, "line": 15, "source": "model.py:5"}
// |     ],
// |     "curve": [
// |       [0, 2162704],
// |       [1, 2162704],
// |       [2, 2162704],
// |       [3, 2228240],
// |       [4, 3276816],
// |       [5, 3211280],
// |       [6, 3211280],
// |       [7, 2162704],
// |       [8, 2162704],
// |       [9, 2162704]
// |     ]
// |   },
// |   "advice": null
// | }
// |
// ==== shardwright plan %s --hardware h100
// ---- exit 0
// ---- stdout
// | step  ·  step.mlir (StableHLO, 5 operations)  ·  mesh data=8 (8 devices)  ·  Shardy
// |
// |   arguments  2.1 MiB on a device, of 2.5 MiB in 3 arguments
// |   values     3 sharded, 5 whole on every device
// |   memory     3.1 MiB of 78.7 GiB usable on h100, fits; at most 3.1 MiB at one time
// |
// |   collectives    1.0 MiB a device and step, in 1 collective
// |     over {data}  8 of 8  1.0 MiB  1 all-reduce (1.0 MiB)
// |
// |   largest collectives
// |     all-reduce  over {data}  f32[512,512]  1.0 MiB  model.py:6  dot_general sums over a sharded dimension
// |
// |   whole on every device, though computed from sharded values
// |     dot_general  model.py:6  f32[512,512]  1.0 MiB
// |
// |   arguments       global        on a device  spec
// |     params['w']   f32[512,512]  [512,512]    P()
// |     moments['w']  f32[512,512]  [512,512]    P()
// |     x             f32[256,512]  [32,512]     P('data', None)
// |
// |   results      global        on a device  spec
// |     result[0]  f32[512,512]  [512,512]    P()
// |     result[1]  f32[512,512]  [512,512]    P()
