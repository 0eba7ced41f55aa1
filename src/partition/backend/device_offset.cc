#include "partition/backend/device_offset.h"

#include <algorithm>
#include <charconv>

namespace sw {

namespace {

constexpr int kMaxDepth = 40;                      // of the expression of an offset
constexpr int64_t kMaxEntries = int64_t{1} << 20;  // of a table

}  // namespace

std::optional<std::vector<int64_t>> constant_integers(const Rewrite& rewrite, ValueId value) {
  if (!rewrite.is(value, OpKind::constant)) return std::nullopt;
  const Type type = rewrite.shape(value);
  const AttrId id = rewrite.graph().attr(*rewrite.maker(value), "value");
  if (!id.valid() || !is_integer(type.element) || type.element_count() > kMaxEntries) return std::nullopt;
  const Attr literal = rewrite.graph().attr_table.get(id);
  if (literal.form != DenseForm::splat && literal.form != DenseForm::list) return std::nullopt;
  std::vector<int64_t> numbers;
  const char* at = literal.text.data();
  const char* const end = at + literal.text.size();
  while (at != end) {
    if (*at != '-' && (*at < '0' || *at > '9')) {
      ++at;
      continue;
    }
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(number);
    at = next;
  }
  const auto count = static_cast<size_t>(type.element_count());
  if (numbers.size() == 1) numbers.resize(count, numbers[0]);
  return numbers.size() == count ? std::optional(std::move(numbers)) : std::nullopt;
}

bool is_constant_zero(const Rewrite& rewrite, ValueId value) {
  const auto numbers = constant_integers(rewrite, value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](int64_t n) { return n == 0; });
}

std::optional<int64_t> DeviceOffsets::entry(ValueId table, int64_t index) {
  if (rewrite_.is(table, OpKind::iota)) return index;
  const auto [at, fresh] = tables_.emplace(table.raw, std::vector<int64_t>());
  if (fresh) at->second = constant_integers(rewrite_, table).value_or(std::vector<int64_t>());
  if (at->second.empty()) return std::nullopt;
  // An index outside is clamped, as dynamic-slice does.
  return at->second[static_cast<size_t>(std::clamp<int64_t>(index, 0, static_cast<int64_t>(at->second.size()) - 1))];
}

std::optional<int64_t> DeviceOffsets::arithmetic(const Op& op, int64_t device, int depth) {
  const auto operands = rewrite_.graph().operands(op);
  const auto a = evaluate(operands[0], device, depth + 1), b = evaluate(operands[1], device, depth + 1);
  if (!a || !b) return std::nullopt;
  int64_t result = 0;
  switch (op.kind) {
    case OpKind::add: return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case OpKind::subtract: return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case OpKind::multiply: return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case OpKind::divide: return *b > 0 ? std::optional(*a / *b) : std::nullopt;
    case OpKind::remainder: return *b > 0 ? std::optional(*a % *b) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<int64_t> DeviceOffsets::evaluate(ValueId value, int64_t device, int depth) {
  const Op* op = rewrite_.maker(value);
  if (op == nullptr || depth > kMaxDepth || !is_integer(rewrite_.shape(value).element)) return std::nullopt;
  if (rewrite_.shape(value).element_count() != 1) return std::nullopt;
  const auto operands = rewrite_.graph().operands(*op);
  switch (op->kind) {
    case OpKind::partition_id: return device;
    case OpKind::constant: return entry(value, 0);
    case OpKind::convert:
    case OpKind::copy:
    case OpKind::bitcast:
    case OpKind::reshape: return evaluate(operands[0], device, depth + 1);
    case OpKind::clamp: {
      const auto low = evaluate(operands[0], device, depth + 1), high = evaluate(operands[2], device, depth + 1);
      const auto inner = evaluate(operands[1], device, depth + 1);
      if (!low || !high || !inner) return std::nullopt;
      return std::max(*low, std::min(*inner, *high));
    }
    case OpKind::dynamic_slice: {
      if (operands.size() != 2) return std::nullopt;
      const auto index = evaluate(operands[1], device, depth + 1);
      return index ? entry(operands[0], *index) : std::nullopt;
    }
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::divide:
    case OpKind::remainder: return arithmetic(*op, device, depth);
    default: return std::nullopt;
  }
}

bool DeviceOffsets::counts_members(ValueId value, const TileGrid& groups, int64_t piece) {
  const std::vector<int64_t> ids = device_ids(groups);
  const int64_t size = groups.dims[1];
  for (size_t i = 0; i < ids.size(); ++i)
    if (on(value, ids[i]) != static_cast<int64_t>(i) % size * piece) return false;
  return true;
}

}  // namespace sw
