// Arrays in NumPy's files: what is read is stored as the interpreter expects it.
#include "exec/npy.h"

#include "exec/literal.h"
#include "support/catch.h"
#include "unit/exec/run_hlo.h"

namespace sw {
namespace {

// A file whose elements have this code and these bytes.
std::string file_of(const std::string& code, const std::string& bytes) {
  Array shape = new_array(ElementType::u8, std::vector<int64_t>{static_cast<int64_t>(bytes.size())});
  std::copy(bytes.begin(), bytes.end(), shape.data<char>());
  std::string file = write_npy(shape);
  const size_t at = file.find("|u1");
  return file.replace(at, 3, code);
}

std::string read(ElementType element, const std::string& code, const std::string& bytes) {
  Type type;
  type.kind = TypeKind::tensor;
  type.element = element;
  const int64_t count = static_cast<int64_t>(bytes.size());
  type.dims = std::span(&count, 1);
  std::string why;
  const std::optional<Array> array = read_npy(file_of(code, bytes), type, &why);
  return array.has_value() ? test::text_of(*array) : why;
}

TEST_CASE("npy: of integers of less than a byte the low bits count", "[exec]") {
  CHECK(read(ElementType::s4, "|V1", "\x08\x0f\x07\xf8") == "{-8,-1,7,-8}");
  CHECK(read(ElementType::u4, "|V1", "\x08\xff") == "{8,15}");
  CHECK(read(ElementType::s4, "|i1", "\xf9\x01") == "{-7,1}");
}

TEST_CASE("npy: every byte but zero is true", "[exec]") {
  CHECK(read(ElementType::pred, "|b1", std::string("\x00\x01\x02\xff", 4)) == "{false,true,true,true}");
}

TEST_CASE("npy: elements of another kind are refused", "[exec]") {
  CHECK(read(ElementType::s8, "|u1", "a") == "has elements `|u1`, expected `|i1`");
}

}  // namespace
}  // namespace sw
