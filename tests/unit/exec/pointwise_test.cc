// Values from the specification: NaN, infinities, overflow, division by zero, narrow types.
#include "unit/exec/run_hlo.h"

namespace sw {
namespace {

using test::result_of;

std::string unary(const std::string& op, const std::string& type, const std::string& values, const std::string& n,
                  const std::string& out = "") {
  const std::string shape = type + "[" + n + "]";
  return result_of(
      "  a = " + shape + " parameter(0)\n  ROOT r = " + (out.empty() ? type : out) + "[" + n + "] " + op + "(a)\n",
      {values});
}

std::string binary(const std::string& op, const std::string& type, const std::string& a, const std::string& b,
                   const std::string& n, const std::string& rest = "", const std::string& out = "") {
  const std::string shape = type + "[" + n + "]";
  return result_of("  a = " + shape + " parameter(0)\n  b = " + shape + " parameter(1)\n  ROOT r = " +
                       (out.empty() ? type : out) + "[" + n + "] " + op + "(a, b)" + rest + "\n",
                   {a, b});
}

TEST_CASE("exec: integer division, remainder and powers at their edges", "[exec]") {
  CHECK(binary("divide", "s32", "{7,-7,5,-2147483648}", "{2,2,0,-1}", "4") == "{3,-3,-1,-2147483648}");
  CHECK(binary("remainder", "s32", "{7,-7,5,-2147483648}", "{2,2,0,-1}", "4") == "{1,-1,5,0}");
  CHECK(binary("divide", "u8", "{200,7}", "{0,2}", "2") == "{255,3}");
  CHECK(binary("power", "s32", "{2,-1,3,-1}", "{10,-3,-1,-2}", "4") == "{1024,-1,0,1}");
  CHECK(binary("add", "s8", "{127,-128}", "{1,-1}", "2") == "{-128,127}");
  CHECK(binary("multiply", "u16", "{300}", "{300}", "1") == "{24464}");
}

TEST_CASE("exec: the upper half of products", "[exec]") {
  CHECK(binary("mulhi", "s32", "{-2147483648,-1,65536}", "{-2147483648,1,65536}", "3") == "{1073741824,-1,1}");
  CHECK(binary("mulhi", "u32", "{4294967295,4294967295}", "{4294967295,2}", "2") == "{4294967294,1}");
  CHECK(binary("mulhi", "s64", "{-9223372036854775808,-3}", "{-9223372036854775808,5}", "2") ==
        "{4611686018427387904,-1}");
  CHECK(binary("mulhi", "u64", "{18446744073709551615}", "{18446744073709551615}", "1") == "{18446744073709551614}");
  CHECK(binary("mulhi", "s8", "{-128,100}", "{-128,100}", "2") == "{64,39}");
}

TEST_CASE("exec: shifts by the width or more shift everything out", "[exec]") {
  CHECK(binary("shift-left", "s32", "{1,1,1}", "{4,32,-1}", "3") == "{16,0,0}");
  CHECK(binary("shift-right-logical", "s8", "{-1,-1}", "{1,8}", "2") == "{127,0}");
  CHECK(binary("shift-right-arithmetic", "s32", "{-16,-16,16}", "{2,40,40}", "3") == "{-4,-1,0}");
}

TEST_CASE("exec: bits of integers of less than a byte", "[exec]") {
  CHECK(unary("popcnt", "s4", "{-8,-1,7,0}", "4") == "{1,4,3,0}");
  CHECK(unary("count-leading-zeros", "s4", "{-8,1,0}", "3") == "{0,3,4}");
  CHECK(unary("count-leading-zeros", "u2", "{1,3}", "2") == "{1,0}");
  CHECK(binary("shift-left", "s4", "{3,1,1,1}", "{1,3,4,-1}", "4") == "{6,-8,0,0}");
  CHECK(binary("shift-right-logical", "s4", "{-8,-1}", "{3,-1}", "2") == "{1,0}");
  CHECK(binary("shift-right-arithmetic", "s4", "{-8,-8,7}", "{2,5,5}", "3") == "{-2,-1,0}");
}

TEST_CASE("exec: complex numbers, products with infinities and logarithms far from zero", "[exec]") {
  CHECK(result_of("  a = c64[1] parameter(0)\n  b = c64[1] parameter(1)\n  p = c64[1] multiply(a, b)\n"
                  "  x = f32[1] real(p)\n  ROOT is_nan = pred[1] compare(x, x), direction=NE\n",
                  {"{(0,1)}", "{(inf,inf)}"}) == "{true}");
  CHECK(unary("log-plus-one", "c64", "{(0,3e38)}", "1") == "{(88.5968,1.5708)}");
  CHECK(unary("log-plus-one", "c64", "{(-1,0.001)}", "1") == "{(-6.90776,1.5708)}");
  CHECK(unary("exponential-minus-one", "c64", "{(100.5,0)}", "1") == "{(inf,0)}");
}

TEST_CASE("exec: maximum, minimum and sign see NaN", "[exec]") {
  CHECK(binary("maximum", "f32", "{1,nan,inf}", "{nan,2,3}", "3") == "{nan,nan,inf}");
  CHECK(binary("minimum", "f32", "{1,nan,-inf}", "{nan,2,3}", "3") == "{nan,nan,-inf}");
  CHECK(unary("sign", "f32", "{nan,-0,3,-inf}", "4") == "{nan,-0,1,-1}");
  CHECK(unary("is-finite", "f32", "{nan,1,inf}", "3", "pred") == "{false,true,false}");
}

TEST_CASE("exec: comparison by number and by total order", "[exec]") {
  CHECK(binary("compare", "f32", "{nan,-0,1}", "{nan,0,2}", "3", ", direction=LT", "pred") == "{false,false,true}");
  CHECK(binary("compare", "f32", "{nan,-0,1}", "{nan,0,2}", "3", ", direction=NE", "pred") == "{true,false,true}");
  CHECK(binary("compare", "f32", "{nan,-0,inf}", "{nan,0,nan}", "3", ", direction=LT, type=TOTALORDER", "pred") ==
        "{false,true,true}");
}

TEST_CASE("exec: conversions cut, saturate and keep low bits", "[exec]") {
  CHECK(unary("convert", "f32", "{nan,3.7,-3.7,1e20,-inf}", "5", "s32") == "{0,3,-3,2147483647,-2147483648}");
  CHECK(unary("convert", "f32", "{-1,300}", "2", "u8") == "{0,255}");
  CHECK(unary("convert", "s32", "{300,-1}", "2", "u8") == "{44,255}");
  CHECK(unary("convert", "s32", "{9,-9,7}", "3", "s4") == "{-7,7,7}");
  CHECK(unary("convert", "f32", "{0,0.5,nan}", "3", "pred") == "{false,true,true}");
  CHECK(unary("convert", "c64", "{(1.5,2)}", "1", "f32") == "{1.5}");
}

TEST_CASE("exec: small floats are rounded to nearest even after every op", "[exec]") {
  CHECK(unary("convert", "f32", "{1.00390625,1.01171875,3.4e38}", "3", "bf16") == "{1,1.01562,inf}");
  CHECK(binary("add", "bf16", "{256}", "{1}", "1") == "{256}");
  CHECK(unary("convert", "f32", "{65519,65520,6e-8,2e-8}", "4", "f16") == "{65504,inf,5.96046e-08,0}");
  CHECK(unary("convert", "f32", "{448,464,465,nan}", "4", "f8e4m3fn") == "{448,448,nan,nan}");
  CHECK(unary("convert", "f32", "{57344,61440,1e9}", "3", "f8e5m2") == "{57344,inf,inf}");
  CHECK(unary("convert", "f32", "{-0,250,1e9}", "3", "f8e4m3fnuz") == "{0,nan,nan}");
  CHECK(unary("convert", "f32", "{5,7,-9}", "3", "f4e2m1fn") == "{4,6,-6}");
}

TEST_CASE("exec: rounding, precision and bits", "[exec]") {
  CHECK(unary("round-nearest-even", "f32", "{0.5,1.5,-2.5}", "3") == "{0,2,-2}");
  CHECK(unary("round-nearest-afz", "f32", "{0.5,1.5,-2.5}", "3") == "{1,2,-3}");
  CHECK(unary("popcnt", "s32", "{-1,6}", "2") == "{32,2}");
  CHECK(unary("count-leading-zeros", "u8", "{0,1,128}", "3") == "{8,7,0}");
  CHECK(
      result_of("  a = f32[2] parameter(0)\n  ROOT r = f32[2] reduce-precision(a), exponent_bits=5, mantissa_bits=10\n",
                {"{1.00048828125,70000}"}) == "{1,inf}");
}

TEST_CASE("exec: select and clamp take scalars for all elements", "[exec]") {
  CHECK(result_of("  p = pred[] parameter(0)\n  a = s32[2] parameter(1)\n  b = s32[2] parameter(2)\n"
                  "  ROOT r = s32[2] select(p, a, b)\n",
                  {"false", "{1,2}", "{3,4}"}) == "{3,4}");
  CHECK(result_of("  l = bf16[] parameter(0)\n  a = bf16[3] parameter(1)\n  h = bf16[] parameter(2)\n"
                  "  ROOT r = bf16[3] clamp(l, a, h)\n",
                  {"-1", "{-5,0.5,5}", "1"}) == "{-1,0.5,1}");
}

}  // namespace
}  // namespace sw
