// Elementwise ops, and what other ops do with elements of every type.
#include "property/small_worlds_text.h"

namespace sw::test {

namespace {

void add_floats(Worlds& out) {
  for (const char* name : {"abs",
                           "cbrt",
                           "ceil",
                           "cosine",
                           "exponential",
                           "exponential-minus-one",
                           "floor",
                           "log",
                           "log-plus-one",
                           "logistic",
                           "negate",
                           "round-nearest-afz",
                           "round-nearest-even",
                           "rsqrt",
                           "sign",
                           "sine",
                           "sqrt",
                           "tan",
                           "tanh",
                           "erf",
                           "acos",
                           "acosh",
                           "asin",
                           "asinh",
                           "atanh",
                           "cosh",
                           "sinh"})
    out.push_back(op({"f32[5]"}, "f32[5]", std::string(name) + "(p0)", "", WorldInputs::wild));
  out.push_back(op({"f32[5]"}, "pred[5]", "is-finite(p0)", "", WorldInputs::wild));
  out.push_back(
      op({"f32[5]"}, "f32[5]", "reduce-precision(p0), exponent_bits=5, mantissa_bits=4", "", WorldInputs::wild));
  for (const char* name : {"atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"})
    out.push_back(op({"f32[5]", "f32[5]"}, "f32[5]", std::string(name) + "(p0, p1)", "", WorldInputs::wild));
}

void add_integers(Worlds& out) {
  for (const char* name : {"abs", "count-leading-zeros", "not", "popcnt", "sign"})
    out.push_back(op({"s32[3,4]"}, "s32[3,4]", std::string(name) + "(p0)", "", WorldInputs::wild));
  for (const char* name : {"and", "or", "xor", "divide", "remainder", "mulhi", "shift-left", "shift-right-arithmetic",
                           "shift-right-logical"})
    out.push_back(op({"s32[5]", "s32[5]"}, "s32[5]", std::string(name) + "(p0, p1)", "", WorldInputs::wild));
  out.push_back(op({"pred[5]"}, "pred[5]", "not(p0)"));
  for (const char* name : {"and", "or", "xor"})
    out.push_back(op({"pred[5]", "pred[5]"}, "pred[5]", std::string(name) + "(p0, p1)"));
}

void add_complex(Worlds& out) {
  out.push_back(op({"c64[5]"}, "f32[5]", "real(p0)", "", WorldInputs::wild));
  out.push_back(op({"c64[5]"}, "f32[5]", "imag(p0)", "", WorldInputs::wild));
  out.push_back(op({"c64[5]"}, "f32[5]", "abs(p0)", "", WorldInputs::wild));
  out.push_back(op({"c64[5]"}, "c64[5]", "exponential(p0)", "", WorldInputs::wild));
  out.push_back(op({"f32[5]", "f32[5]"}, "c64[5]", "complex(p0, p1)", "", WorldInputs::wild));
  out.push_back(op({"c64[5]", "c64[5]"}, "c64[5]", "divide(p0, p1)", "", WorldInputs::wild));
}

void add_others(Worlds& out) {
  // Bounds that are scalars have a choice of their own, and it is none.
  out.push_back(op({"s32[]", "s32[5,3]", "s32[]"}, "s32[5,3]", "clamp(p0, p1, p2)", "", WorldInputs::wild));
  out.push_back(op({"pred[]", "s32[5]", "s32[5]"}, "s32[5]", "select(c.sp1, p1, p2)",
                   "  c.sp1 = pred[5] broadcast(p0), dimensions={}\n"));
  for (const char* direction : {"EQ", "GE"})
    out.push_back(op({"f32[5]", "f32[5]"}, "pred[5]", std::string("compare(p0, p1), direction=") + direction, "",
                     WorldInputs::wild));
  WorldProgram map = op({"s32[4,3]", "s32[4,3]"}, "s32[4,3]", "map(p0, p1), dimensions={0,1}, to_apply=twice_more");
  map.computations =
      "twice_more {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  a = s32[] add(x, x)\n"
      "  ROOT r = s32[] add(a, y)\n}\n\n";
  out.push_back(std::move(map));
}

struct ElementOf {
  const char* name;
  const char* nine;  // a number, as a constant of the type
  bool adds = true, orders = true;
};

constexpr ElementOf kElements[] = {
    {"pred", "true", false, false},
    {"s4", "5"},
    {"u4", "9"},
    {"s8", "9"},
    {"u8", "9"},
    {"s16", "9"},
    {"u16", "9"},
    {"u32", "9"},
    {"s64", "9"},
    {"u64", "9"},
    {"f16", "9"},
    {"bf16", "9"},
    {"f32", "9"},
    {"f64", "9"},
    {"f8e5m2", "8"},
    {"f8e4m3fn", "9"},
    {"f8e4m3", "9"},
    {"f8e3m4", "9"},
    {"f8e4m3b11fnuz", "9"},
    {"f8e4m3fnuz", "9"},
    {"f8e5m2fnuz", "8"},
    {"f4e2m1fn", "4"},
    {"c64", "(9, 1)", true, false},
    {"c128", "(9, 1)", true, false},
};

}  // namespace

void add_pointwise(Worlds& out) {
  add_floats(out);
  add_integers(out);
  add_complex(out);
  add_others(out);
}

// Padding, moving and adding elements of every type. What fills the padding of a sum or of a largest element depends on
// the type: it must change nothing.
void add_types(Worlds& out) {
  for (const ElementOf& e : kElements) {
    const std::string type = e.name;
    const auto one = [&](const std::vector<std::string>& shapes, const std::string& result, const std::string& call,
                         const std::string& before = "") {
      out.push_back(op(shapes, type + result, call, before, WorldInputs::whole));
    };
    if (type != "s32" && e.orders) one({"s32[5]"}, "[5]", "convert(p0)");
    one({type + "[3]"}, "[5]", "pad(p0, z), padding=1_1", "  z = " + type + "[] constant(" + e.nine + ")\n");
    one({type + "[5]"}, "[5]", "copy(p0)");
    const auto reduce = [&](const std::string& name, const std::string& how, const std::string& from) {
      one({type + "[5]"}, "[]", "reduce(p0, z), dimensions={0}, to_apply=" + name,
          "  z = " + type + "[] constant(" + from + ")\n");
      out.back().computations = reducer(name, type, how);
      one({type + "[5,2]"}, "[2]", "reduce(p0, z), dimensions={0}, to_apply=" + name,
          "  z = " + type + "[] constant(" + from + ")\n");
      out.back().computations = reducer(name, type, how);
    };
    if (type == "pred") {
      reduce("all", "and", "true");
      reduce("any", "or", "false");
      continue;
    }
    one({type + "[5]", type + "[5]"}, "[5]", "add(p0, p1)");
    if (e.adds) reduce("sum", "add", type[0] == 'c' ? "(0, 0)" : "0");
    if (!e.orders) continue;
    reduce("largest", "maximum", "1");
    reduce("smallest", "minimum", "1");
  }
}

}  // namespace sw::test
