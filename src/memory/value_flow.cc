#include "memory/value_flow.h"

#include <algorithm>

namespace sw {

Sequence sequence_of(const MachineProgram& program) {
  Sequence all;
  all.time.assign(program.ops.size(), Sequence::kNever);
  all.spans.resize(program.computations.size());
  struct Frame {
    ComputationId computation;
    size_t op = 0, called = 0;
  };
  std::vector<Frame> stack{{program.entry}};
  all.spans[program.entry.index()].runs = true;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::vector<MachineOpId>& ops = program.computation(frame.computation).ops;
    Sequence::Span& span = all.spans[frame.computation.index()];
    if (frame.op == ops.size()) {
      span.end = static_cast<uint32_t>(all.ops.size());
      stack.pop_back();
      continue;
    }
    const MachineOpId id = ops[frame.op];
    const MachineOp& op = program.op(id);
    if (frame.called < op.called.size()) {
      const ComputationId next = op.called[frame.called++];
      Sequence::Span& inner = all.spans[next.index()];
      if (inner.runs) continue;
      inner.runs = true;
      inner.begin = static_cast<uint32_t>(all.ops.size());
      stack.push_back({next});
      continue;
    }
    all.time[id.index()] = static_cast<uint32_t>(all.ops.size());
    all.ops.push_back(id);
    ++frame.op;
    frame.called = 0;
  }
  return all;
}

ValueFlow::ValueFlow(const MachineProgram& program, const Sequence& sequence, TypeTrees& trees)
    : program_(program), trees_(trees), first_(program.ops.size(), 0), callers_(program.computations.size()) {
  for (const MachineOpId id : sequence.ops) {
    first_[id.index()] = static_cast<uint32_t>(owner_.size());
    const TypeTree& tree = trees.of(program.op(id).type);
    types_.insert(types_.end(), tree.at.begin(), tree.at.end());
    owner_.resize(types_.size(), id);
    const MachineOp& op = program.op(id);
    for (size_t i = 0; i < op.called.size(); ++i) callers_[op.called[i].index()].push_back({id, i});
  }
  sets_.resize(owner_.size());
  // Values go round a loop once for each loop that they pass through, one inside the other.
  constexpr int kMostRounds = 30;
  changed_ = true;
  for (int round = 0; changed_ && round < kMostRounds; ++round) {
    changed_ = false;
    for (const MachineOpId id : sequence.ops) visit(id);
  }
}

void ValueFlow::set(PlaceId place, const ValueSet& values) {
  ValueSet& old = sets_[place.index()];
  if (old == values) return;
  old = values;
  changed_ = true;
}

// The places of `id` from `to` on are those of `from` from `at` on, as far as the type at `to` reaches.
void ValueFlow::forward(MachineOpId id, size_t to, MachineOpId from, size_t at) {
  const size_t available = trees_.of(program_.op(from).type).places();
  const size_t wanted = trees_.of(type_of(place(id, to))).places();
  for (size_t i = 0; i < wanted && at + i < available; ++i) set(place(id, to + i), this->at(from, at + i));
}

void ValueFlow::make(MachineOpId id) {
  const size_t places = trees_.of(program_.op(id).type).places();
  for (size_t i = 0; i < places; ++i) set(place(id, i), ValueSet{place(id, i)});
}

// The same for arrays; tuples are made by `id` itself.
void ValueFlow::forward_arrays(MachineOpId id, size_t to, MachineOpId from, size_t at) {
  const size_t available = trees_.of(program_.op(from).type).places();
  const size_t wanted = trees_.of(type_of(place(id, to))).places();
  for (size_t i = 0; i < wanted && at + i < available; ++i) {
    const PlaceId own = place(id, to + i);
    const bool is_tuple = program_.types.get(type_of(own)).kind == TypeKind::tuple;
    set(own, is_tuple ? ValueSet{own} : this->at(from, at + i));
  }
}

// Each place of `id` holds what stands there on any side; side i begins at its place places[i].
void ValueFlow::join(MachineOpId id, std::span<const MachineOpId> sides, std::span<const uint32_t> places) {
  const size_t count = trees_.of(program_.op(id).type).places();
  for (size_t i = 0; i < count; ++i) {
    ValueSet all;
    for (size_t s = 0; s < sides.size(); ++s) {
      if (places[s] + i >= trees_.of(program_.op(sides[s]).type).places()) continue;
      const ValueSet& more = at(sides[s], places[s] + i);
      all.append(more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    set(place(id, i), all);
  }
}

void ValueFlow::visit_parameter(MachineOpId id) {
  const MachineOp& op = program_.op(id);
  if (program_.computation(op.computation).is_entry) return make(id);
  std::vector<MachineOpId> sides;
  for (const Caller& caller : callers_[op.computation.index()]) {
    const MachineOp& call = program_.op(caller.op);
    if (call.kind == OpKind::while_) {
      sides.push_back(call.operands[0]);
      sides.push_back(program_.computation(call.called.back()).root);
    } else if (call.kind == OpKind::case_) {
      if (caller.which + 1 < call.operands.size()) sides.push_back(call.operands[caller.which + 1]);
    } else if (op.index < call.operands.size()) {
      sides.push_back(call.operands[op.index]);
    }
  }
  const std::vector<uint32_t> places(sides.size(), 0);
  join(id, sides, places);
}

// Starts of asynchronous ops hold their operands at 0 and their results at 1, with what else the runtime needs. Tuples
// and whatever is not forwarded they make themselves.
void ValueFlow::visit_start(MachineOpId id) {
  const MachineOp& op = program_.op(id);
  const TypeTree& tree = trees_.of(op.type);
  std::vector<ValueSet> sets;
  for (size_t i = 0; i < tree.places(); ++i) sets.push_back(ValueSet{place(id, i)});
  const auto forward = [&](size_t to, MachineOpId from) {
    const TypeTree& source = trees_.of(program_.op(from).type);
    const TypeTree& target = trees_.of(tree.at[to]);
    for (size_t i = 0; i < std::min(source.places(), target.places()); ++i)
      if (program_.types.get(target.at[i]).kind != TypeKind::tuple) sets[to + i] = at(from, i);
  };
  const bool listed = !tree.element.empty() && trees_.of(tree.at[tree.element[0]]).is_tuple;
  if (op.kind == OpKind::copy_start) {
    if (tree.element.size() > 1) forward(tree.element[1], op.operands[0]);
  } else if (listed) {
    const TypeTree& operands = trees_.of(tree.at[tree.element[0]]);
    for (size_t i = 0; i < op.operands.size() && i < operands.element.size(); ++i)
      forward(tree.element[0] + operands.element[i], op.operands[i]);
    if (op.kind == OpKind::async_start && !op.called.empty() && tree.element.size() > 1)
      forward(tree.element[1], program_.computation(op.called[0]).root);
  } else if (op.kind != OpKind::async_start && !tree.element.empty() && op.operands.size() == 1 &&
             !program_.is_tuple(op.operands[0])) {
    forward(tree.element[0], op.operands[0]);
  }
  for (size_t i = 0; i < sets.size(); ++i) set(place(id, i), sets[i]);
}

void ValueFlow::visit(MachineOpId id) {
  const MachineOp& op = program_.op(id);
  const auto element = [&](size_t i) -> size_t {
    const TypeTree& tree = trees_.of(program_.op(op.operands[0]).type);
    return i < tree.element.size() ? tree.element[i] : 0;
  };
  if (op.operands.empty() && op.kind != OpKind::parameter && op.kind != OpKind::tuple) return make(id);
  switch (op.kind) {
    case OpKind::parameter: return visit_parameter(id);
    case OpKind::tuple: {
      set(place(id), ValueSet{place(id)});
      const TypeTree& tree = trees_.of(op.type);
      for (size_t i = 0; i < op.operands.size() && i < tree.element.size(); ++i)
        forward(id, tree.element[i], op.operands[i], 0);
      return;
    }
    case OpKind::get_tuple_element: return forward(id, 0, op.operands[0], element(op.index));
    case OpKind::bitcast:
    case OpKind::optimization_barrier:
    case OpKind::all_reduce_done:
    case OpKind::add_dependency:
    case OpKind::async_update:
    case OpKind::domain: return forward(id, 0, op.operands[0], 0);
    case OpKind::all_gather_done:
    case OpKind::collective_permute_done:
    case OpKind::async_done: return forward_arrays(id, 0, op.operands[0], element(1));
    case OpKind::copy_done: return forward(id, 0, op.operands[0], element(0));
    case OpKind::copy_start:
    case OpKind::all_gather_start:
    case OpKind::collective_permute_start:
    case OpKind::async_start: return visit_start(id);
    case OpKind::while_: {
      const MachineOpId sides[] = {op.operands[0], program_.computation(op.called.back()).root};
      const uint32_t places[] = {0, 0};
      return join(id, sides, places);
    }
    case OpKind::case_:
    case OpKind::call: {
      std::vector<MachineOpId> sides;
      for (const ComputationId called : op.called) sides.push_back(program_.computation(called).root);
      const std::vector<uint32_t> places(sides.size(), 0);
      return join(id, sides, places);
    }
    default: return make(id);
  }
}

}  // namespace sw
