#include "memory/on_chip.h"

#include <algorithm>

namespace sw {

namespace {

struct OnChipRules {
  int64_t capacity = 0;
  int64_t largest = 0;  // of one buffer
};

OnChipRules rules_of(MemoryTarget target) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  if (target == MemoryTarget::tpu_v5e) return {100 * kMiB, 50 * kMiB};
  return {32 * kMiB, 8 * kMiB};
}

constexpr double kCostOfTime = 0.02;  // of a buffer's bytes, for each step that it lives

struct Candidate {
  double cost = 0;
  int64_t bytes = 0;
  uint32_t begin = 0, end = 0;
  uint32_t buffer = 0;
};

class OnChip {
 public:
  OnChip(const AssignmentInput& input, MemoryTarget target)
      : in_(input), rules_(rules_of(target)), is_result_(returned_values(input)) {}

  std::vector<bool> run() {
    std::vector<bool> chosen(in_.buffers.all().size(), false);
    std::vector<int64_t> used(in_.sequence.ops.size() + 2, 0);
    for (const Candidate& c : candidates()) {
      const auto begin = used.begin() + c.begin, end = used.begin() + c.end + 1;
      if (c.bytes > rules_.largest || *std::max_element(begin, end) + c.bytes > rules_.capacity) continue;
      std::for_each(begin, end, [&](int64_t& bytes) { bytes += c.bytes; });
      chosen[c.buffer] = true;
    }
    sink_fills(chosen);
    return chosen;
  }

 private:
  const MachineOp& maker(PlaceId value) const { return in_.program.op(in_.flow.op_of(value)); }
  Type type(PlaceId value) const { return in_.program.types.get(in_.flow.type_of(value)); }

  bool may_be_on_chip(const std::vector<PlaceId>& values) const {
    if (element_count(type(values.front())) == 1) return false;
    return std::none_of(values.begin(), values.end(), [&](PlaceId value) {
      const MachineOp& op = maker(value);
      const bool given =
          (op.kind == OpKind::parameter && op.computation == in_.program.entry) || op.kind == OpKind::constant;
      return given || is_result_[value.index()] || type(value).kind == TypeKind::tuple;
    });
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> list;
    for (uint32_t b = 0; b < in_.buffers.all().size(); ++b) {
      const std::vector<PlaceId>& values = in_.buffers.all()[b];
      if (!may_be_on_chip(values)) continue;
      Candidate c;
      c.buffer = b;
      c.bytes = buffer_bytes(in_, ArrayForm::tiled, b);
      c.begin = in_.buffers.range(values.front()).begin;
      for (const PlaceId value : values) c.end = std::max(c.end, in_.buffers.range(value).end);
      c.cost = static_cast<double>(c.bytes) * (1 + kCostOfTime * (c.end - c.begin));
      list.push_back(c);
    }
    std::stable_sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    return list;
  }

  void sink_fills(std::vector<bool>& chosen) const {
    for (const MachineOpId id : in_.sequence.ops) {
      const MachineOp& op = in_.program.op(id);
      if (op.kind != OpKind::tuple && op.kind != OpKind::while_) continue;
      for (const MachineOpId operand : op.operands) {
        for (const PlaceId value : in_.flow.at(operand)) {
          const MachineOp& fill = maker(value);
          const uint32_t buffer = in_.buffers.buffer_of(value);
          if (fill.kind == OpKind::fusion && fill.operands.empty() && !is_result_[value.index()] &&
              in_.buffers.all()[buffer].size() == 1)
            chosen[buffer] = true;
        }
      }
    }
  }

  const AssignmentInput& in_;
  const OnChipRules rules_;
  std::vector<bool> is_result_;  // by PlaceId
};

}  // namespace

int64_t with_copy_slots(const AssignmentInput& input, const MachineProgram& ops, int64_t temp, int64_t slot) {
  const MachineProgram& program = input.program;
  const Computation& entry = program.computation(program.entry);
  const auto has_slot = [&](TypeId type) { return element_count(program.types.get(type)) > 1; };
  int64_t arrays = 0;
  for (const MachineOpId id : parameters_of(program, entry)) arrays += has_slot(program.op(id).type) ? 1 : 0;
  const TypeTree& results = input.trees.of(program.op(entry.root).type);
  if (results.is_tuple)
    for (const TypeId type : results.at) arrays += has_slot(type) ? 1 : 0;
  const bool knows_device =
      std::any_of(ops.ops.begin(), ops.ops.end(), [](const MachineOp& op) { return op.kind == OpKind::partition_id; });
  if (temp < slot && !knows_device) return temp;
  return std::max(temp, slot) + (arrays + (knows_device ? 1 : 0)) * slot;
}

std::vector<bool> on_chip_buffers(const AssignmentInput& input, MemoryTarget target) {
  return OnChip(input, target).run();
}

}  // namespace sw
