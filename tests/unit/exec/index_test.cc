// Gather, scatter, sorting, windows, convolution, random bits, linear algebra: values of the specification and of
// published test vectors.
#include "unit/exec/run_hlo.h"

namespace sw {
namespace {

using test::result_of;

const std::string kAddS32 =
    "add {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = s32[] add(x, y)\n}\n\n";

TEST_CASE("exec: gather takes windows, moved inside where they do not fit", "[exec]") {
  CHECK(result_of("  a = s32[3,2] parameter(0)\n  i = s32[3] parameter(1)\n"
                  "  ROOT r = s32[3,2] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1,2}\n",
                  {"{{1,2},{3,4},{5,6}}", "{2,-1,9}"}) == "{{5,6},{1,2},{5,6}}");
  CHECK(result_of("  a = s32[4] parameter(0)\n  i = s32[2,1] parameter(1)\n"
                  "  ROOT r = s32[2,2] gather(a, i), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={2}\n",
                  {"{1,2,3,4}", "{{1},{3}}"}) == "{{2,3},{3,4}}");
}

TEST_CASE("exec: scatter leaves out windows that do not fit and combines those that meet", "[exec]") {
  CHECK(result_of("  a = s32[4] parameter(0)\n  i = s32[4] parameter(1)\n  u = s32[4] parameter(2)\n"
                  "  ROOT r = s32[4] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n",
                  {"{1,1,1,1}", "{0,0,4,-1}", "{10,20,30,40}"}, kAddS32) == "{31,1,1,1}");
  CHECK(result_of("  a = s32[4] parameter(0)\n  i = s32[2,1] parameter(1)\n  u = s32[2,2] parameter(2)\n"
                  "  ROOT r = s32[4] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n",
                  {"{0,0,0,0}", "{{1},{3}}", "{{5,6},{7,8}}"}, kAddS32) == "{0,5,6,0}");
}

TEST_CASE("exec: sorting is stable and carries other operands along", "[exec]") {
  const std::string by_key =
      "less {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  c = s32[] parameter(2)\n  d = s32[] parameter(3)\n"
      "  ROOT r = pred[] compare(a, b), direction=LT\n}\n\n";
  CHECK(result_of("  k = s32[2,3] parameter(0)\n  v = s32[2,3] parameter(1)\n"
                  "  ROOT r = (s32[2,3], s32[2,3]) sort(k, v), dimensions={1}, is_stable=true, to_apply=less\n",
                  {"{{2,1,2},{0,0,-1}}", "{{1,2,3},{4,5,6}}"}, by_key) == "{{1,2,2},{-1,0,0}} {{2,1,3},{6,4,5}}");
}

TEST_CASE("exec: windows with padding, strides and dilations", "[exec]") {
  CHECK(result_of("  a = s32[5] parameter(0)\n  z = s32[] constant(0)\n"
                  "  ROOT r = s32[3] reduce-window(a, z), window={size=3 stride=2 pad=1_1}, to_apply=add\n",
                  {"{1,2,3,4,5}"}, kAddS32) == "{3,9,9}");
  CHECK(result_of("  a = s32[3] parameter(0)\n  z = s32[] constant(0)\n"
                  "  ROOT r = s32[4] reduce-window(a, z), window={size=2 lhs_dilate=2}, to_apply=add\n",
                  {"{1,2,3}"}, kAddS32) == "{1,2,2,3}");
  CHECK(result_of("  a = s32[5] parameter(0)\n  z = s32[] constant(0)\n"
                  "  ROOT r = s32[3] reduce-window(a, z), window={size=2 rhs_dilate=2}, to_apply=add\n",
                  {"{1,2,3,4,5}"}, kAddS32) == "{4,6,8}");
}

TEST_CASE("exec: select-and-scatter adds to the first of the largest", "[exec]") {
  const std::string select =
      "ge {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = pred[] compare(x, y), direction=GE\n}\n\n";
  CHECK(result_of("  a = s32[6] parameter(0)\n  s = s32[3] parameter(1)\n  z = s32[] constant(0)\n"
                  "  ROOT r = s32[6] select-and-scatter(a, s, z), window={size=2 stride=2}, select=ge, scatter=add\n",
                  {"{1,3,5,5,2,1}", "{10,20,30}"}, select + kAddS32) == "{0,10,20,0,30,0}");
}

TEST_CASE("exec: convolution with padding, strides, dilations, reversal and groups", "[exec]") {
  const auto conv = [](const std::string& in, const std::string& kernel, const std::string& out,
                       const std::string& rest, const std::string& a, const std::string& b) {
    return result_of("  a = f32[" + in + "] parameter(0)\n  b = f32[" + kernel + "] parameter(1)\n  ROOT r = f32[" +
                         out + "] convolution(a, b), window={" + rest + "}, dim_labels=bf0_oi0->bf0\n",
                     {a, b});
  };
  CHECK(conv("1,1,4", "1,1,2", "1,1,3", "size=2", "{{{1,2,3,4}}}", "{{{10,1}}}") == "{{{12,23,34}}}");
  CHECK(conv("1,1,4", "1,1,2", "1,1,3", "size=2 rhs_reversal=1", "{{{1,2,3,4}}}", "{{{10,1}}}") == "{{{21,32,43}}}");
  CHECK(conv("1,1,3", "1,1,2", "1,1,6", "size=2 pad=1_1 lhs_dilate=2", "{{{1,2,3}}}", "{{{10,1}}}") ==
        "{{{1,10,2,20,3,30}}}");
  CHECK(conv("1,1,5", "1,1,2", "1,1,2", "size=2 stride=2 rhs_dilate=2", "{{{1,2,3,4,5}}}", "{{{10,1}}}") ==
        "{{{13,35}}}");
  CHECK(
      result_of(
          "  a = f32[1,4,1] parameter(0)\n  b = f32[4,2,1] parameter(1)\n"
          "  ROOT r = f32[1,4,1] convolution(a, b), window={size=1}, dim_labels=bf0_oi0->bf0, feature_group_count=2\n",
          {"{{{1},{2},{3},{4}}}", "{{{1},{0}},{{0},{1}},{{1},{1}},{{2},{0}}}"}) == "{{{1},{2},{7},{6}}}");
  CHECK(result_of(
            "  a = f32[2,1,1] parameter(0)\n  b = f32[2,1,1] parameter(1)\n"
            "  ROOT r = f32[1,2,1] convolution(a, b), window={size=1}, dim_labels=bf0_oi0->bf0, batch_group_count=2\n",
            {"{{{3}},{{5}}}", "{{{10}},{{100}}}"}) == "{{{30},{500}}}");
}

TEST_CASE("exec: Threefry and Philox give their published numbers", "[exec]") {
  // Random123's test vectors for zero key and counter.
  CHECK(result_of(
            "  s = u64[2] parameter(0)\n  ROOT r = (u64[2], u32[2]) rng-bit-generator(s), algorithm=rng_three_fry\n",
            {"{0,0}"}) == "{0,1} {1797259609,2579123966}");
  CHECK(result_of("  s = u64[3] parameter(0)\n  ROOT r = (u64[3], u32[4]) rng-bit-generator(s), algorithm=rng_philox\n",
                  {"{0,0,0}"}) == "{0,1,0} {1713891541,3781805453,3159862348,2600524760}");
}

TEST_CASE("exec: Fourier transforms there and back", "[exec]") {
  CHECK(result_of("  a = c64[3] parameter(0)\n  ROOT r = c64[3] fft(a), fft_type=FFT, fft_length={3}\n",
                  {"{(1,0),(0,0),(0,0)}"}) == "{(1,0),(1,0),(1,0)}");
  CHECK(result_of("  a = f32[4] parameter(0)\n  f = c64[3] fft(a), fft_type=RFFT, fft_length={4}\n"
                  "  ROOT r = f32[4] fft(f), fft_type=IRFFT, fft_length={4}\n",
                  {"{1,2,3,5}"}) == "{1,2,3,5}");
}

TEST_CASE("exec: triangular systems and Cholesky factors", "[exec]") {
  CHECK(result_of("  a = f32[2,2] parameter(0)\n  ROOT r = f32[2,2] cholesky(a), lower=true\n", {"{{4,9},{2,5}}"}) ==
        "{{2,0},{1,2}}");
  CHECK(result_of("  a = f32[2,2] parameter(0)\n  b = f32[2,1] parameter(1)\n"
                  "  ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE\n",
                  {"{{2,9},{1,4}}", "{{4},{10}}"}) == "{{2},{2}}");
  CHECK(result_of("  a = f32[2,2] parameter(0)\n  b = f32[1,2] parameter(1)\n"
                  "  ROOT r = f32[1,2] triangular-solve(a, b), left_side=false, lower=true, transpose_a=NO_TRANSPOSE\n",
                  {"{{2,9},{1,4}}", "{{6,8}}"}) == "{{2,2}}");
}

TEST_CASE("exec: special functions at known places", "[exec]") {
  CHECK(result_of("  a = f32[3] parameter(0)\n  ROOT r = f32[3] erf(a)\n", {"{0,1,-inf}"}) == "{0,0.842701,-1}");
}

TEST_CASE("exec: batch normalisation over a feature", "[exec]") {
  CHECK(result_of("  a = f32[4,1] parameter(0)\n  s = f32[1] constant({2})\n  o = f32[1] constant({1})\n"
                  "  ROOT r = (f32[4,1], f32[1], f32[1]) batch-norm-training(a, s, o), epsilon=0, feature_index=1\n",
                  {"{{1},{3},{1},{3}}"}) == "{{-1},{3},{-1},{3}} {2} {1}");
}

}  // namespace
}  // namespace sw
