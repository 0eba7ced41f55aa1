#include "exec/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "ops/attr_reader.h"

namespace sw {

namespace {

// NumPy's code of an element: kind and bytes.
std::string code_of(ElementType element) {
  const std::string width = std::to_string(element_bytes(element));
  if (element == ElementType::pred) return "|b1";
  if (element == ElementType::f16 || element == ElementType::f32 || element == ElementType::f64) return "<f" + width;
  if (is_complex(element)) return "<c" + width;
  if (!is_integer(element)) return "|V" + width;
  const char kind = hlo_spelling(element).starts_with('u') ? 'u' : 'i';
  return (element_bytes(element) == 1 ? "|" : "<") + std::string(1, kind) + width;
}

// The text after `'key':` in the header.
std::string_view field(std::string_view header, std::string_view key) {
  const size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return {};
  const size_t colon = header.find(':', at);
  if (colon == std::string_view::npos) return {};
  std::string_view rest = header.substr(colon + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest;
}

bool read_shape(std::string_view text, DimList& out) {
  if (!text.starts_with('(')) return false;
  text = text.substr(1, text.find(')') - 1);
  while (!text.empty()) {
    int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0) return false;
    out.push_back(extent);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    while (text.starts_with(',') || text.starts_with(' ')) text.remove_prefix(1);
  }
  return true;
}

}  // namespace

std::optional<Array> read_npy(std::string_view bytes, const Type& type, std::string* why) {
  const auto failed = [&](std::string text) -> std::optional<Array> {
    explain(why, std::move(text));
    return std::nullopt;
  };
  if (bytes.size() < 12 || bytes.substr(0, 6) != "\x93NUMPY") return failed("is no .npy file");
  const bool long_header = bytes[6] > 1;
  size_t length = 0;
  for (size_t i = 0; i < (long_header ? 4U : 2U); ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  const size_t start = long_header ? 12 : 10;
  if (bytes.size() < start || bytes.size() - start < length) return failed("ends within its header");
  const std::string_view header = bytes.substr(start, length);
  if (field(header, "fortran_order").starts_with("True")) return failed("is in Fortran order, expected C order");
  std::string_view code = field(header, "descr");
  if (code.size() < 2) return failed("has no element type in its header");
  code = code.substr(1, code.find('\'', 1) - 1);
  const std::string wanted = code_of(type.element), width = std::to_string(element_bytes(type.element));
  if (code != wanted && !(code.starts_with("|V") && code.substr(2) == width))
    return failed("has elements `" + std::string(code) + "`, expected `" + wanted + "`");
  DimList dims;
  if (!read_shape(field(header, "shape"), dims)) return failed("has a shape that cannot be read");
  if (dims != DimList(type.dims)) return failed("has another shape than the argument");
  Array out = new_array(type.element, dims);
  if (bytes.size() - start - length != out.byte_size()) return failed("does not have as many bytes as its shape says");
  if (out.byte_size() > 0) std::memcpy(out.bytes(), bytes.data() + start + length, out.byte_size());
  // Other programs leave the high bits as they come, and true need not be 1.
  if (is_sub_byte(type.element)) to_stored(type.element, out.data<uint8_t>(), out.byte_size());
  if (type.element == ElementType::pred)
    std::transform(out.data<uint8_t>(), out.data<uint8_t>() + out.byte_size(), out.data<uint8_t>(),
                   [](uint8_t x) { return static_cast<uint8_t>(x != 0); });
  return out;
}

std::string write_npy(const Array& array) {
  std::string header = "{'descr': '" + code_of(array.element) + "', 'fortran_order': False, 'shape': (";
  for (const int64_t d : array.dims) header += std::to_string(d) + ",";
  header += "), }";
  constexpr size_t kPrefix = 10, kAlign = 64;
  header += std::string(kAlign - (kPrefix + header.size() + 1) % kAlign, ' ') + "\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(array.bytes()), array.byte_size());
  return out;
}

}  // namespace sw
