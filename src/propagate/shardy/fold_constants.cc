#include "propagate/shardy/fold_constants.h"

#include <algorithm>
#include <utility>

#include "ops/dims_listed.h"
#include "propagate/literal.h"

namespace sw::shardy {
namespace {

constexpr int64_t kMostElements = 65'536;

bool is_foldable(OpKind kind) {
  switch (kind) {
    case OpKind::reshape:
    case OpKind::transpose:
    case OpKind::reverse:
    case OpKind::slice:
    case OpKind::concatenate:
    case OpKind::convert:
    case OpKind::compare:
    case OpKind::select:
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::divide:
    case OpKind::remainder:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::xor_:
    case OpKind::not_:
    case OpKind::negate:
    case OpKind::sign:
    case OpKind::abs: return true;
    default: return false;
  }
}

std::optional<bool> holds(std::string_view direction, int64_t a, int64_t b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  if (direction == "GT") return a > b;
  if (direction == "GE") return a >= b;
  return std::nullopt;
}

std::optional<int64_t> combine(OpKind kind, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (kind) {
    case OpKind::add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case OpKind::subtract: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case OpKind::multiply: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case OpKind::maximum: return std::max(a, b);
    case OpKind::minimum: return std::min(a, b);
    case OpKind::and_: return a & b;
    case OpKind::or_: return a | b;
    case OpKind::xor_: return a ^ b;
    default: return std::nullopt;
  }
}

// Whether the number is one of the type, so that no arithmetic has gone round.
bool fits(ElementType element, int64_t number) {
  if (element == ElementType::pred) return number == 0 || number == 1;
  const int64_t width = bits(element);
  if (width >= 63) return true;
  const bool is_signed = element >= ElementType::s1 && element <= ElementType::s64;
  return is_signed ? number >= -(int64_t{1} << (width - 1)) && number < (int64_t{1} << (width - 1))
                   : number >= 0 && number < (int64_t{1} << width);
}

}  // namespace

ConstantFolder::Kind ConstantFolder::kind_of(WorkValueId value) const {
  const WorkOpId def = ir_.value(value).def;
  if (!def.valid()) return Kind::none;
  const WorkOp& op = ir_.op(def);
  if (op.kind == OpKind::broadcast_in_dim) {
    const WorkOpId source = ir_.value(ir_.operand(def, 0)).def;
    const bool scalar = (ir_.value(ir_.operand(def, 0)).flags & kScalar) != 0;
    return source.valid() && scalar && ir_.op(source).kind == OpKind::sdy_constant ? Kind::splat : Kind::none;
  }
  if (op.kind != OpKind::sdy_constant) return Kind::none;
  if ((op.flags & kFoldedConstant) != 0) return Kind::list;
  if (!op.origin.valid()) return Kind::none;
  const AttrId attr = module_.graph.attr(module_.graph.op(op.origin), "value");
  if (!attr.valid()) return Kind::none;
  const Attr literal = module_.graph.attr_table.get(attr);
  return literal.kind == AttrKind::dense && literal.form == DenseForm::splat ? Kind::splat : Kind::list;
}

std::optional<std::vector<int64_t>> ConstantFolder::numbers_of(WorkValueId value) const {
  const WorkOpId def = ir_.value(value).def;
  const WorkOp& op = ir_.op(def);
  const int64_t count = module_.graph.types.get(ir_.value(value).type).element_count();
  if (op.kind == OpKind::broadcast_in_dim) {
    const auto one = numbers_of(ir_.operand(def, 0));
    if (!one || one->size() != 1) return std::nullopt;
    return std::vector<int64_t>(static_cast<size_t>(count), one->front());
  }
  if ((op.flags & kFoldedConstant) != 0) return module_.folded[op.extra];
  auto numbers = constant_integers(module_.graph, op.origin);
  if (numbers && std::cmp_not_equal(numbers->size(), count)) return std::nullopt;
  return numbers;
}

bool ConstantFolder::fold(WorkOpId id) {
  const WorkOp op = ir_.op(id);
  if (!is_foldable(op.kind) || op.result_count != 1 || op.operand_count == 0) return false;
  const Type type = module_.graph.types.get(ir_.value(ir_.result(id)).type);
  if (type.rank() == 0 || type.element_count() > kMostElements) return false;
  bool any_list = false;
  for (uint32_t i = 0; i < op.operand_count; ++i) {
    const Kind kind = kind_of(ir_.operand(id, i));
    if (kind == Kind::none) return false;
    any_list = any_list || kind == Kind::list;
  }
  if (!any_list) return false;
  module_.folded.push_back(compute(id));
  ir_.replace_operands(id, {});
  ir_.op(id).kind = OpKind::sdy_constant;
  ir_.op(id).flags = static_cast<uint8_t>(kPureOp | kFoldedConstant);
  ir_.op(id).extra = static_cast<uint32_t>(module_.folded.size() - 1);
  return true;
}

std::optional<std::vector<int64_t>> ConstantFolder::compute(WorkOpId id) const {
  std::vector<std::vector<int64_t>> operands;
  for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) {
    const ElementType element = module_.graph.types.get(ir_.value(ir_.operand(id, i)).type).element;
    if (!is_integer(element) && element != ElementType::pred) return std::nullopt;
    auto numbers = numbers_of(ir_.operand(id, i));
    if (!numbers) return std::nullopt;
    operands.push_back(std::move(*numbers));
  }
  const ElementType element = module_.graph.types.get(ir_.value(ir_.result(id)).type).element;
  if (!is_integer(element) && element != ElementType::pred) return std::nullopt;
  if (ir_.op(id).kind == OpKind::reshape) return std::move(operands[0]);
  auto numbers = compute_elements(id, operands);
  if (numbers && !std::all_of(numbers->begin(), numbers->end(), [&](int64_t n) { return fits(element, n); }))
    return std::nullopt;
  return numbers;
}

// Of ops that work element by element; scalars go with every element.
std::optional<std::vector<int64_t>> ConstantFolder::compute_elements(
    WorkOpId id, const std::vector<std::vector<int64_t>>& operands) const {
  const OpKind kind = ir_.op(id).kind;
  const size_t count = static_cast<size_t>(module_.graph.types.get(ir_.value(ir_.result(id)).type).element_count());
  const auto at = [&](size_t operand, size_t i) {
    return operands[operand].size() == 1 ? operands[operand][0] : operands[operand][i];
  };
  for (const std::vector<int64_t>& operand : operands)
    if (operand.size() != 1 && operand.size() != count) return std::nullopt;
  std::string_view direction;
  if (kind == OpKind::compare) {
    const AttrId attr = module_.graph.attr(module_.graph.op(ir_.op(id).origin), "comparison_direction");
    if (attr.valid()) direction = module_.graph.attr_table.get(attr).text;
  }
  std::vector<int64_t> result(count, 0);
  for (size_t i = 0; i < count; ++i) {
    std::optional<int64_t> element;
    if (kind == OpKind::convert) element = at(0, i);
    if (kind == OpKind::select) element = at(0, i) != 0 ? at(1, i) : at(2, i);
    if (kind == OpKind::compare) {
      if (const auto answer = holds(direction, at(0, i), at(1, i))) element = *answer ? 1 : 0;
    } else if (operands.size() == 2) {
      element = combine(kind, at(0, i), at(1, i));
    }
    if (!element) return std::nullopt;
    result[i] = *element;
  }
  return result;
}

}  // namespace sw::shardy
