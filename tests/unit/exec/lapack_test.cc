// What LAPACK's routines compute, on matrices whose answers can be worked out by hand: signs of reflectors, pivots,
// what stands for failure, and the sides and transposes of products.
#include <cmath>
#include <numbers>

#include "exec/element_loop.h"
#include "exec/spectral.h"
#include "unit/exec/run_hlo.h"

namespace sw {
namespace {

using test::result_of;

std::string call(const std::string& result, const std::string& operands, const std::string& target,
                 const std::string& config = "") {
  return "  ROOT r = " + result + " custom-call(" + operands + "), custom_call_target=\"" + target +
         "\", api_version=API_VERSION_TYPED_FFI" + (config.empty() ? "" : ", backend_config={" + config + "}") + "\n";
}

const std::string kA22 = "  a = f64[2,2] parameter(0)\n";

TEST_CASE("exec: QR leaves reflectors as LAPACK scales them, and products apply them", "[exec]") {
  CHECK(result_of(kA22 + call("(f64[2,2], f64[2])", "a", "lapack_dgeqrf_ffi"), {"{{3,1},{4,2}}"}) ==
        "{{-5,-2.2},{0.5,0.4}} {1.6,0}");
  const std::string reflectors = kA22 + "  t = f64[2] parameter(1)\n";
  const std::vector<std::string> given = {"{{-5,-2.2},{0.5,0.4}}", "{1.6,0}"};
  CHECK(result_of(reflectors + call("f64[2,2]", "a, t", "lapack_dorgqr_ffi"), given) == "{{-0.6,-0.8},{-0.8,0.6}}");
  // q c with c one column, and c q with c one row; q is symmetric here, so that a transpose changes nothing.
  CHECK(result_of(reflectors + "  c = f64[2,1] parameter(2)\n" +
                      call("f64[2,1]", "a, t, c", "lapack_dormqr_ffi", "left = true, transpose = false"),
                  {given[0], given[1], "{{1},{2}}"}) == "{{-2.2},{0.4}}");
  CHECK(result_of(reflectors + "  c = f64[1,2] parameter(2)\n" +
                      call("f64[1,2]", "a, t, c", "lapack_dormqr_ffi", "left = false, transpose = true"),
                  {given[0], given[1], "{{1,2}}"}) == "{{-2.2,0.4}}");
}

TEST_CASE("exec: pivoted QR takes the longest column first, behind those that must stay in front", "[exec]") {
  const std::string lines =
      kA22 + "  p = s32[2] parameter(1)\n" + call("(f64[2,2], s32[2], f64[2])", "a, p", "lapack_dgeqp3_ffi");
  CHECK(result_of(lines, {"{{1,3},{0,4}}", "{0,0}"}) == "{{-5,-0.6},{0.5,-0.8}} {2,1} {1.6,0}");
  CHECK(result_of(lines, {"{{1,3},{0,4}}", "{1,0}"}) == "{{1,3},{0,4}} {1,2} {0,0}");
}

TEST_CASE("exec: LU exchanges rows, numbers pivots from 1 and reports the first zero one", "[exec]") {
  const std::string lines =
      "  a = f32[2,2,2] parameter(0)\n" + call("(f32[2,2,2], s32[2,2], s32[2])", "a", "lapack_sgetrf_ffi");
  CHECK(result_of(lines, {"{{{2,4},{4,4}},{{0,0},{0,1}}}"}) == "{{{4,4},{0.5,2}},{{0,0},{0,1}}} {{2,2},{1,2}} {0,1}");
  // The larger of 3 + 4i and 6 by the sum of both parts is the first.
  CHECK(result_of("  a = c128[2,1] parameter(0)\n" + call("(c128[2,1], s32[1], s32[])", "a", "lapack_zgetrf_ffi"),
                  {"{{(6,0)},{(3,4)}}"}) == "{{(3,4)},{(0.72,-0.96)}} {2} 0");
}

TEST_CASE("exec: eigenvalues ascend, vectors have a positive leading component, one triangle is read", "[exec]") {
  const std::string result = "(f64[2,2], f64[2], s32[])";
  const std::string both = "{{0.707107,0.707107},{-0.707107,0.707107}} {1,3} 0";
  CHECK(result_of(kA22 + call(result, "a", "lapack_dsyevd_ffi", "mode = 86 : ui8, uplo = 76 : ui8"),
                  {"{{2,9},{1,2}}"}) == both);
  CHECK(result_of(kA22 + call(result, "a", "lapack_dsyevd_ffi", "mode = 86 : ui8, uplo = 85 : ui8"),
                  {"{{2,1},{9,2}}"}) == both);
  CHECK(result_of(kA22 + call(result, "a", "lapack_dsyevd_ffi"), {"{{nan,1},{1,2}}"}) ==
        "{{nan,nan},{nan,nan}} {nan,nan} 1");
}

TEST_CASE("exec: eigenvectors of a complex matrix make it diagonal", "[exec]") {
  std::vector<Number> a = {2, Number(0, -1), Number(0, 1), 2}, v(4);
  std::vector<double> w(2);
  REQUIRE(hermitian_eigen({a, 2, 2}, true, false, w, {v, 2, 2}));
  CHECK(std::fabs(w[0] - 1) + std::fabs(w[1] - 3) < 1e-12);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j) {
      const Number product = a[2 * i] * v[j] + a[2 * i + 1] * v[2 + j];
      CHECK(std::abs(product - w[j] * v[2 * i + j]) < 1e-12);
    }
}

TEST_CASE("exec: singular values descend, and the left vectors follow the right ones", "[exec]") {
  const std::string config = "mode = 83 : ui8";
  CHECK(result_of(kA22 + call("(f64[2,2], f64[2], f64[2,2], f64[2,2], s32[])", "a", "lapack_dgesdd_ffi", config),
                  {"{{-2,0},{0,3}}"}) == "{{-2,0},{0,3}} {3,2} {{0,-1},{1,-0}} {{0,1},{1,0}} 0");
  // Of a row: one singular value; all right vectors only when they are asked for.
  const std::string row = "  a = f64[1,2] parameter(0)\n";
  CHECK(result_of(row + call("(f64[1,2], f64[1], f64[1,1], f64[1,2], s32[])", "a", "lapack_dgesdd_ffi", config),
                  {"{{3,4}}"}) == "{{3,4}} {5} {{1}} {{0.6,0.8}} 0");
  CHECK(result_of(row + call("(f64[1,2], f64[1], f64[1,1], f64[2,2], s32[])", "a", "lapack_dgesvd_ffi"), {"{{3,4}}"}) ==
        "{{3,4}} {5} {{1}} {{0.6,0.8},{0.8,-0.6}} 0");
  CHECK(result_of(row + call("(f64[1,2], f64[1], f64[1,1], f64[1,2], s32[])", "a", "lapack_dgesdd_ffi", config),
                  {"{{3,inf}}"}) == "{{3,inf}} {nan} {{nan}} {{nan,nan}} 1");
}

TEST_CASE("exec: a tridiagonal system with a pivot that needs an exchange", "[exec]") {
  const std::string lines =
      "  l = f64[3] parameter(0)\n  d = f64[3] parameter(1)\n  u = f64[3] parameter(2)\n  b = f64[3,1] parameter(3)\n" +
      call("(f64[3], f64[3], f64[3], f64[3,1], s32[])", "l, d, u, b", "lapack_dgtsv_ffi");
  // 2 y = 4, x + y + z = 6, y + z = 5
  CHECK(result_of(lines, {"{7,1,1}", "{0,1,1}", "{2,1,7}", "{{4},{6},{5}}"}) ==
        "{7,1,1} {0,1,1} {2,1,7} {{1},{2},{3}} 0");
  CHECK(result_of(lines, {"{0,0,0}", "{1,0,1}", "{0,0,0}", "{{1},{1},{1}}"}).ends_with(" 2"));
}

TEST_CASE("exec: what no LAPACK routine takes is refused", "[exec]") {
  CHECK(result_of("  a = f64[2] parameter(0)\n" + call("(f64[2], f64[2])", "a", "lapack_dgeqrf_ffi"), {"{1,2}"})
            .find("other operands or results than its routine has") != std::string::npos);
  CHECK(result_of(kA22 + call("(f64[2,2], s32[1], s32[])", "a", "lapack_dgetrf_ffi"), {"{{1,2},{3,4}}"})
            .find("other operands or results than its routine has") != std::string::npos);
  CHECK(result_of(kA22 + call("f64[2,2]", "a", "lapack_dnothing_ffi"), {"{{1,2},{3,4}}"})
            .find("not among those computed here") != std::string::npos);
}

TEST_CASE("exec: the inverse of the error function, on both sides of where it changes its form", "[exec]") {
  const LoopFn loop = special_loop(OpKind::chlo_erf_inv, ElementType::f64);
  REQUIRE(loop != nullptr);
  const double x[] = {-0.9999, -0.7, -0.3, 0, 0.5, 0.500001, 0.999999999};
  double y[std::size(x)];
  const void* in[] = {x};
  loop(in, y, std::size(x), 0);
  for (size_t i = 0; i < std::size(x); ++i) CHECK(std::fabs(std::erf(y[i]) - x[i]) < 1e-15);
}

TEST_CASE("exec: random draws lie in their range and are the same every time", "[exec]") {
  const std::string module =
      "  a = f64[] constant(2)\n  b = f64[] constant(3)\n  ROOT u = f64[4] rng(a, b), distribution=rng_uniform\n";
  const std::string first = result_of(module, {});
  CHECK(first.starts_with("{2."));
  CHECK(first == result_of(module, {}));
  const std::string normal =
      "  a = f64[] constant(5)\n  b = f64[] constant(0)\n  ROOT u = f64[2] rng(a, b), distribution=rng_normal\n";
  CHECK(result_of(normal, {}) == "{5,5}");
  const std::string integers =
      "  a = s32[] constant(-7)\n  b = s32[] constant(-6)\n  ROOT u = s32[3] rng(a, b), distribution=rng_uniform\n";
  CHECK(result_of(integers, {}) == "{-7,-7,-7}");
}

}  // namespace
}  // namespace sw
