// See the header.
#include "schedule/insertion.h"

namespace sw {

MachineOpId Insertions::copy_operand(MachineOpId user, size_t operand, OpKind does) {
  const MachineOpId read = program_.op(user).operands[operand];
  MachineOp copy;
  copy.kind = OpKind::fusion;
  copy.does = does;
  copy.type = program_.op(read).type;
  copy.computation = program_.op(user).computation;
  copy.operands = {read};
  copy.kernel = program_.add(Kernel{});
  copy.source = program_.op(read).source;
  const MachineOpId made = program_.add(std::move(copy));
  program_.op(user).operands[operand] = made;
  before_[user].push_back(made);
  return made;
}

void Insertions::apply(ComputationId computation) {
  if (before_.empty()) return;
  std::vector<MachineOpId> order;
  for (const MachineOpId op : program_.computation(computation).ops) {
    if (const auto copies = before_.find(op); copies != before_.end())
      order.insert(order.end(), copies->second.begin(), copies->second.end());
    order.push_back(op);
  }
  program_.computation(computation).ops = std::move(order);
  before_.clear();
}

MachineOpId passed_through(const MachineProgram& program, const Computation& body, uint32_t i) {
  const MachineOp& root = program.op(body.root);
  if (i >= root.operands.size()) return {};
  const MachineOp& part = program.op(root.operands[i]);
  const bool is_same = part.kind == OpKind::get_tuple_element && part.index == i &&
                       program.op(part.operands[0]).kind == OpKind::parameter;
  return is_same ? root.operands[i] : MachineOpId{};
}

}  // namespace sw
