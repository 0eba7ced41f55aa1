// See the header. Numbers are found by walking over the text once; brackets only tell numbers apart, since the reader
// of the program has checked that they nest as the shape says.
#include "ops/literal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "ops/small_float.h"

namespace sw {

int64_t Literal::element_count() const {
  int64_t count = 1;
  for (const int64_t extent : dims) count *= extent;
  return count;
}

// ---- rounding ------------------------------------------------------------------------------------------------------

std::optional<double> rounded(double value, ElementType element) {
  if (element == ElementType::f64) return value;
  if (element == ElementType::f32) return static_cast<double>(static_cast<float>(value));
  FloatFormat format;
  // Without a sign or NaN, what overflows or is negative does not round as usual.
  if (!small_float_format(element, format) || !format.has_sign || !format.has_nan) return std::nullopt;
  return decode_float(encode_float(value, format), format);
}

int64_t wrapped(int64_t value, ElementType element) {
  if (element == ElementType::pred) return value != 0 ? 1 : 0;
  const int64_t width = bits(element);
  if (width <= 0 || width >= 64) return value;
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1);
  const bool is_signed = hlo_spelling(element).starts_with('s');
  const bool negative = is_signed && ((low >> (width - 1)) & 1U) != 0;
  return static_cast<int64_t>(negative ? low | ~((uint64_t{1} << width) - 1) : low);
}

// ---- reading -------------------------------------------------------------------------------------------------------

namespace {

// A floating-point number from its bits; nothing for a type whose bits are not known here.
std::optional<double> real_from_bits(uint64_t bits, ElementType element) {
  if (element == ElementType::f64) return std::bit_cast<double>(bits);
  if (element == ElementType::f32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  FloatFormat format;
  if (small_float_format(element, format)) return decode_float(static_cast<uint32_t>(bits), format);
  return std::nullopt;
}

class Numbers {
 public:
  Numbers(std::string_view text, Literal& out) : text_(text), out_(out), part_(real_part_type(out.element)) {}

  bool read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (std::string_view(" \t\r\n,[]{}()").find(c) != std::string_view::npos) {
        ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        const size_t end = text_.find("*/", at_);
        if (end == std::string_view::npos) return false;
        at_ = end + 2;
      } else if (!number()) {
        return false;
      }
    }
    return true;
  }

 private:
  bool number() {
    const size_t end = std::min(text_.find_first_of(" \t\r\n,[]{}()", at_), text_.size());
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (word == "nan" || word == "-nan")  // perhaps with its bits
      if (at_ < text_.size() && text_[at_] == '(') at_ = std::min(text_.find(')', at_), text_.size() - 1) + 1;
    return out_.is_whole() ? whole(word) : real(word);
  }

  bool whole(std::string_view word) {
    if (word == "true" || word == "false") {
      out_.whole.push_back(word == "true" ? 1 : 0);
      return true;
    }
    const bool negative = word.starts_with('-');
    if (negative || word.starts_with('+')) word.remove_prefix(1);
    const bool hex = word.starts_with("0x");
    if (hex) word.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10);
    if (error != std::errc{} || end != word.data() + word.size()) return false;
    out_.whole.push_back(wrapped(static_cast<int64_t>(negative ? ~value + 1 : value), out_.element));
    return true;
  }

  bool real(std::string_view word) {
    const bool negative = word.starts_with('-');
    if (negative || word.starts_with('+')) word.remove_prefix(1);
    if (word.starts_with("0x")) {
      word.remove_prefix(2);
      uint64_t bits = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
      if (error != std::errc{} || end != word.data() + word.size()) return false;
      const std::optional<double> value = real_from_bits(bits, part_);
      if (value) out_.real.push_back(*value);
      return value.has_value();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) return false;
    if (error != std::errc{} || end != word.data() + word.size()) return false;
    const std::optional<double> near = rounded(value, part_);
    out_.real.push_back(negative ? -near.value_or(value) : near.value_or(value));
    return true;
  }

  std::string_view text_;
  Literal& out_;
  ElementType part_;
  size_t at_ = 0;
};

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Little-endian bytes: of all elements, or of one that stands for all. Predicates may be bits.
bool read_bytes(std::string_view hex, Literal& out) {
  if (hex.starts_with("0x") || hex.starts_with("0X")) hex.remove_prefix(2);
  std::vector<uint8_t> bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<uint8_t>(high * 16 + low));
  }
  const ElementType part = real_part_type(out.element);
  const auto size = static_cast<size_t>((bits(part) + 7) / 8), width = out.width();
  const auto count = static_cast<size_t>(out.element_count());
  if (size == 0 || size > 8) return false;
  if (out.element == ElementType::pred && bytes.size() != count && bytes.size() == (count + 7) / 8) {
    for (size_t i = 0; i < count; ++i) out.whole.push_back((bytes[i / 8] >> (i % 8)) & 1);
    return true;
  }
  if (bytes.size() == size * width) out.splat = true;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    uint64_t value = 0;
    for (size_t b = size; b-- > 0;) value = value << 8 | bytes[at + b];
    if (out.is_whole()) {
      out.whole.push_back(wrapped(static_cast<int64_t>(value), out.element));
      continue;
    }
    const std::optional<double> real = real_from_bits(value, part);
    if (!real) return false;
    out.real.push_back(*real);
  }
  return true;
}

}  // namespace

std::optional<Literal> read_literal(const Graph& graph, AttrId value, TypeId type) {
  if (!value.valid()) return std::nullopt;
  const Attr attr = graph.attr_table.get(value);
  const Type t = graph.types.get(type);
  if (attr.kind != AttrKind::dense || !t.is_array() || !t.is_static()) return std::nullopt;
  Literal out;
  out.element = t.element;
  out.dims.assign(t.dims.begin(), t.dims.end());
  switch (attr.form) {
    case DenseForm::splat:
      out.splat = true;
      if (!Numbers(attr.text, out).read()) return std::nullopt;
      break;
    case DenseForm::list:
      if (!Numbers(attr.text, out).read()) return std::nullopt;
      break;
    case DenseForm::hex:
      if (!read_bytes(attr.text, out)) return std::nullopt;
      break;
    default: return std::nullopt;
  }
  const size_t found = out.is_whole() ? out.whole.size() : out.real.size();
  const size_t wanted = out.splat ? out.width() : static_cast<size_t>(t.element_count()) * out.width();
  if (found != wanted) return std::nullopt;
  return out;
}

std::optional<std::vector<int64_t>> constant_integers(const Graph& graph, OpId op) {
  const AttrId value = graph.attr(graph.op(op), "value");
  if (!value.valid() || graph.attr_table.get(value).form == DenseForm::hex) return std::nullopt;
  std::optional<Literal> literal = read_literal(graph, value, graph.value(graph.result(op)).type);
  if (!literal || !literal->is_whole()) return std::nullopt;
  if (literal->splat) literal->whole.resize(static_cast<size_t>(literal->element_count()), literal->whole[0]);
  return std::move(literal->whole);
}

std::optional<int64_t> counted_dim_of_constant(const Graph& graph, OpId op) {
  constexpr int64_t kMaxElements = int64_t{1} << 20;
  const Type type = graph.type_of(graph.result(op));
  if (type.element_count() > kMaxElements) return std::nullopt;
  const auto values = constant_integers(graph, op);
  if (!values) return std::nullopt;
  int64_t stride = type.element_count();
  for (size_t d = 0; d < type.rank(); ++d) {
    stride /= std::max<int64_t>(type.dims[d], 1);
    if (type.dims[d] <= 1) continue;
    bool counts = true;
    for (size_t i = 0; i < values->size() && counts; ++i)
      counts = (*values)[i] == static_cast<int64_t>(i) / std::max<int64_t>(stride, 1) % type.dims[d];
    if (counts) return static_cast<int64_t>(d);
  }
  return std::nullopt;
}

// ---- writing -------------------------------------------------------------------------------------------------------

uint64_t real_bits(double value, ElementType element) {
  if (element == ElementType::f64) return std::bit_cast<uint64_t>(value);
  FloatFormat format;
  if (small_float_format(element, format)) return encode_float(value, format);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

namespace {

enum class Spelling : uint8_t { mlir, hlo };

void append_real(double value, ElementType element, Spelling spelling, std::string& out) {
  if (!std::isfinite(value) && spelling == Spelling::hlo) {
    out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return;
  }
  std::array<char, 40> digits{};
  char* const begin = digits.data();
  char* const end = begin + digits.size();
  if (!std::isfinite(value)) {  // MLIR: the bits
    const uint64_t bits = real_bits(value, element);
    out += "0x";
    for (int64_t shift = sw::bits(element) - 4; shift >= 0; shift -= 4)
      out += "0123456789ABCDEF"[(bits >> shift) & 15U];
    return;
  }
  // The shortest that reads back as the same number of the type; MLIR wants to see that it is no integer.
  const char* last = begin;
  const auto single = static_cast<float>(value);
  if (spelling == Spelling::mlir)
    last = (element == ElementType::f64 ? std::to_chars(begin, end, value, std::chars_format::scientific)
                                        : std::to_chars(begin, end, single, std::chars_format::scientific))
               .ptr;
  else
    last = (element == ElementType::f64 ? std::to_chars(begin, end, value) : std::to_chars(begin, end, single)).ptr;
  out.append(begin, static_cast<size_t>(last - begin));
}

void append_element(const Literal& literal, size_t i, Spelling spelling, std::string& out) {
  if (literal.element == ElementType::pred) {
    out += literal.whole[i] != 0 ? "true" : "false";
  } else if (literal.element == ElementType::u64 && literal.whole[i] < 0) {
    out += std::to_string(static_cast<uint64_t>(literal.whole[i]));
  } else if (literal.is_whole()) {
    out += std::to_string(literal.whole[i]);
  } else if (is_complex(literal.element)) {
    const ElementType part = real_part_type(literal.element);
    out += '(';
    append_real(literal.real[2 * i], part, spelling, out);
    out += spelling == Spelling::hlo ? ", " : ",";
    append_real(literal.real[2 * i + 1], part, spelling, out);
    out += ')';
  } else {
    append_real(literal.real[i], literal.element, spelling, out);
  }
}

// Brackets open before the first element of each block and close after its last.
std::string nested(const Literal& literal, Spelling spelling) {
  const char open = spelling == Spelling::mlir ? '[' : '{', close = spelling == Spelling::mlir ? ']' : '}';
  std::string out;
  std::vector<int64_t> block = literal.dims;  // elements from each depth on
  for (size_t d = block.size(); d-- > 1;) block[d - 1] *= block[d];
  const int64_t count = literal.element_count();
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    for (const int64_t elements : block)
      if (i % elements == 0) out += open;
    append_element(literal, literal.splat ? 0 : static_cast<size_t>(i), spelling, out);
    for (const int64_t elements : block)
      if ((i + 1) % elements == 0) out += close;
  }
  return out;
}

}  // namespace

std::string mlir_literal(const Literal& literal) {
  if (!literal.splat) return nested(literal, Spelling::mlir);
  std::string out;
  append_element(literal, 0, Spelling::mlir, out);
  return out;
}

std::string hlo_literal(const Literal& literal) { return nested(literal, Spelling::hlo); }

std::string hlo_element(const Literal& literal) {
  std::string out;
  append_element(literal, 0, Spelling::hlo, out);
  return out;
}

AttrId literal_attr(AttrTable& table, TypeId type, const Literal& literal) {
  const DenseForm form = literal.splat || literal.dims.empty() ? DenseForm::splat : DenseForm::list;
  return table.dense(form, type, mlir_literal(literal));
}

}  // namespace sw
