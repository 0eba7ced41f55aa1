#include "exec/literal.h"

#include <cstring>

#include "exec/strided.h"
#include "ops/literal.h"

namespace sw {

namespace {

// The elements of the literal, one for a splat, as they lie in memory: little-endian machines only.
void write_elements(const Literal& literal, std::byte* to) {
  const ElementType part = real_part_type(literal.element);
  const auto width = static_cast<size_t>(element_bytes(part));
  const auto write = [&](uint64_t bits) {
    std::memcpy(to, &bits, width);
    to += width;
  };
  for (const int64_t number : literal.whole) write(static_cast<uint64_t>(number));
  for (const double number : literal.real) write(real_bits(number, part));
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
