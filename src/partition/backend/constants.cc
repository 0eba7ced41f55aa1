#include "partition/backend/constants.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

#include "partition/backend/collective_key.h"

namespace sw {

namespace {

// The number that fills the value, as spelled: a splat constant, or a scalar constant that is broadcast, whatever
// moves its elements afterwards.
std::optional<std::string> filled_with(const Rewrite& rewrite, ValueId value) {
  const Graph& graph = rewrite.graph();
  for (;;) {
    const Op* op = rewrite.maker(value);
    if (op == nullptr) return std::nullopt;
    if (op->kind == OpKind::constant) {
      const AttrId id = graph.attr(*op, "value");
      if (!id.valid()) return std::nullopt;
      const Attr literal = graph.attr_table.get(id);
      const bool one = literal.form == DenseForm::splat || rewrite.shape(value).rank() == 0;
      return one && !literal.text.empty() ? std::optional(std::string(literal.text)) : std::nullopt;
    }
    switch (op->kind) {
      case OpKind::broadcast_in_dim:
      case OpKind::reshape:
      case OpKind::bitcast:
      case OpKind::copy:
      case OpKind::transpose:
      case OpKind::slice:
      case OpKind::reverse:
      case OpKind::dynamic_slice: value = graph.operands(*op)[0]; break;
      default: return std::nullopt;
    }
  }
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

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
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (facts(rewrite.graph().op(op).kind).family != Family::collective) continue;
      const ValueId result = rewrite.result(op);
      if (rewrite.graph().operands(op).size() != 1 || !rewrite.shape(result).is_array()) continue;
      const auto number = filled_with(rewrite, rewrite.operand(op));
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
