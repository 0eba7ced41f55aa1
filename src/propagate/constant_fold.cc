// See the header. Pointwise ops element by element; ops that move elements by walking over the operand.
#include "propagate/constant_fold.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace sw {

namespace {

bool is_unsigned(ElementType element) { return hlo_spelling(element).starts_with('u'); }

std::optional<int64_t> whole_binary(OpKind kind, int64_t a, int64_t b, ElementType element) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const bool natural = is_unsigned(element);
  const bool less = natural ? x < y : a < b;
  switch (kind) {
    case OpKind::add: return static_cast<int64_t>(x + y);
    case OpKind::subtract: return static_cast<int64_t>(x - y);
    case OpKind::multiply: return static_cast<int64_t>(x * y);
    case OpKind::maximum: return less ? b : a;
    case OpKind::minimum: return less ? a : b;
    case OpKind::and_: return a & b;
    case OpKind::or_: return a | b;
    case OpKind::xor_: return a ^ b;
    case OpKind::divide:
    case OpKind::remainder:
      if (b == 0 || (!natural && b == -1)) {  // -1: the lowest number has no opposite
        if (b == 0) return std::nullopt;
        return kind == OpKind::divide ? static_cast<int64_t>(uint64_t{0} - x) : 0;
      }
      if (kind == OpKind::divide) return natural ? static_cast<int64_t>(x / y) : a / b;
      return natural ? static_cast<int64_t>(x % y) : a % b;
    default: return std::nullopt;
  }
}

std::optional<double> real_binary(OpKind kind, double a, double b) {
  switch (kind) {
    case OpKind::add: return a + b;
    case OpKind::subtract: return a - b;
    case OpKind::multiply: return a * b;
    case OpKind::divide: return a / b;
    case OpKind::remainder: return std::fmod(a, b);
    case OpKind::maximum: return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
    case OpKind::minimum: return std::isnan(a) || std::isnan(b) ? std::nan("") : std::min(a, b);
    default: return std::nullopt;
  }
}

std::optional<int64_t> whole_unary(OpKind kind, int64_t a, ElementType element) {
  switch (kind) {
    case OpKind::negate: return static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(a));
    case OpKind::not_: return element == ElementType::pred ? 1 - a : ~a;
    case OpKind::abs: return a < 0 && !is_unsigned(element) ? -a : a;
    case OpKind::sign: return a == 0 ? 0 : (a < 0 && !is_unsigned(element) ? -1 : 1);
    default: return std::nullopt;
  }
}

std::optional<double> real_unary(OpKind kind, double a) {
  switch (kind) {
    case OpKind::negate: return -a;
    case OpKind::abs: return std::fabs(a);
    case OpKind::sign: return a == 0 || std::isnan(a) ? a : (a > 0 ? 1.0 : -1.0);
    case OpKind::sqrt: return std::sqrt(a);
    case OpKind::rsqrt: return 1.0 / std::sqrt(a);
    case OpKind::exponential: return std::exp(a);
    case OpKind::log: return std::log(a);
    case OpKind::logistic: return 1.0 / (1.0 + std::exp(-a));
    case OpKind::sine: return std::sin(a);
    case OpKind::cosine: return std::cos(a);
    case OpKind::tan: return std::tan(a);
    case OpKind::tanh: return std::tanh(a);
    case OpKind::round_nearest_afz: return std::round(a);
    case OpKind::round_nearest_even: return std::nearbyint(a);
    default: return std::nullopt;
  }
}

using Complex = std::complex<double>;
std::optional<Complex> complex_binary(OpKind kind, Complex a, Complex b) {
  switch (kind) {
    case OpKind::add: return a + b;
    case OpKind::subtract: return a - b;
    case OpKind::multiply: return a * b;
    case OpKind::divide: return a / b;
    default: return std::nullopt;
  }
}

template <class Number>
bool holds(std::string_view direction, Number a, Number b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  return direction == "GT" ? a > b : a >= b;
}

// The nearest number of another type, as XLA converts: towards zero, held within the type, nothing but zero of a NaN.
int64_t whole_of(double value, ElementType to) {
  if (to == ElementType::pred) return value != 0 ? 1 : 0;
  if (std::isnan(value)) return 0;
  const int64_t width = bits(to);
  const bool natural = is_unsigned(to);
  const double above = std::ldexp(1.0, static_cast<int>(natural ? width : width - 1));
  if (value >= above) return wrapped(static_cast<int64_t>(natural ? ~uint64_t{0} : ~uint64_t{0} >> (65 - width)), to);
  if (natural) return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
  return value <= -above ? wrapped(static_cast<int64_t>(uint64_t{1} << (width - 1)), to) : static_cast<int64_t>(value);
}

// One element of the result of a pointwise op.
class Pointwise {
 public:
  Pointwise(OpKind kind, std::string_view direction, std::span<const Literal> operands, Literal& out)
      : kind_(kind), direction_(direction), operands_(operands), out_(out) {}

  bool add_element(size_t i) {
    if (kind_ == OpKind::compare) return compare(i);
    if (kind_ == OpKind::select) return copy(whole(0, i) != 0 ? 1 : 2, i);
    if (kind_ == OpKind::convert) return convert(i);
    if (out_.is_whole()) {
      const auto value = operands_.size() == 2 ? whole_binary(kind_, whole(0, i), whole(1, i), out_.element)
                                               : whole_unary(kind_, whole(0, i), out_.element);
      if (value) out_.whole.push_back(wrapped(*value, out_.element));
      return value.has_value();
    }
    if (is_complex(out_.element)) {
      const auto value = operands_.size() == 2     ? complex_binary(kind_, pair(0, i), pair(1, i))
                         : kind_ == OpKind::negate ? std::optional(-pair(0, i))
                                                   : std::nullopt;
      return value && real(value->real()) && real(value->imag());
    }
    const auto value =
        operands_.size() == 2 ? real_binary(kind_, real(0, i), real(1, i)) : real_unary(kind_, real(0, i));
    return value && real(*value);
  }

 private:
  // Scalars go with every element.
  size_t at(size_t operand, size_t i) const {
    return operands_[operand].splat || operands_[operand].dims.empty() ? 0 : i;
  }
  int64_t whole(size_t operand, size_t i) const { return operands_[operand].whole[at(operand, i)]; }
  double real(size_t operand, size_t i) const { return operands_[operand].real[at(operand, i)]; }
  Complex pair(size_t operand, size_t i) const {
    const size_t first = 2 * at(operand, i);
    return {operands_[operand].real[first], operands_[operand].real[first + 1]};
  }
  // Rounded to the type of the result; false for a type whose rounding is not known.
  bool real(double value) {
    const std::optional<double> near = rounded(value, real_part_type(out_.element));
    if (near) out_.real.push_back(*near);
    return near.has_value();
  }

  bool copy(size_t operand, size_t i) {
    if (out_.is_whole()) {
      out_.whole.push_back(whole(operand, i));
    } else if (is_complex(out_.element)) {
      out_.real.push_back(pair(operand, i).real());
      out_.real.push_back(pair(operand, i).imag());
    } else {
      out_.real.push_back(real(operand, i));
    }
    return true;
  }

  bool compare(size_t i) {
    const Literal& a = operands_[0];
    if (is_complex(a.element)) return false;
    bool answer = false;
    if (!a.is_whole())
      answer = holds(direction_, real(0, i), real(1, i));
    else if (is_unsigned(a.element))
      answer = holds(direction_, static_cast<uint64_t>(whole(0, i)), static_cast<uint64_t>(whole(1, i)));
    else
      answer = holds(direction_, whole(0, i), whole(1, i));
    out_.whole.push_back(answer ? 1 : 0);
    return true;
  }

  bool convert(size_t i) {
    const Literal& from = operands_[0];
    if (is_complex(from.element) || is_complex(out_.element)) return false;
    if (out_.is_whole()) {
      out_.whole.push_back(from.is_whole() ? wrapped(whole(0, i), out_.element) : whole_of(real(0, i), out_.element));
      return true;
    }
    if (!from.is_whole()) return real(real(0, i));
    const int64_t value = whole(0, i);
    return real(is_unsigned(from.element) ? static_cast<double>(static_cast<uint64_t>(value))
                                          : static_cast<double>(value));
  }

  OpKind kind_;
  std::string_view direction_;
  std::span<const Literal> operands_;
  Literal& out_;
};

void append(const Literal& from, int64_t element, Literal& out) {
  const size_t width = from.width(), first = from.splat ? 0 : static_cast<size_t>(element) * width;
  for (size_t k = 0; k < width; ++k) {
    if (from.is_whole())
      out.whole.push_back(from.whole[first + k]);
    else
      out.real.push_back(from.real[first + k]);
  }
}

// Elements of `from` at starts + index * steps, row by row of a block of these sizes. `order`: which dimension of
// `from` each dimension of the block runs along.
void append_block(const Literal& from, std::span<const int64_t> starts, std::span<const int64_t> steps,
                  std::span<const int64_t> sizes, std::span<const int64_t> order, Literal& out) {
  std::vector<int64_t> stride(from.dims.size(), 1), index(sizes.size(), 0);
  for (size_t d = stride.size(); d-- > 1;) stride[d - 1] = stride[d] * from.dims[d];
  int64_t count = 1, at = 0;
  for (size_t d = 0; d < sizes.size(); ++d) count *= sizes[d];
  for (size_t d = 0; d < starts.size(); ++d) at += starts[d] * stride[d];
  for (int64_t i = 0; i < count; ++i) {
    append(from, at, out);
    for (size_t d = sizes.size(); d-- > 0;) {
      const auto source = static_cast<size_t>(order[d]);
      at += steps[source] * stride[source];
      if (++index[d] < sizes[d]) break;
      at -= sizes[d] * steps[source] * stride[source];
      index[d] = 0;
    }
  }
}

// Pieces one behind the other: for each place in front of the joined dimension a run of every piece.
Literal joined(std::span<const Literal> pieces, size_t dim, Literal out) {
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < out.dims.size(); ++d) {
    if (d < dim) outer *= out.dims[d];
    if (d > dim) inner *= out.dims[d];
  }
  for (int64_t o = 0; o < outer; ++o)
    for (const Literal& piece : pieces) {
      const int64_t run = piece.dims[dim] * inner;
      for (int64_t i = 0; i < run; ++i) append(piece, o * run + i, out);
    }
  return out;
}

}  // namespace

std::optional<Literal> fold(const FoldedOp& op, std::span<const Literal> operands) {
  if (operands.empty()) return std::nullopt;
  Literal out;
  out.element = op.element;
  out.dims.assign(op.shape.begin(), op.shape.end());
  const Literal& first = operands[0];
  const size_t rank = first.dims.size();
  std::vector<int64_t> starts(rank, 0), steps(rank, 1), order(rank);
  for (size_t d = 0; d < rank; ++d) order[d] = static_cast<int64_t>(d);
  switch (op.kind) {
    case OpKind::reshape:
      for (int64_t i = 0; i < out.element_count(); ++i) append(first, i, out);
      return out;
    case OpKind::transpose:
      order.assign(op.dims.begin(), op.dims.end());
      append_block(first, starts, steps, out.dims, order, out);
      return out;
    case OpKind::reverse:
      for (const int64_t d : op.dims) {
        starts[static_cast<size_t>(d)] = out.dims[static_cast<size_t>(d)] - 1;
        steps[static_cast<size_t>(d)] = -1;
      }
      append_block(first, starts, steps, out.dims, order, out);
      return out;
    case OpKind::slice:
      if (op.window.start.size() != rank || op.window.strides.size() != rank) return std::nullopt;
      append_block(first, op.window.start, op.window.strides, out.dims, order, out);
      return out;
    case OpKind::concatenate: return joined(operands, static_cast<size_t>(op.dims[0]), std::move(out));
    default: break;
  }
  out.splat = std::all_of(operands.begin(), operands.end(), [](const Literal& l) { return l.splat; });
  Pointwise pointwise(op.kind, op.direction, operands, out);
  const size_t count = out.splat ? 1 : static_cast<size_t>(out.element_count());
  for (size_t i = 0; i < count; ++i)
    if (!pointwise.add_element(i)) return std::nullopt;
  return out;
}

}  // namespace sw
