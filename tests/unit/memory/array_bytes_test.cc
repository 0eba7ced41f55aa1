#include "memory/array_bytes.h"

#include <charconv>

#include "support/catch.h"

namespace sw {
namespace {

struct Row {
  const char* shape;
  struct {
    int64_t bytes;
    const char* layout;
  } by_width[5];
};
constexpr Row kRows[] = {
#include "unit/memory/tpu_layouts.inc"
};

std::vector<int64_t> dims_of(std::string_view shape) {
  std::vector<int64_t> dims;
  for (const char *at = shape.data(), *end = at + shape.size(); at < end;) {
    int64_t extent = 0;
    at = std::from_chars(at, end, extent).ptr + 1;
    dims.push_back(extent);
  }
  return dims;
}

struct Chip {
  const char* name;
  std::vector<ElementType> asked;
};

TEST_CASE("bytes: what the compilers for TPU answered, every row", "[memory]") {
  using enum ElementType;
  const Chip chips[] = {{"v5e", {f32, bf16, s8, pred, s4, f8e4m3fn, f16, s16, s32, u32, c64, s64, f64}},
                        {"v5p", {f32, bf16, s8, pred, s4}}};
  TypeTable types;
  size_t rows = 0;
  for (const Chip& chip : chips)
    for (const ElementType element : chip.asked)
      for (const Row& row : kRows) {
        const int64_t width = bits(element);
        const auto& want = row.by_width[width == 4 ? 0 : width == 8 ? 1 : width == 16 ? 2 : width == 32 ? 3 : 4];
        const Type type = types.get(types.tensor(element, dims_of(row.shape)));
        INFO(chip.name << " " << hlo_spelling(element) << "[" << row.shape << "]");
        CHECK(stored_bytes(type, ArrayForm::tiled) == want.bytes);
        CHECK(layout_text(type) == want.layout);
        ++rows;
      }
  CHECK(rows == 936);
}

TEST_CASE("bytes: packed arrays have no padding", "[memory]") {
  TypeTable types;
  const auto packed = [&](ElementType element, std::vector<int64_t> dims) {
    return stored_bytes(types.get(types.tensor(element, dims)), ArrayForm::packed);
  };
  CHECK(packed(ElementType::f32, {}) == 4);
  CHECK(packed(ElementType::pred, {3, 5}) == 15);
  CHECK(packed(ElementType::s4, {101}) == 51);
  CHECK(packed(ElementType::c64, {2}) == 16);
  CHECK(packed(ElementType::f32, {4, 0}) == 0);
  CHECK(packed(ElementType::token, {}) == 0);
}

TEST_CASE("bytes: extents that no machine has saturate", "[memory]") {
  TypeTable types;
  const int64_t huge = int64_t{1} << 40;
  const Type type = types.get(types.tensor(ElementType::f32, std::vector<int64_t>{huge, huge, 3}));
  CHECK(stored_bytes(type, ArrayForm::packed) == INT64_MAX);
  CHECK(stored_bytes(type, ArrayForm::tiled) == INT64_MAX);
}

}  // namespace
}  // namespace sw
