// What raw attributes mean, for StableHLO and HLO text alike.
#include "ops/dims_conv.h"
#include "ops/dims_dot.h"
#include "ops/dims_gather_scatter.h"
#include "ops/dims_reduce.h"
#include "ops/dims_reshape.h"
#include "ops/dims_slice.h"
#include "unit/ops/reading.h"

using namespace sw;
using test::Reading;

TEST_CASE("a window slides over dilated and padded input", "[dims]") {
  const auto size = [](int64_t input, WindowDim w) { return window_output_size(input, w); };
  CHECK(size(8, {}) == 8);
  CHECK(size(8, {.size = 3}) == 6);
  CHECK(size(8, {.size = 3, .stride = 2, .pad_low = 1, .pad_high = 1}) == 4);
  CHECK(size(4, {.size = 2, .base_dilation = 3}) == 9);
  CHECK(size(9, {.size = 3, .window_dilation = 4}) == 1);
  CHECK(size(8, {.pad_low = -3, .pad_high = -2}) == 3);
  CHECK(size(2, {.size = 3}) == 0);
  CHECK(size(0, {.size = 2, .pad_low = 1, .pad_high = 1}) == 1);
  CHECK(size(3, {.base_dilation = INT64_MAX}) == std::nullopt);
  CHECK(size(8, {.pad_low = INT64_MAX}) == std::nullopt);
}

TEST_CASE("a reshape splits into factors that multiply up to both shapes", "[dims]") {
  const std::vector<std::vector<int64_t>> shapes = {{360},       {2, 180}, {18, 20}, {3, 4, 5, 6},
                                                    {1, 360, 1}, {24, 15}, {5, 72},  {7}};
  for (const auto& from : shapes) {
    for (const auto& to : shapes) {
      ReshapeFactors factors;
      const bool same = (from.size() == 1 && from[0] == 7) == (to.size() == 1 && to[0] == 7);
      REQUIRE(reshape_factors(from, to, factors) == same);
      if (!same) continue;
      std::vector<int64_t> in(from.size(), 1), out(to.size(), 1);
      for (const ReshapeFactor& f : factors) {
        if (f.in >= 0) in[static_cast<size_t>(f.in)] *= f.size;
        if (f.out >= 0) out[static_cast<size_t>(f.out)] *= f.size;
      }
      CHECK(in == from);
      CHECK(out == to);
    }
  }
  ReshapeFactors factors;
  CHECK_FALSE(reshape_factors(std::vector<int64_t>{0, 4}, std::vector<int64_t>{4, 0}, factors));
  CHECK_FALSE(reshape_factors(std::vector<int64_t>{kDynamic}, std::vector<int64_t>{4}, factors));
}

TEST_CASE("HLO and StableHLO give the same dimensions of a product", "[dims]") {
  const Reading mlir = Reading::function("%a: tensor<2x8x4xf32>, %b: tensor<2x4x3xf32>", R"(
%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x8x4xf32>, tensor<2x4x3xf32>) -> tensor<2x8x3xf32>)");
  const Reading hlo = Reading::hlo(R"(HloModule m
ENTRY e {
  a = f32[2,8,4] parameter(0)
  b = f32[2,4,3] parameter(1)
  ROOT d = f32[2,8,3] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
})");
  for (const Reading* reading : {&mlir, &hlo}) {
    DotDims d;
    REQUIRE(read_dot_dims(reading->graph(), reading->last(OpKind::dot_general), d));
    CHECK(d.lhs_batch == DimList{0});
    CHECK(d.rhs_batch == DimList{0});
    CHECK(d.lhs_contract == DimList{2});
    CHECK(d.rhs_contract == DimList{1});
    CHECK(d.lhs_free == DimList{1});
    CHECK(d.rhs_free == DimList{2});
  }
}

TEST_CASE("HLO and StableHLO give the same dimensions of a convolution", "[dims]") {
  const Reading mlir = Reading::function("%a: tensor<4x3x32xf32>, %k: tensor<8x3x5xf32>", R"(
%0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 2]], rhs_dilate = [3], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x32xf32>, tensor<8x3x5xf32>) -> tensor<4x8x12xf32>)");
  const Reading hlo = Reading::hlo(R"(HloModule m
ENTRY e {
  a = f32[4,3,32] parameter(0)
  k = f32[8,3,5] parameter(1)
  ROOT c = f32[4,8,12] convolution(a, k), window={size=5 stride=2 pad=1_2 rhs_dilate=3 rhs_reversal=1}, dim_labels=bf0_oi0->bf0
})");
  for (const Reading* reading : {&mlir, &hlo}) {
    ConvDims d;
    std::string why;
    const bool read = read_conv_dims(reading->graph(), reading->last(OpKind::convolution), d, &why);
    INFO(why);
    REQUIRE(read);
    CHECK(d.input_batch == 0);
    CHECK(d.input_feature == 1);
    CHECK(d.kernel_output_feature == 0);
    CHECK(d.kernel_input_feature == 1);
    CHECK(d.output_feature == 1);
    CHECK(d.input_spatial == DimList{2});
    REQUIRE(d.window.size() == 1);
    CHECK(d.window[0].size == 5);
    CHECK(d.window[0].stride == 2);
    CHECK(d.window[0].pad_high == 2);
    CHECK(d.window[0].window_dilation == 3);
    CHECK(d.window[0].reversal);
    CHECK(window_output_size(32, d.window[0]) == 12);
  }
}

TEST_CASE("dimensions of slices correspond to windows and indices", "[dims]") {
  const Reading reading = Reading::function("%a: tensor<5x3x7x4xf32>, %i: tensor<7x2x5x3xi32>", R"(
%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [2, 0], start_index_map = [1, 3], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x2x5x3xi32>) -> tensor<7x2x5x3xf32>)");
  GatherScatterDims d;
  REQUIRE(read_gather_dims(reading.graph(), reading.last(OpKind::gather), d));
  CHECK(d.window == DimList{3});
  CHECK(d.batch == DimList{0, 2, 3});
  CHECK(d.indices_dims == DimList{0, 2, 3});
  CHECK(d.operand_batch == DimList{0, 2});
  CHECK(d.indices_batch == DimList{2, 0});
}

TEST_CASE("what a reduction computes is told from its body", "[dims]") {
  const auto reducer = [](const std::string& body, const std::string& element = "f32") {
    const Reading reading =
        Reading::function("%a: tensor<8x" + element + ">, %s: tensor<" + element + ">",
                          "%0 = stablehlo.reduce(%a init: %s) across dimensions = [0] : (tensor<8x" + element +
                              ">, tensor<" + element + ">) -> tensor<" + element + ">\n reducer(%x: tensor<" + element +
                              ">, %y: tensor<" + element + ">) {\n" + body + "\n}");
    const OpId op = reading.last(OpKind::reduce);
    return common_reducer(reading.graph(), reading.graph().regions(reading.graph().op(op))[0], 1);
  };
  CHECK(reducer("%0 = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %0 : tensor<f32>") == OpKind::add);
  CHECK(reducer("%0 = stablehlo.maximum %y, %x : tensor<f32>\nstablehlo.return %0 : tensor<f32>") == OpKind::maximum);
  CHECK(reducer("%0 = stablehlo.add %x, %x : tensor<f32>\nstablehlo.return %0 : tensor<f32>") == OpKind::unknown);
  CHECK(reducer("%0 = stablehlo.subtract %x, %y : tensor<f32>\nstablehlo.return %0 : tensor<f32>") == OpKind::unknown);
  CHECK(reducer("stablehlo.return %y : tensor<f32>") == OpKind::unknown);
  CHECK(reducer("%0 = stablehlo.and %x, %y : tensor<i1>\nstablehlo.return %0 : tensor<i1>", "i1") == OpKind::and_);
  CHECK(reducer("%0 = stablehlo.and %x, %y : tensor<i32>\nstablehlo.return %0 : tensor<i32>", "i32") ==
        OpKind::unknown);
}

TEST_CASE("a reader says what is wrong", "[dims]") {
  const Reading reading = Reading::function("%a: tensor<8x4xf32>", R"(
%0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 1>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
%1 = "stablehlo.transpose"(%a) <{permutation = "no"}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
%2 = "stablehlo.transpose"(%a) : (tensor<8x4xf32>) -> tensor<4x8xf32>)");
  std::vector<std::string> said;
  for (size_t i = 0; i < reading.graph().op_count(); ++i) {
    if (reading.graph().op(OpId{i}).kind != OpKind::transpose) continue;
    DimList dims;
    std::string why;
    CHECK_FALSE(read_transpose_dims(reading.graph(), OpId{i}, dims, &why));
    CHECK_FALSE(read_transpose_dims(reading.graph(), OpId{i}, dims));
    said.push_back(why);
  }
  CHECK(said == std::vector<std::string>{"permuted dimension 1 is given twice",
                                         "attribute `permutation` is not a list of integers",
                                         "attribute `permutation` is missing"});
}
