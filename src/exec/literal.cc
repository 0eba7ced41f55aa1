#include "exec/literal.h"

#include <charconv>
#include <complex>
#include <cstdlib>
#include <cstring>

#include "exec/small_float.h"
#include "exec/strided.h"

namespace sw {

namespace {

template <class T>
bool store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
  return true;
}

// The low bytes of an integer: little-endian machines only, which is what the text's hexadecimal bytes mean too.
bool store_bits(uint64_t code, size_t width, std::byte* to) {
  std::memcpy(to, &code, width);
  return true;
}

bool write_integer(ElementType element, std::string_view word, std::byte* to) {
  const auto width = static_cast<size_t>(element_bytes(element));
  if (word == "true" || word == "false") return store_bits(word == "true" ? 1 : 0, width, to);
  int base = 10;
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  if (word.starts_with("0x")) {
    base = 16;
    word.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), magnitude, base);
  if (error != std::errc() || end != word.data() + word.size()) return false;
  return store_bits(negative ? ~magnitude + 1 : magnitude, width, to);
}

bool parse_float(std::string_view word, double& out) {
  const std::string text(word.substr(0, word.find('(')));  // nan(0x1)
  char* end = nullptr;
  out = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

bool write_float(ElementType element, std::string_view word, std::byte* to) {
  const auto width = static_cast<size_t>(element_bytes(element));
  if (word.starts_with("0x")) {  // the bits of the number
    uint64_t code = 0;
    const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), code, 16);
    return error == std::errc() && end == word.data() + word.size() && store_bits(code, width, to);
  }
  double value = 0;
  if (!parse_float(word, value)) return false;
  FloatFormat format;
  if (small_float_format(element, format)) return store_bits(encode_float(value, format), width, to);
  if (element == ElementType::f64) return store(value, to);
  // Rounded once, from the digits.
  return store(std::strtof(std::string(word.substr(0, word.find('('))).c_str(), nullptr), to);
}

// The next element of a list: what stands between brackets, commas and space.
std::string_view next_word(std::string_view text, size_t& at) {
  constexpr std::string_view kBetween = " \t\r\n,[]{}";
  at = text.find_first_not_of(kBetween, at);
  if (at == std::string_view::npos) return {};
  size_t end = text[at] == '(' ? text.find(')', at) : text.find_first_of(kBetween, at);
  if (end != std::string_view::npos && text[at] == '(') ++end;
  end = std::min(end, text.size());
  const std::string_view word = text.substr(at, end - at);
  at = end;
  return word;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Predicates are packed eight to a byte, everything else as in memory; one element stands for all.
bool read_hex(std::string_view digits, Array& out) {
  std::vector<std::byte> bytes(digits.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(digits[2 * i]), low = hex_digit(digits[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::byte>(high * 16 + low);
  }
  const auto count = static_cast<size_t>(out.count()), width = static_cast<size_t>(element_bytes(out.element));
  if (out.element == ElementType::pred && bytes.size() == (count + 7) / 8) {
    for (size_t i = 0; i < count; ++i) out.bytes()[i] = bytes[i / 8] >> (i % 8) & std::byte{1};
    return true;
  }
  if (bytes.size() == count * width) {
    if (count > 0) std::memcpy(out.bytes(), bytes.data(), bytes.size());
    return true;
  }
  if (bytes.size() != width) return false;
  fill(out.bytes(), bytes.data(), count, width);
  return true;
}

bool read_list(std::string_view text, Array& out) {
  const auto count = static_cast<size_t>(out.count()), width = static_cast<size_t>(element_bytes(out.element));
  size_t at = 0;
  for (size_t i = 0; i < count; ++i)
    if (!write_number(out.element, next_word(text, at), out.bytes() + i * width)) return false;
  return next_word(text, at).empty();
}

}  // namespace

bool write_number(ElementType element, std::string_view word, std::byte* to) {
  if (word.empty()) return false;
  if (is_complex(element)) {
    const ElementType part = element == ElementType::c64 ? ElementType::f32 : ElementType::f64;
    const auto width = static_cast<size_t>(element_bytes(part));
    const size_t comma = word.find(',');
    if (!word.starts_with('(')) return write_float(part, word, to) && store_bits(0, width, to + width);
    if (comma == std::string_view::npos || !word.ends_with(')')) return false;
    const auto trimmed = [](std::string_view w) {
      while (w.starts_with(' ')) w.remove_prefix(1);
      while (w.ends_with(' ')) w.remove_suffix(1);
      return w;
    };
    return write_float(part, trimmed(word.substr(1, comma - 1)), to) &&
           write_float(part, trimmed(word.substr(comma + 1, word.size() - comma - 2)), to + width);
  }
  return is_floating(element) ? write_float(element, word, to) : write_integer(element, word, to);
}

std::optional<Array> read_literal(const Graph& graph, AttrId value, TypeId type_id, std::string* why) {
  const Type type = graph.types.get(type_id);
  const auto failed = [&](std::string text) -> std::optional<Array> {
    explain(why, std::move(text));
    return std::nullopt;
  };
  if (!type.is_array() || element_bytes(type.element) == 0 || !type.is_static())
    return failed("a constant of this type cannot be computed with");
  if (!value.valid()) return failed("the constant has no value");
  const Attr attr = graph.attr_table.get(value);
  Array out = new_array(type.element, type.dims);
  if (attr.text.find("...") != std::string_view::npos || attr.form == DenseForm::resource)
    return failed("the elements of the constant are not in the text");
  const auto count = static_cast<size_t>(out.count()), width = static_cast<size_t>(element_bytes(type.element));
  if (attr.form == DenseForm::hex) {
    if (!read_hex(attr.text, out)) return failed("the bytes of the constant do not fit its type");
  } else if (attr.form == DenseForm::splat) {
    std::byte element[16];
    size_t at = 0;
    if (!write_number(type.element, next_word(attr.text, at), element)) return failed("the constant is no number");
    fill(out.bytes(), element, count, width);
  } else if (!read_list(attr.text, out)) {
    return failed("the elements of the constant cannot be read");
  }
  return out;
}

}  // namespace sw
