#include "schedule/machine.h"

#include <algorithm>
#include <limits>

#include "base/checked_math.h"

namespace sw {

const TypeTree& TypeTrees::of(TypeId type) {
  if (slots_.size() <= type.index()) slots_.resize(type.index() + 1, 0);
  if (slots_[type.index()] != 0) return trees_[slots_[type.index()] - 1];
  TypeTree tree;
  tree.at.push_back(type);
  const Type view = types_.get(type);
  tree.is_tuple = view.kind == TypeKind::tuple;
  if (tree.is_tuple) {
    // The readers bound how deep tuples nest.
    for (const TypeId element : view.elements) {
      tree.element.push_back(static_cast<uint32_t>(tree.at.size()));
      const TypeTree& inner = of(element);
      tree.at.insert(tree.at.end(), inner.at.begin(), inner.at.end());
    }
  }
  trees_.push_back(std::move(tree));
  if (slots_.size() <= type.index()) slots_.resize(type.index() + 1, 0);
  slots_[type.index()] = static_cast<uint32_t>(trees_.size());
  return trees_.back();
}

uint32_t place_of(TypeTrees& trees, const TypeTree& tree, std::span<const int64_t> index) {
  uint32_t place = 0;
  const TypeTree* at = &tree;
  for (const int64_t i : index) {
    if (i < 0 || i >= static_cast<int64_t>(at->element.size())) return static_cast<uint32_t>(tree.places());
    place += at->element[static_cast<size_t>(i)];
    at = &trees.of(tree.at[place]);
  }
  return place;
}

uint32_t TypeTree::element_with(uint32_t place) const {
  return static_cast<uint32_t>(std::upper_bound(element.begin(), element.end(), place) - element.begin()) - 1;
}

namespace {

void add_users(const MachineProgram& program, const Computation& computation, Users& users) {
  for (const MachineOpId id : computation.ops) {
    for (const MachineOpId operand : program.op(id).operands) {
      SmallVector<MachineOpId, 4>& of = users[operand.index()];
      // An op is looked at once, so that a second use of the same value follows the first.
      if (of.empty() || of.back() != id) of.push_back(id);
    }
  }
}

}  // namespace

Users users_of(const MachineProgram& program, const Computation& computation) {
  Users users(program.ops.size());
  add_users(program, computation, users);
  return users;
}

Users users_of(const MachineProgram& program) {
  Users users(program.ops.size());
  for (const ComputationId id : computations_in_use(program)) add_users(program, program.computation(id), users);
  return users;
}

std::vector<bool> needed_ops(const MachineProgram& program, const Computation& computation) {
  std::vector<bool> needed(program.ops.size(), false);
  needed[computation.root.index()] = true;
  for (auto id = computation.ops.rbegin(); id != computation.ops.rend(); ++id) {
    const MachineOp& op = program.op(*id);
    if (op.kind == OpKind::parameter) needed[id->index()] = true;
    if (!needed[id->index()]) continue;
    for (const MachineOpId operand : op.operands) needed[operand.index()] = true;
  }
  return needed;
}

int64_t element_count(const Type& type) { return type.is_array() ? type.element_count() : 0; }

bool same_storage(const Type& a, const Type& b) {
  return a.is_array() && b.is_array() && element_count(a) == element_count(b) && bits(a.element) == bits(b.element);
}

int64_t packed_bytes(const Type& type) {
  constexpr int64_t kPointer = 8;
  if (type.kind == TypeKind::tuple) return kPointer * static_cast<int64_t>(type.elements.size());
  if (!type.is_array()) return 0;
  const std::optional<int64_t> all = checked_mul(type.element_count(), bits(type.element));
  return all.has_value() ? ceil_div(*all, 8) : std::numeric_limits<int64_t>::max();
}

bool is_elementwise(OpKind kind) {
  return (has_trait(kind, kElementwise) && facts(kind).family == Family::pointwise) || kind == OpKind::erf ||
         kind == OpKind::map || kind == OpKind::bitcast_convert || kind == OpKind::stochastic_convert;
}

bool runs_computations(OpKind kind) { return kind == OpKind::while_ || kind == OpKind::case_ || kind == OpKind::call; }

std::vector<MachineOpId> parameters_of(const MachineProgram& program, const Computation& computation) {
  std::vector<MachineOpId> parameters;
  for (const MachineOpId id : computation.ops) {
    const MachineOp& op = program.op(id);
    if (op.kind != OpKind::parameter) continue;
    if (parameters.size() <= op.index) parameters.resize(op.index + 1);
    parameters[op.index] = id;
  }
  return parameters;
}

void sort_topologically(MachineProgram& program, ComputationId computation) {
  std::vector<MachineOpId> order;
  std::vector<bool> seen(program.ops.size(), false);
  std::vector<std::pair<MachineOpId, size_t>> stack;
  const auto enter = [&](MachineOpId op) {
    if (seen[op.index()]) return;
    seen[op.index()] = true;
    stack.emplace_back(op, 0);
  };
  for (const MachineOpId id : program.computation(computation).ops) {
    enter(id);
    while (!stack.empty()) {
      auto& [op, next] = stack.back();
      const SmallVector<MachineOpId, 4>& operands = program.op(op).operands;
      if (next < operands.size()) {
        enter(operands[next++]);
        continue;
      }
      order.push_back(op);
      stack.pop_back();
    }
  }
  program.computation(computation).ops = std::move(order);
}

std::vector<ComputationId> computations_in_use(const MachineProgram& program) {
  std::vector<ComputationId> order;
  std::vector<bool> seen(program.computations.size(), false);
  struct Frame {
    ComputationId computation;
    size_t op = 0, called = 0;
  };
  std::vector<Frame> stack{{program.entry}};
  seen[program.entry.index()] = true;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::vector<MachineOpId>& ops = program.computation(frame.computation).ops;
    if (frame.op == ops.size()) {
      order.push_back(frame.computation);
      stack.pop_back();
      continue;
    }
    const MachineOp& op = program.op(ops[frame.op]);
    if (frame.called == op.called.size()) {
      ++frame.op;
      frame.called = 0;
      continue;
    }
    const ComputationId next = op.called[frame.called++];
    if (seen[next.index()]) continue;
    seen[next.index()] = true;
    stack.push_back({next});
  }
  return order;
}

}  // namespace sw
