#include "partition/backend/constants.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <unordered_map>

#include "partition/backend/collective_key.h"

namespace sw {

namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What a value is when all its elements are the same constant.
class Fills {
 public:
  explicit Fills(const Rewrite& rewrite) : rewrite_(rewrite) {}

  // The number as spelled in a literal.
  std::optional<std::string> of(ValueId value) {
    const ElementType element = rewrite_.shape(value).element;
    if (is_integer(element) || element == ElementType::pred) {
      const auto number = integer(value, 0);
      if (!number) return std::nullopt;
      return element == ElementType::pred ? (*number != 0 ? "true" : "false") : std::to_string(*number);
    }
    // Of other numbers only what is not computed with.
    while (const Op* op = rewrite_.maker(value)) {
      if (op->kind == OpKind::constant) return literal(*op);
      if (!only_moves(op->kind)) return std::nullopt;
      value = rewrite_.graph().operands(*op)[0];
    }
    return std::nullopt;
  }

 private:
  static bool only_moves(OpKind kind) {
    switch (kind) {
      case OpKind::broadcast_in_dim:
      case OpKind::reshape:
      case OpKind::bitcast:
      case OpKind::copy:
      case OpKind::transpose:
      case OpKind::slice:
      case OpKind::reverse:
      case OpKind::dynamic_slice: return true;
      default: return false;
    }
  }

  std::optional<std::string> literal(const Op& op) const {
    const AttrId id = rewrite_.graph().attr(op, "value");
    if (!id.valid()) return std::nullopt;
    const Attr attr = rewrite_.graph().attr_table.get(id);
    const bool one = attr.form == DenseForm::splat || rewrite_.shape(op.first_result).rank() == 0;
    return one && !attr.text.empty() ? std::optional(std::string(attr.text)) : std::nullopt;
  }

  std::optional<int64_t> integer(ValueId value, int depth) {
    const auto known = integers_.find(value.raw);
    if (known != integers_.end()) return known->second;
    const auto number = depth > kMaxDepth ? std::nullopt : compute(value, depth);
    integers_.emplace(value.raw, number);
    return number;
  }

  std::optional<int64_t> compute(ValueId value, int depth) {
    const Op* op = rewrite_.maker(value);
    if (op == nullptr || op->result_count != 1) return std::nullopt;
    if (op->kind == OpKind::constant) {
      const auto text = literal(*op);
      if (text == "true" || text == "false") return text == "true" ? 1 : 0;
      return text ? number_of<int64_t>(*text) : std::nullopt;
    }
    const auto operands = rewrite_.graph().operands(*op);
    if (only_moves(op->kind)) return integer(operands[0], depth + 1);
    if (op->kind == OpKind::select) {
      const auto choice = integer(operands[0], depth + 1);
      return choice ? integer(operands[*choice != 0 ? 1 : 2], depth + 1) : std::nullopt;
    }
    if (operands.size() != 2) return std::nullopt;
    const ElementType element = rewrite_.shape(operands[0]).element;
    if (!is_integer(element) && element != ElementType::pred) return std::nullopt;
    const auto a = integer(operands[0], depth + 1), b = integer(operands[1], depth + 1);
    if (!a || !b) return std::nullopt;
    int64_t result = 0;
    switch (op->kind) {
      case OpKind::add: return in_range(element, !__builtin_add_overflow(*a, *b, &result), result);
      case OpKind::subtract: return in_range(element, !__builtin_sub_overflow(*a, *b, &result), result);
      case OpKind::multiply: return in_range(element, !__builtin_mul_overflow(*a, *b, &result), result);
      case OpKind::and_: return *a & *b;
      case OpKind::or_: return *a | *b;
      case OpKind::compare: return compared(*op, *a, *b);
      default: return std::nullopt;
    }
  }

  // Nothing where the type would wrap round.
  static std::optional<int64_t> in_range(ElementType element, bool exact, int64_t number) {
    const int64_t width = bits(element);
    const int64_t limit = width >= 32 ? int64_t{1} << 31 : int64_t{1} << (width - 1);
    return exact && element != ElementType::pred && number >= 0 && number < limit ? std::optional(number)
                                                                                  : std::nullopt;
  }

  std::optional<int64_t> compared(const Op& op, int64_t a, int64_t b) const {
    const AttrId direction = rewrite_.graph().attr(op, "comparison_direction");
    const std::string_view text = direction.valid() ? rewrite_.graph().attr_table.get(direction).text : "";
    if (text == "LT") return a < b ? 1 : 0;
    if (text == "LE") return a <= b ? 1 : 0;
    if (text == "GT") return a > b ? 1 : 0;
    if (text == "GE") return a >= b ? 1 : 0;
    if (text == "EQ") return a == b ? 1 : 0;
    if (text == "NE") return a != b ? 1 : 0;
    return std::nullopt;
  }

  static constexpr int kMaxDepth = 40;
  const Rewrite& rewrite_;
  std::unordered_map<uint32_t, std::optional<int64_t>> integers_;  // by ValueId
};

// `number` times `count`, spelled; nothing for numbers that cannot be read (hexadecimal, complex).
std::optional<std::string> times(const std::string& number, int64_t count, ElementType element) {
  if (is_integer(element)) {
    const auto value = number_of<int64_t>(number);
    int64_t product = 0;
    if (!value || __builtin_mul_overflow(*value, count, &product)) return std::nullopt;
    return std::to_string(product);
  }
  if (!is_floating(element)) return std::nullopt;
  const auto value = number_of<double>(number);
  if (!value) return std::nullopt;
  return fmt::format("{}", *value * static_cast<double>(count));
}

// What the collective gives when its operand is `number` everywhere.
std::optional<std::string> result_of(const Rewrite& rewrite, OpId id, const std::string& number) {
  const Op& op = rewrite.graph().op(id);
  switch (op.kind) {
    case OpKind::all_gather:
    case OpKind::all_to_all: return number;
    case OpKind::all_reduce:
    case OpKind::reduce_scatter: {
      const auto reduction = reduction_kind(rewrite.graph(), op);
      if (reduction == OpKind::minimum || reduction == OpKind::maximum) return number;
      const auto groups = GroupTable::groups_of(rewrite, id);
      if (reduction != OpKind::add || !groups) return std::nullopt;
      return times(number, groups->dims[1], rewrite.shape(rewrite.result(id)).element);
    }
    default: return std::nullopt;
  }
}

}  // namespace

void fold_constant_collectives(Rewrite& rewrite) {
  Fills fills(rewrite);
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (facts(rewrite.graph().op(op).kind).family != Family::collective) continue;
      const ValueId result = rewrite.result(op);
      if (rewrite.graph().operands(op).size() != 1 || !rewrite.shape(result).is_array()) continue;
      const auto number = fills.of(rewrite.operand(op));
      const auto sum = number ? result_of(rewrite, op, *number) : std::nullopt;
      if (!sum) continue;
      const ValueId scalar = rewrite.scalar(op, rewrite.shape(result).element, *sum);
      const NamedAttr dims = rewrite.dims_attr("broadcast_dimensions", {});
      rewrite.replace(op,
                      rewrite.add(op, OpKind::broadcast_in_dim, rewrite.type(result), {scalar}, std::span(&dims, 1)));
    }
  }
}

}  // namespace sw
