#include "ops/literal.h"

#include <cmath>
#include <limits>

#include "ir/builder.h"
#include "support/catch.h"

namespace sw {
namespace {

struct Table {
  GraphBuilder builder;

  std::optional<Literal> read(DenseForm form, const std::string& text, ElementType element,
                              const std::vector<int64_t>& dims) {
    const TypeId type = builder.types().tensor(element, dims);
    Attr attr;
    attr.kind = AttrKind::dense;
    attr.form = form;
    attr.type = type;
    attr.text = text;
    return read_literal(builder.graph(), builder.attr_table().intern(attr), type);
  }
  std::string hlo(DenseForm form, const std::string& text, ElementType element, const std::vector<int64_t>& dims) {
    const std::optional<Literal> literal = read(form, text, element, dims);
    return literal ? hlo_literal(*literal) : "unknown";
  }
};

TEST_CASE("literal: every spelling of a list gives the same text", "[literal]") {
  Table t;
  const std::string wanted = "{{1, 2.5}, {-3, 0}}";
  CHECK(t.hlo(DenseForm::list, "[[1.0, 2.5], [-3.000000, 0.0]]", ElementType::f32, {2, 2}) == wanted);
  CHECK(t.hlo(DenseForm::list, "{ { 1, 2.5 }, /*i0=1*/{ -3, 0 } }", ElementType::f32, {2, 2}) == wanted);
  CHECK(t.hlo(DenseForm::hex, "0x0000803F00002040000040C000000000", ElementType::f32, {2, 2}) == wanted);
  CHECK(t.hlo(DenseForm::splat, "7", ElementType::s32, {3}) == "{7, 7, 7}");
  CHECK(t.hlo(DenseForm::splat, "true", ElementType::pred, {}) == "true");
  CHECK(t.hlo(DenseForm::hex, "0x05", ElementType::pred, {3}) == "{true, false, true}");
  CHECK(t.hlo(DenseForm::list, "[(1.0,-2.0), (0.5,0.0)]", ElementType::c64, {2}) == "{(1, -2), (0.5, 0)}");
}

TEST_CASE("literal: numbers that are not finite, and the ends of the ranges", "[literal]") {
  Table t;
  CHECK(t.hlo(DenseForm::list, "[0x7F800000, 0xFF800000, 0x7FC00000]", ElementType::f32, {3}) == "{inf, -inf, nan}");
  CHECK(t.hlo(DenseForm::list, "{ inf, -inf, nan(0x1) }", ElementType::bf16, {3}) == "{inf, -inf, nan}");
  CHECK(t.hlo(DenseForm::list, "[18446744073709551615, 1]", ElementType::u64, {2}) == "{18446744073709551615, 1}");
  CHECK(t.hlo(DenseForm::list, "[-9223372036854775808, 1]", ElementType::s64, {2}) == "{-9223372036854775808, 1}");
  CHECK(t.hlo(DenseForm::hex, "0xFF80", ElementType::s8, {2}) == "{-1, -128}");
  const std::optional<Literal> infinite = t.read(DenseForm::splat, "0xFF800000", ElementType::f32, {2});
  REQUIRE(infinite);
  CHECK(mlir_literal(*infinite) == "0xFF800000");
}

TEST_CASE("literal: what the text does not say is not made up", "[literal]") {
  Table t;
  CHECK(t.hlo(DenseForm::list, "{...}", ElementType::f32, {2}) == "unknown");
  CHECK(t.hlo(DenseForm::resource, "big", ElementType::f32, {2}) == "unknown");
  CHECK(t.hlo(DenseForm::list, "[1, 2, 3]", ElementType::s32, {2}) == "unknown");
  CHECK(t.hlo(DenseForm::hex, "0x0000803F0000", ElementType::f32, {2}) == "unknown");
}

TEST_CASE("literal: rounding to narrow types, ties to even", "[literal]") {
  CHECK(*rounded(1.0 + 1.0 / 256, ElementType::bf16) == 1.0);
  CHECK(*rounded(1.0 + 3.0 / 256, ElementType::bf16) == 1.0 + 4.0 / 256);
  CHECK(*rounded(65519.0, ElementType::f16) == 65504.0);
  CHECK(std::isinf(*rounded(65520.0, ElementType::f16)));
  CHECK(*rounded(6e-8, ElementType::f16) == std::ldexp(1.0, -24));
  CHECK(*rounded(449.0, ElementType::f8e4m3fn) == 448.0);
  CHECK(std::isnan(*rounded(1000.0, ElementType::f8e4m3fn)));
  CHECK(std::isinf(*rounded(1e6, ElementType::f8e5m2)));
  CHECK(wrapped(200, ElementType::s8) == -56);
  CHECK(wrapped(-1, ElementType::u16) == 65535);
}

}  // namespace
}  // namespace sw
