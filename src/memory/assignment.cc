#include "memory/assignment.h"

#include <algorithm>

#include "base/checked_math.h"
#include "schedule/sharing.h"

namespace sw {

namespace {

// Storage that later buffers may use: results, and parameters that results take over.
struct Reusable {
  int64_t bytes = 0;
  std::vector<PlaceId> values;
};

class Assigner {
 public:
  Assigner(const AssignmentInput& input, const AssignmentRules& rules)
      : in_(input), rules_(rules), is_result_(returned_values(input)) {}

  Assignment run() {
    Assignment out;
    for (const Entry& entry : largest_first()) {
      const BufferPlace place = assign(entry);
      out.buffers.push_back({entry.buffer, entry.bytes, place});
    }
    tables_.insert(tables_.end(), in_.more_tables.begin(), in_.more_tables.end());
    out.heap = plan_heap(in_, heap_, rules_.alignment, rules_.order);
    out.temp = glue(out.heap.bytes);
    return out;
  }

 private:
  struct Entry {
    uint32_t buffer;
    int64_t bytes;
    bool is_result;
  };

  std::vector<Entry> largest_first() const {
    std::vector<Entry> list;
    for (uint32_t b = 0; b < in_.buffers.all().size(); ++b) {
      const std::vector<PlaceId>& values = in_.buffers.all()[b];
      const bool result = std::any_of(values.begin(), values.end(), [&](PlaceId v) { return is_result_[v.index()]; });
      list.push_back({b, buffer_bytes(in_, rules_.form, b), result});
    }
    std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.is_result && !b.is_result;
    });
    return list;
  }

  const MachineOp& maker(PlaceId value) const { return in_.program.op(in_.flow.op_of(value)); }

  BufferPlace assign(const Entry& entry) {
    const std::vector<PlaceId>& values = in_.buffers.all()[entry.buffer];
    bool is_parameter = false, is_table = false, handed_over = false;
    for (const PlaceId value : values) {
      const MachineOp& op = maker(value);
      if (op.kind == OpKind::constant) return BufferPlace::constant;
      if (in_.program.types.get(in_.flow.type_of(value)).kind == TypeKind::tuple) is_table = true;
      if (op.kind != OpKind::parameter || op.computation != in_.program.entry) continue;
      is_parameter = true;
      handed_over = handed_over || in_.buffers.is_handed_over(op.index);
    }
    if (in_.on_chip != nullptr && (*in_.on_chip)[entry.buffer]) return BufferPlace::on_chip;
    if (is_parameter) {
      if (handed_over) reusable_.push_back({entry.bytes, values});
      return BufferPlace::parameter;
    }
    if (is_table) {
      if (!entry.is_result) tables_.push_back(entry.bytes);
      return BufferPlace::table;
    }
    if ((rules_.reuses_results || entry.is_result) && reuse(entry, values))
      return entry.is_result ? BufferPlace::result : BufferPlace::reused;
    if (entry.is_result) {
      reusable_.push_back({entry.bytes, values});
      return BufferPlace::result;
    }
    heap_.push_back({entry.buffer, entry.bytes});
    return BufferPlace::heap;
  }

  // The newest storage that is large enough, for results exactly so large, and whose values are not alive with these.
  bool reuse(const Entry& entry, const std::vector<PlaceId>& values) {
    for (auto storage = reusable_.rbegin(); storage != reusable_.rend(); ++storage) {
      if (storage->bytes < entry.bytes || (entry.is_result && storage->bytes != entry.bytes)) continue;
      if (interferes(values, storage->values)) continue;
      storage->values.insert(storage->values.end(), values.begin(), values.end());
      return true;
    }
    return false;
  }

  bool interferes(const std::vector<PlaceId>& values, const std::vector<PlaceId>& others) const {
    for (const PlaceId value : values) {
      const MachineOp& op = maker(value);
      if (op.kind == OpKind::copy)
        for (const PlaceId source : in_.flow.at(op.operands[0]))
          if (std::find(others.begin(), others.end(), source) != others.end()) return true;
      for (const PlaceId other : others)
        if (interferes(value, other)) return true;
    }
    return false;
  }

  bool interferes(PlaceId a, PlaceId b) const {
    const LiveRange x = in_.buffers.range(a), y = in_.buffers.range(b);
    if (x.begin > y.end || y.begin > x.end) return false;
    if (x.end == y.begin) return !may_follow(b, a);
    if (y.end == x.begin) return !may_follow(a, b);
    return true;
  }

  // Whether `value` may be made where `before` lies, which its op reads last.
  bool may_follow(PlaceId value, PlaceId before) const {
    const MachineOpId user = in_.flow.op_of(value);
    const MachineOp& op = in_.program.op(user);
    if (op.kind == OpKind::copy) return false;
    for (const MachineOpId operand : op.operands) {
      const ValueSet& read = in_.flow.at(operand);
      if (std::find(read.begin(), read.end(), before) == read.end()) continue;
      if (may_overwrite(in_.program, in_.trees, operand, in_.users[operand.index()].size() == 1, user,
                        in_.flow.place_in_op(value)))
        return true;
    }
    return false;
  }

  // All temporaries one after the other. GPU: those met first change places with the thread-local scalars of reducers,
  // which come last, so that the heap comes first and the tables follow in reverse.
  int64_t glue(int64_t heap) const {
    const auto up = [&](int64_t bytes) { return ceil_div(bytes, rules_.alignment) * rules_.alignment; };
    int64_t total = 0;
    if (rules_.tables_in_slots) {
      if (heap == 0) return 0;
      return up(heap) + static_cast<int64_t>(tables_.size()) * rules_.alignment;
    }
    std::vector<int64_t> parts = tables_;
    if (heap > 0) parts.push_back(heap);
    const auto swapped = static_cast<std::ptrdiff_t>(std::min(parts.size(), in_.program.reducer_ops));
    std::rotate(parts.begin(), parts.begin() + swapped, parts.end());
    std::reverse(parts.end() - swapped, parts.end());
    for (const int64_t part : parts) total = up(total) + part;
    return total;
  }

  const AssignmentInput& in_;
  const AssignmentRules& rules_;
  std::vector<bool> is_result_;  // by PlaceId
  std::vector<Reusable> reusable_;
  std::vector<HeapBuffer> heap_;
  std::vector<int64_t> tables_;
};

}  // namespace

int64_t value_bytes(const Type& type, ArrayForm form) {
  return type.is_array() ? stored_bytes(type, form) : packed_bytes(type);
}

std::vector<bool> returned_values(const AssignmentInput& input) {
  std::vector<bool> returned(input.flow.place_count(), false);
  const MachineOpId root = input.program.computation(input.program.entry).root;
  for (size_t i = 0; i < input.trees.of(input.program.op(root).type).places(); ++i)
    for (const PlaceId value : input.flow.at(root, i)) returned[value.index()] = true;
  return returned;
}

int64_t buffer_bytes(const AssignmentInput& input, ArrayForm form, uint32_t buffer) {
  int64_t bytes = 0;
  for (const PlaceId value : input.buffers.all()[buffer])
    bytes = std::max(bytes, value_bytes(input.program.types.get(input.flow.type_of(value)), form));
  return bytes;
}

Assignment assign_buffers(const AssignmentInput& input, const AssignmentRules& rules) {
  return Assigner(input, rules).run();
}

}  // namespace sw
