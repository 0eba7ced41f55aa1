#include "exec/literal.h"

#include <cstring>

#include "exec/strided.h"
#include "ops/literal.h"
#include "ops/small_float.h"

namespace sw {

namespace {

// Numbers as they lie in memory: little-endian machines only.
class Encoder {
 public:
  explicit Encoder(ElementType element) : element_(element), is_small_(small_float_format(element, format_)) {}

  void whole(int64_t number, std::byte* to) const {
    std::memcpy(to, &number, static_cast<size_t>(element_bytes(element_)));
  }
  void real(double number, std::byte* to) const {
    if (is_small_) {
      const uint32_t code = encode_float(number, format_);
      std::memcpy(to, &code, static_cast<size_t>(element_bytes(element_)));
    } else if (element_ == ElementType::f64 || element_ == ElementType::c128) {
      std::memcpy(to, &number, sizeof number);
    } else {
      const auto narrow = static_cast<float>(number);
      std::memcpy(to, &narrow, sizeof narrow);
    }
  }

 private:
  ElementType element_;
  FloatFormat format_;
  bool is_small_;
};

// The elements of the literal, one for a splat.
void write_elements(const Literal& literal, std::byte* to) {
  const Encoder encoder(literal.element);
  const size_t width = static_cast<size_t>(element_bytes(literal.element)) / literal.width();
  for (const int64_t number : literal.whole) {
    encoder.whole(number, to);
    to += width;
  }
  for (const double number : literal.real) {
    encoder.real(number, to);
    to += width;
  }
}

}  // namespace

std::optional<Array> read_array(const Graph& graph, AttrId value, TypeId type_id, std::string* why) {
  const Type type = graph.types.get(type_id);
  const auto failed = [&](std::string text) -> std::optional<Array> {
    explain(why, std::move(text));
    return std::nullopt;
  };
  if (!type.is_array() || element_bytes(type.element) == 0 || !type.is_static())
    return failed("a constant of this type cannot be computed with");
  if (!value.valid()) return failed("the constant has no value");
  const Attr attr = graph.attr_table.get(value);
  if (attr.text.find("...") != std::string_view::npos || attr.form == DenseForm::resource)
    return failed("the elements of the constant are not in the text");
  const std::optional<Literal> literal = read_literal(graph, value, type_id);
  if (!literal) return failed("the elements of the constant cannot be read");
  Array out = new_array(type.element, type.dims);
  if (literal->splat) {
    std::byte element[16];
    write_elements(*literal, element);
    fill(out.bytes(), element, static_cast<size_t>(out.count()), static_cast<size_t>(element_bytes(type.element)));
  } else {
    write_elements(*literal, out.bytes());
  }
  return out;
}

}  // namespace sw
