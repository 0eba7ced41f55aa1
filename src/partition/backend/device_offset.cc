#include "partition/backend/device_offset.h"

#include <algorithm>

#include "ops/literal.h"
#include "partition/backend/collective_key.h"

namespace sw {

namespace {

constexpr int kMaxDepth = 40;                      // of the expression of an offset
constexpr int64_t kMaxEntries = int64_t{1} << 20;  // of a table

}  // namespace

std::optional<std::vector<int64_t>> constant_integers(const Rewrite& rewrite, ValueId value) {
  if (!rewrite.is(value, OpKind::constant)) return std::nullopt;
  const Type type = rewrite.shape(value);
  if (!is_integer(type.element) || type.element_count() > kMaxEntries) return std::nullopt;
  return constant_integers(rewrite.graph(), rewrite.graph().value(value).def);
}

bool is_constant_zero(const Rewrite& rewrite, ValueId value) {
  const auto numbers = constant_integers(rewrite, value);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](int64_t n) { return n == 0; });
}

DeviceOffsets::Numbers DeviceOffsets::same_on_all(int64_t number) const {
  if (rewrite_.device_count() > kMaxDevices) return {};
  return Numbers(static_cast<size_t>(rewrite_.device_count()), number);
}

// An index outside is clamped, as dynamic-slice does.
DeviceOffsets::Numbers DeviceOffsets::looked_up(ValueId table, const Numbers& index) const {
  if (rewrite_.is(table, OpKind::iota)) return index;
  const auto entries = constant_integers(rewrite_, table);
  if (!entries || entries->empty()) return {};
  Numbers found = index;
  const int64_t last = static_cast<int64_t>(entries->size()) - 1;
  for (int64_t& n : found) n = (*entries)[static_cast<size_t>(std::clamp<int64_t>(n, 0, last))];
  return found;
}

DeviceOffsets::Numbers DeviceOffsets::arithmetic(const Op& op, int depth) {
  const auto operands = rewrite_.graph().operands(op);
  Numbers result = evaluate(operands[0], depth + 1);
  const Numbers& b = evaluate(operands[1], depth + 1);
  if (result.empty() || b.empty()) return {};
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t& n = result[i];
    bool defined = true;
    switch (op.kind) {
      case OpKind::add: defined = !__builtin_add_overflow(n, b[i], &n); break;
      case OpKind::subtract: defined = !__builtin_sub_overflow(n, b[i], &n); break;
      case OpKind::multiply: defined = !__builtin_mul_overflow(n, b[i], &n); break;
      case OpKind::divide: defined = b[i] > 0; break;
      case OpKind::remainder: defined = b[i] > 0; break;
      default: defined = false; break;
    }
    if (!defined) return {};
    if (op.kind == OpKind::divide) n /= b[i];
    if (op.kind == OpKind::remainder) n %= b[i];
  }
  return result;
}

DeviceOffsets::Numbers DeviceOffsets::clamped(const Op& op, int depth) {
  const auto operands = rewrite_.graph().operands(op);
  Numbers result = evaluate(operands[1], depth + 1);
  const Numbers low = evaluate(operands[0], depth + 1);
  const Numbers& high = evaluate(operands[2], depth + 1);
  if (result.empty() || low.empty() || high.empty()) return {};
  for (size_t i = 0; i < result.size(); ++i) result[i] = std::max(low[i], std::min(result[i], high[i]));
  return result;
}

const DeviceOffsets::Numbers& DeviceOffsets::evaluate(ValueId value, int depth) {
  const auto known = numbers_.find(value.raw);
  if (known != numbers_.end()) return known->second;
  Numbers numbers = compute(value, depth);
  return numbers_.emplace(value.raw, std::move(numbers)).first->second;
}

DeviceOffsets::Numbers DeviceOffsets::compute(ValueId value, int depth) {
  const Op* op = rewrite_.maker(value);
  if (op == nullptr || depth > kMaxDepth || !is_integer(rewrite_.shape(value).element)) return {};
  if (rewrite_.shape(value).element_count() != 1) return {};
  const auto operands = rewrite_.graph().operands(*op);
  switch (op->kind) {
    case OpKind::partition_id: {
      Numbers numbers = same_on_all(0);
      for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
      return numbers;
    }
    case OpKind::constant: {
      const auto number = constant_integers(rewrite_, value);
      return number ? same_on_all((*number)[0]) : Numbers{};
    }
    case OpKind::convert:
    case OpKind::copy:
    case OpKind::bitcast:
    case OpKind::reshape: return evaluate(operands[0], depth + 1);
    case OpKind::clamp: return clamped(*op, depth);
    case OpKind::dynamic_slice: {
      if (operands.size() != 2) return {};
      const Numbers& index = evaluate(operands[1], depth + 1);
      return index.empty() ? Numbers{} : looked_up(operands[0], index);
    }
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::divide:
    case OpKind::remainder: return arithmetic(*op, depth);
    default: return {};
  }
}

bool DeviceOffsets::counts_members(ValueId value, const TileGrid& groups, int64_t piece) {
  for (const Checked& c : checked_)
    if (c.value == value && c.piece == piece && same_grid(c.groups, groups)) return c.counts;
  const Numbers& numbers = on_all(value);
  bool counts = !numbers.empty();
  const std::vector<int64_t> ids = device_ids(groups);
  const int64_t size = groups.dims[1];
  for (size_t i = 0; counts && i < ids.size(); ++i) {
    const auto device = static_cast<size_t>(ids[i]);
    counts = device < numbers.size() && numbers[device] == static_cast<int64_t>(i) % size * piece;
  }
  checked_.push_back({value, piece, groups, counts});
  return counts;
}

}  // namespace sw
