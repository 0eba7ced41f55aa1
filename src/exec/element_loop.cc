#include "exec/element_loop.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "exec/array.h"
#include "exec/strided.h"
#include "ops/attr_reader.h"
#include "ops/small_float.h"

namespace sw {

namespace {

bool is_small_float(ElementType element) {
  FloatFormat format;
  return small_float_format(element, format);
}

// The high bits of a byte are copies of the sign, which loops over bytes would look at.
bool sees_high_bits(OpKind kind) {
  switch (kind) {
    case OpKind::count_leading_zeros:
    case OpKind::chlo_mulhi:
    case OpKind::popcnt:
    case OpKind::shift_left:
    case OpKind::shift_right_arithmetic:
    case OpKind::shift_right_logical: return true;
    default: return false;
  }
}

std::string_view enum_attr(const Graph& graph, const Op& op, std::string_view name) {
  const AttrId id = graph.attr(op, name);
  return id.valid() ? graph.attr_table.get(id).text : std::string_view();
}

int64_t int_attr(const Graph& graph, const Op& op, std::string_view name) {
  const AttrId id = graph.attr(op, name);
  return id.valid() ? graph.attr_table.get(id).integer : 0;
}

}  // namespace

ElementType computed_in(ElementType element) {
  if (is_small_float(element)) return ElementType::f32;
  if (!is_sub_byte(element)) return element;
  const bool has_sign = element == ElementType::s1 || element == ElementType::s2 || element == ElementType::s4;
  return has_sign ? ElementType::s8 : ElementType::u8;
}

ElementType held_as(ElementType element, Precision precision) {
  if (precision == Precision::as_written) return element;
  if (is_complex(element)) return ElementType::c128;
  return is_floating(element) ? ElementType::f64 : element;
}

bool ElementLoop::set_up(std::span<const ElementType> operands, ElementType result) {
  operand_count_ = static_cast<uint8_t>(operands.size());
  direct_ = computed_in(result) == result;
  for (size_t i = 0; i < operands.size(); ++i) {
    operands_[i] = operands[i];
    direct_ = direct_ && computed_in(operands[i]) == operands[i];
  }
  result_ = result;
  return fn_ != nullptr;
}

bool ElementLoop::conversion(ElementType from, ElementType to, ElementLoop& out) {
  out.fn_ = convert_loop(computed_in(from), computed_in(to));
  return out.set_up(std::span(&from, 1), to);
}

bool ElementLoop::find(const Graph& graph, OpId id, std::span<const ElementType> operands, ElementType result,
                       ElementLoop& out, std::string* why) {
  const Op& op = graph.op(id);
  const auto none = [&] {
    return explain(why, "`" + std::string(graph.strings.text(op.name)) + "` on elements of type " +
                            std::string(hlo_spelling(operands.empty() ? result : operands[0])) + " cannot be executed");
  };
  if (operands.empty() || operands.size() > kMaxOperands) return none();
  if (is_sub_byte(operands[0]) && sees_high_bits(op.kind)) {
    out.param_ = bits(operands[0]);
    out.fn_ = sub_byte_loop(op.kind);
    return out.set_up(operands, result) || none();
  }
  const ElementType element = computed_in(operands[0]);
  switch (op.kind) {
    case OpKind::convert: return conversion(operands[0], result, out) || none();
    case OpKind::compare:
      out.fn_ = compare_loop(enum_attr(graph, op, "comparison_direction"),
                             enum_attr(graph, op, "compare_type") == "TOTALORDER", element);
      break;
    case OpKind::select:
      if (operands.size() != 3) return none();
      // Nothing is computed, so nothing is widened.
      out.fn_ = select_loop(static_cast<size_t>(element_bytes(result)));
      out.set_up(operands, result);
      out.direct_ = true;
      return out.fn_ != nullptr || none();
    case OpKind::clamp: out.fn_ = operands.size() == 3 ? clamp_loop(element) : nullptr; break;
    case OpKind::reduce_precision:
      out.param_ = int_attr(graph, op, "exponent_bits") * 64 + int_attr(graph, op, "mantissa_bits");
      out.fn_ = unary_loop(op.kind, element);
      break;
    default:
      out.fn_ = operands.size() == 1   ? unary_loop(op.kind, element)
                : operands.size() == 2 ? binary_loop(op.kind, element)
                                       : nullptr;
  }
  return out.set_up(operands, result) || none();
}

void ElementLoop::run(const void* const* operands, const bool* scalar, void* result, size_t count) const {
  const bool any_scalar =
      scalar != nullptr && count != 1 && std::any_of(scalar, scalar + operand_count_, [](bool s) { return s; });
  if (direct_ && !any_scalar) return fn_(operands, result, count, param_);
  run_chunks(operands, any_scalar ? scalar : nullptr, result, count);
}

void ElementLoop::run_chunks(const void* const* operands, const bool* scalar, void* result, size_t count) const {
  constexpr size_t kChunk = 256, kWidth = 16;
  alignas(64) std::byte scratch[kMaxOperands + 1][kChunk * kWidth];
  alignas(64) std::byte wide[kWidth];
  const bool widen_result = !(direct_ || computed_in(result_) == result_);
  for (size_t begin = 0; begin < count; begin += kChunk) {
    const size_t n = std::min(kChunk, count - begin);
    const void* in[kMaxOperands] = {};
    for (size_t i = 0; i < operand_count_; ++i) {
      const ElementType element = operands_[i];
      const auto width = static_cast<size_t>(element_bytes(element));
      const bool is_scalar = scalar != nullptr && scalar[i];
      const auto* from = static_cast<const std::byte*>(operands[i]) + (is_scalar ? 0 : begin * width);
      const bool widened = !direct_ && is_small_float(element);
      if (is_scalar && begin > 0) {
        in[i] = scratch[i];  // filled for the first chunk
      } else if (is_scalar && widened) {
        widen_floats(element, from, reinterpret_cast<float*>(wide), 1);
        fill(scratch[i], wide, kChunk, sizeof(float));
        in[i] = scratch[i];
      } else if (is_scalar) {
        fill(scratch[i], from, kChunk, width);
        in[i] = scratch[i];
      } else if (widened) {
        widen_floats(element, from, reinterpret_cast<float*>(scratch[i]), n);
        in[i] = scratch[i];
      } else {
        in[i] = from;
      }
    }
    const auto out_width = static_cast<size_t>(element_bytes(result_));
    auto* to = static_cast<std::byte*>(result) + begin * out_width;
    if (!widen_result) {
      fn_(in, to, n, param_);
    } else if (is_small_float(result_)) {
      fn_(in, scratch[kMaxOperands], n, param_);
      narrow_floats(result_, reinterpret_cast<const float*>(scratch[kMaxOperands]), to, n);
    } else {
      fn_(in, to, n, param_);
      to_stored(result_, reinterpret_cast<uint8_t*>(to), n);
    }
  }
}

}  // namespace sw
