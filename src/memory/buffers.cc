#include "memory/buffers.h"

#include <algorithm>

#include "schedule/sharing.h"

namespace sw {

Buffers::Buffers(const MachineProgram& program, const Sequence& sequence, const ValueFlow& flow, TypeTrees& trees,
                 std::span<const StorageHandover> handovers)
    : program_(program), sequence_(sequence), flow_(flow), leader_(flow.place_count()) {
  for (uint32_t i = 0; i < leader_.size(); ++i) leader_[i] = i;
  for (const StorageHandover& handover : handovers) {
    if (handed_over_.size() <= handover.parameter) handed_over_.resize(handover.parameter + 1, false);
    handed_over_[handover.parameter] = true;
  }
  join_buffers(trees, handovers);
  find_ranges(trees);
  end_with_branches(trees);
  cut_overlaps();
}

uint32_t Buffers::leader(uint32_t place) {
  while (leader_[place] != place) place = leader_[place] = leader_[leader_[place]];
  return place;
}

// The smaller number leads, so that buffers come in the order of the schedule.
void Buffers::unite(PlaceId a, PlaceId b) {
  const uint32_t x = leader(a.raw), y = leader(b.raw);
  leader_[std::max(x, y)] = std::min(x, y);
}

void Buffers::join_buffers(TypeTrees& trees, std::span<const StorageHandover> handovers) {
  for (size_t i = 0; i < flow_.place_count(); ++i) {
    const ValueSet& set = flow_.at(PlaceId{i});
    for (size_t k = 1; k < set.size(); ++k) unite(set[0], set[k]);
  }
  for (const MachineOpId id : sequence_.ops) {
    for (const OperandToResult& pair : in_place_pairs(program_, trees, id)) {
      const MachineOp& op = program_.op(id);
      if (pair.operand >= op.operands.size()) continue;
      const ValueSet& from = flow_.at(op.operands[pair.operand]);
      const ValueSet& to = flow_.at(id, pair.place);
      if (!from.empty() && !to.empty() && !program_.is_tuple(op.operands[pair.operand])) unite(to[0], from[0]);
    }
  }
  const Computation& entry = program_.computation(program_.entry);
  const std::vector<MachineOpId> parameters = parameters_of(program_, entry);
  for (const StorageHandover& handover : handovers) {
    const ValueSet& result = flow_.at(entry.root, handover.place);
    if (!result.empty()) unite(result[0], flow_.place(parameters[handover.parameter], handover.parameter_place));
  }
  buffer_of_.assign(flow_.place_count(), 0);
  std::vector<uint32_t> number(flow_.place_count(), Sequence::kNever);
  for (size_t i = 0; i < flow_.place_count(); ++i) {
    if (!flow_.is_value(PlaceId{i})) continue;
    uint32_t& buffer = number[leader(static_cast<uint32_t>(i))];
    if (buffer == Sequence::kNever) {
      buffer = static_cast<uint32_t>(buffers_.size());
      buffers_.emplace_back();
    }
    buffer_of_[i] = buffer;
    buffers_[buffer].push_back(PlaceId{i});
  }
}

// The values that `id` reads end no sooner than it.
void Buffers::note_uses(TypeTrees& trees, MachineOpId id) {
  const MachineOp& op = program_.op(id);
  if (op.kind == OpKind::call) return;
  uint32_t time = sequence_.time[id.index()];
  // A loop reads its initial values where its body begins: from there on they are the body's.
  if (op.kind == OpKind::while_) time = sequence_.spans[op.called.back().index()].begin;
  for (const MachineOpId operand : op.operands) {
    const TypeTree& tree = trees.of(program_.op(operand).type);
    size_t first = 0, last = tree.places();
    const bool part = op.kind == OpKind::get_tuple_element && op.index < tree.element.size();
    if (part) {
      first = tree.element[op.index];
      last = first + trees.of(tree.at[first]).places();
      for (const PlaceId value : flow_.at(operand))
        ranges_[value.index()].end = std::max(ranges_[value.index()].end, time);
    }
    for (size_t i = first; i < last; ++i)
      for (const PlaceId value : flow_.at(operand, i))
        ranges_[value.index()].end = std::max(ranges_[value.index()].end, time);
  }
}

void Buffers::find_ranges(TypeTrees& trees) {
  ranges_.resize(flow_.place_count());
  std::vector<bool> is_root(program_.ops.size(), false);
  for (const Computation& computation : program_.computations)
    if (computation.root.valid()) is_root[computation.root.index()] = true;
  const auto held_until = [&](MachineOpId id) {
    const Sequence::Span span = sequence_.spans[program_.op(id).computation.index()];
    return is_root[id.index()] ? span.end : sequence_.time[id.index()];
  };
  for (size_t i = 0; i < flow_.place_count(); ++i) {
    if (!flow_.is_value(PlaceId{i})) continue;
    const MachineOpId id = flow_.op_of(PlaceId{i});
    const MachineOp& op = program_.op(id);
    const uint32_t begin =
        op.kind == OpKind::parameter ? sequence_.spans[op.computation.index()].begin : sequence_.time[id.index()];
    ranges_[i] = {begin, held_until(id)};
  }
  for (size_t i = 0; i < flow_.place_count(); ++i) {
    const uint32_t until = held_until(flow_.op_of(PlaceId{i}));
    for (const PlaceId value : flow_.at(PlaceId{i}))
      ranges_[value.index()].end = std::max(ranges_[value.index()].end, until);
  }
  for (const MachineOpId id : sequence_.ops) note_uses(trees, id);
  for (const MachineOpId id : program_.computation(program_.entry).ops) {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::parameter || is_handed_over(op.index)) continue;
    for (size_t i = 0; i < trees.of(op.type).places(); ++i)
      ranges_[flow_.place(id, i).index()].end = static_cast<uint32_t>(sequence_.ops.size());
  }
}

// Only one branch runs: what a branch gives to the conditional does not live while those run that stand behind it in
// the sequence, so the last one's holds the storage from the conditional on.
void Buffers::end_with_branches(TypeTrees& trees) {
  for (const MachineOpId id : sequence_.ops) {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::case_) continue;
    for (size_t branch = 0; branch + 1 < op.called.size(); ++branch) {
      const MachineOpId root = program_.computation(op.called[branch]).root;
      for (size_t i = 0; i < trees.of(program_.op(root).type).places(); ++i)
        for (const PlaceId value : flow_.at(root, i))
          if (program_.op(flow_.op_of(value)).computation == op.called[branch])
            ranges_[value.index()].end = sequence_.spans[op.called[branch].index()].end;
    }
  }
}

void Buffers::cut_overlaps() {
  for (std::vector<PlaceId>& values : buffers_) {
    std::sort(values.begin(), values.end(), [&](PlaceId a, PlaceId b) {
      const LiveRange x = range(a), y = range(b);
      return std::tuple(x.begin, x.end, a) < std::tuple(y.begin, y.end, b);
    });
    for (size_t i = 1; i < values.size(); ++i) {
      LiveRange& before = ranges_[values[i - 1].index()];
      LiveRange& after = ranges_[values[i].index()];
      after.end = std::max(before.end, after.end);
      before.end = std::min(before.end, after.begin);
    }
  }
}

}  // namespace sw
