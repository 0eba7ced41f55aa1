// StableHLO as XLA would see it: simplified, calls in place, loops without what they leave alone.
#include <algorithm>

#include "support/gspmd.h"

using namespace sw;

namespace {
test::Propagated stablehlo(const std::string& text) { return test::gspmd(text, /*hlo=*/false); }
}  // namespace

TEST_CASE("gspmd stablehlo: a broadcast of one dimension of size 1 is a reshape, and stops nothing") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<32xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) -> tensor<1x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %1 = stablehlo.negate %0 : tensor<1x32xf32>
    return %1 : tensor<1x32xf32>
  }
})");
  CHECK(answer["1"] == "{devices=[1,8]<=[8]}");
  CHECK(answer.outputs == std::vector<std::string>{"{devices=[1,8]<=[8]}"});
}

TEST_CASE("gspmd stablehlo: calls are written out") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<64x32xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<32x64xf32> {
    %0 = call @f(%arg0) : (tensor<64x32xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
  func.func private @f(%arg0: tensor<64x32xf32>) -> tensor<32x64xf32> {
    %1 = stablehlo.sine %arg0 : tensor<64x32xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    return %2 : tensor<32x64xf32>
  }
})");
  CHECK(answer["1"] == "{devices=[2,4]<=[8]}");
  CHECK(answer["0"] == "{devices=[4,2]<=[2,4]T(1,0)}");
}

TEST_CASE("gspmd stablehlo: every copy of a function has steps of its own") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<64xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %0 = call @f(%arg0) : (tensor<64xf32>) -> tensor<64xf32>
    %1 = call @f(%arg1) : (tensor<64xf32>) -> tensor<64xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[4,2]<=[8] last_tile_dim_replicate}"} : (tensor<64xf32>) -> tensor<64xf32>
    return %0, %2 : tensor<64xf32>, tensor<64xf32>
  }
  func.func private @f(%arg0: tensor<64xf32>) -> tensor<64xf32> {
    %3 = stablehlo.sine %arg0 : tensor<64xf32>
    return %3 : tensor<64xf32>
  }
})");
  CHECK(answer["3"] == "{devices=[8]<=[8]}");
  CHECK(answer["1"] == "{devices=[4,2]<=[8] last_tile_dim_replicate}");
  REQUIRE(answer.plan.instances.size() == 3);
  std::vector<uint32_t> instances;
  for (const Step& step : answer.plan.trace.steps)
    if (step.instance != 0) instances.push_back(step.instance);
  std::sort(instances.begin(), instances.end());
  CHECK(instances == std::vector<uint32_t>{1, 2});
}

TEST_CASE("gspmd stablehlo: results may be pinned") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<64x32xf32>) -> (tensor<64x32xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) {
    %0 = stablehlo.sine %arg0 : tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
})");
  CHECK(answer.outputs == std::vector<std::string>{"{devices=[2,4]<=[8]}"});
  CHECK(answer["arg0"] == "{devices=[2,4]<=[8]}");  // not pinned itself, so it follows
}

TEST_CASE("gspmd stablehlo: what a loop leaves alone it uses from outside") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<64x64xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg1) : tensor<64x64xf32>, tensor<i32>, tensor<64xf32>
    cond {
      %c_2 = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.dot_general %iterArg, %iterArg_1, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %3, %2 : tensor<64x64xf32>, tensor<i32>, tensor<64xf32>
    }
    return %0#2 : tensor<64xf32>
  }
})");
  // Inside the loop the product takes x from the rows; the state keeps what came first, from the columns.
  CHECK(answer["2"] == "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(answer.outputs == std::vector<std::string>{"{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"});
  CHECK(answer["arg1"] == "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
}

TEST_CASE("gspmd stablehlo: branches capture what they use") {
  const auto answer = stablehlo(R"(module @m {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<64x32xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) -> tensor<64x32xf32> {
    %0 = "stablehlo.case"(%arg0) ({
      %1 = stablehlo.sine %arg1 : tensor<64x32xf32>
      stablehlo.return %1 : tensor<64x32xf32>
    }, {
      %2 = stablehlo.cosine %arg1 : tensor<64x32xf32>
      stablehlo.return %2 : tensor<64x32xf32>
    }) : (tensor<i32>) -> tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
})");
  for (const char* name : {"0", "1", "2"}) CHECK(answer[name] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd stablehlo: Shardy's constraints are annotations") {
  const auto answer = stablehlo(R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x32xf32> {
    %0 = stablehlo.sine %arg0 : tensor<64x32xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<64x32xf32>
    return %1 : tensor<64x32xf32>
  }
})");
  CHECK(answer["0"] == "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(answer["arg0"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd stablehlo: what a manual computation leaves open may still be tiled, inside and outside") {
  const auto answer = stablehlo(R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<64x128xf32> {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg2: tensor<32x32xf32>, %arg3: tensor<32x128xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {?}]> : tensor<32x128xf32>
      sdy.return %2 : tensor<32x128xf32>
    } : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
    return %0 : tensor<64x128xf32>
  }
})");
  CHECK(answer["arg2"] == "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}");
  CHECK(answer["arg3"] == "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}");
  CHECK(answer["2"] == "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}");
  CHECK(answer["0"] == "{devices=[2,4]<=[8]}");
}

TEST_CASE("gspmd stablehlo: what a manual computation closes stays as it is") {
  const auto answer = stablehlo(R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<64x32xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<32x32xf32>) {
      %1 = stablehlo.sine %arg1 : tensor<32x32xf32>
      sdy.return %1 : tensor<32x32xf32>
    } : (tensor<64x32xf32>) -> tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
})");
  CHECK(answer["arg1"] == "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}");
  CHECK(answer["0"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd stablehlo: a constraint means the axes that are manual where it stands, also in a function called") {
  const auto answer = stablehlo(R"(module @m {
  sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
  func.func public @main(%arg0: tensor<64x32xf32>) -> tensor<64x32xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<32x32xf32>) {
      %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"y", ?}, {?}]>] out_shardings=[<@mesh, [{"y", ?}, {?}]>] manual_axes={"y"} (%arg2: tensor<16x32xf32>) {
        %2 = func.call @f(%arg2) : (tensor<16x32xf32>) -> tensor<16x32xf32>
        sdy.return %2 : tensor<16x32xf32>
      } : (tensor<32x32xf32>) -> tensor<32x32xf32>
      sdy.return %1 : tensor<32x32xf32>
    } : (tensor<64x32xf32>) -> tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
  func.func private @f(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %3 = stablehlo.sine %arg0 : tensor<16x32xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"z"}]> : tensor<16x32xf32>
    return %4 : tensor<16x32xf32>
  }
})");
  CHECK(answer["4"] == "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dims={manual}}");
  // From one manual sharding to another nothing is carried along: only between a manual one and one that is not.
  CHECK(answer["1"] == "{devices=[2,1,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={manual, replicated}}");
  CHECK(answer["0"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd stablehlo: a sharding group is a group of annotations") {
  const auto answer = stablehlo(R"(module @m {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.sine %arg0 : tensor<64xf32>
    %1 = stablehlo.cosine %arg1 : tensor<64xf32>
    sdy.sharding_group %0 group_id=3 : tensor<64xf32>
    sdy.sharding_group %1 group_id=3 : tensor<64xf32>
    return %1 : tensor<64xf32>
  }
})");
  CHECK(answer["1"] == "{devices=[8]<=[8]}");
}

TEST_CASE("gspmd stablehlo: a function that calls itself is an error, not a crash") {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.mlir", R"(module @m {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})");
  Result<Program> program = read_mlir(file, sources, diagnostics);
  if (!program) return;  // the reader may refuse it already
  CHECK_FALSE(propagate_gspmd(*program, {}, {}, diagnostics).has_value());
  CHECK(test::told(diagnostics, sources).find("call-recursion") != std::string::npos);
}
