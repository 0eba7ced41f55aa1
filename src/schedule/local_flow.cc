#include "schedule/local_flow.h"

#include <algorithm>

namespace sw {

LocalFlow::LocalFlow(const MachineProgram& program, TypeTrees& trees, const Computation& computation, bool in_place)
    : first_(program.ops.size(), 0), count_(program.ops.size(), 0) {
  for (const MachineOpId id : computation.ops) {
    const MachineOp& op = program.op(id);
    const TypeTree& tree = trees.of(op.type);
    const auto first = static_cast<uint32_t>(at_.size());
    first_[id.index()] = first;
    count_[id.index()] = static_cast<uint32_t>(tree.places());
    types_.insert(types_.end(), tree.at.begin(), tree.at.end());
    owner_.resize(types_.size(), id);
    for (uint32_t i = 0; i < tree.places(); ++i) at_.push_back(first + i);
    const auto take = [&](size_t to, MachineOpId from, size_t place) {
      for (size_t i = 0; place + i < places(from) && to + i < tree.places(); ++i)
        at_[first + to + i] = at(from, place + i);
    };
    if (op.kind == OpKind::tuple) {
      for (size_t i = 0; i < op.operands.size() && i < tree.element.size(); ++i)
        take(tree.element[i], op.operands[i], 0);
    } else if (op.kind == OpKind::get_tuple_element) {
      const TypeTree& from = trees.of(program.op(op.operands[0]).type);
      if (op.index < from.element.size()) take(0, op.operands[0], from.element[op.index]);
    } else if (op.kind == OpKind::optimization_barrier || op.kind == OpKind::bitcast) {
      take(0, op.operands[0], 0);
    } else if (in_place && op.kind == OpKind::while_) {
      take(0, op.operands[0], 0);
    } else if (in_place && op.kernel.valid()) {
      for (const OperandToResult& pair : program.kernels[op.kernel.index()].in_place)
        at_[first + pair.place] = at(op.operands[pair.operand]);
    }
  }
}

std::vector<LocalValue> LocalFlow::all_of(MachineOpId op) const {
  const auto begin = at_.begin() + first_[op.index()];
  std::vector<LocalValue> all(begin, begin + count_[op.index()]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace sw
