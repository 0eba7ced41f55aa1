#include "schedule/sharing.h"

#include <algorithm>

namespace sw {

std::vector<OperandToResult> in_place_pairs(const MachineProgram& program, TypeTrees& trees, MachineOpId id) {
  const MachineOp& op = program.op(id);
  switch (op.kind) {
    case OpKind::fusion:
    case OpKind::custom_call:
      return op.kernel.valid() ? program.kernels[op.kernel.index()].in_place : std::vector<OperandToResult>{};
    case OpKind::dynamic_update_slice:
    case OpKind::scatter:
    case OpKind::all_reduce_start: {
      const TypeTree& tree = trees.of(op.type);
      if (!tree.is_tuple) return {{0, 0}};
      std::vector<OperandToResult> pairs;
      for (uint32_t i = 0; i < tree.element.size() && i < op.operands.size(); ++i)
        pairs.push_back({i, tree.element[i]});
      return pairs;
    }
    default: return {};
  }
}

namespace {

bool names(const MachineOp& user, const std::vector<OperandToResult>& pairs, MachineOpId operand, uint32_t place) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const OperandToResult& pair) {
    return pair.place == place && pair.operand < user.operands.size() && user.operands[pair.operand] == operand;
  });
}

}  // namespace

bool may_overwrite(const MachineProgram& program, TypeTrees& trees, MachineOpId operand, bool only_user,
                   MachineOpId user, uint32_t place) {
  const MachineOp& op = program.op(user);
  if (program.op(operand).kind == OpKind::constant) return false;
  const TypeId from = program.op(operand).type, to = trees.of(op.type).at[place];
  const Type a = program.types.get(from), b = program.types.get(to);
  if (a.kind == TypeKind::tuple || b.kind == TypeKind::tuple) return false;
  if (op.kind == OpKind::fusion) {
    if (!op.kernel.valid()) return false;
    const Kernel& kernel = program.kernels[op.kernel.index()];
    if (names(op, kernel.in_place, operand, place)) return true;
    return same_storage(a, b) && names(op, kernel.may_overwrite, operand, place);
  }
  if (names(op, in_place_pairs(program, trees, user), operand, place)) return true;
  if (from != to) return false;
  const auto uses = std::count(op.operands.begin(), op.operands.end(), operand);
  switch (op.kind) {
    case OpKind::while_:
    case OpKind::case_: return true;
    case OpKind::triangular_solve: return uses == 1 && op.operands[1] == operand;
    case OpKind::sort: {
      if (!only_user) return false;
      if (op.operands.size() == 1) return true;
      const auto at =
          static_cast<size_t>(std::find(op.operands.begin(), op.operands.end(), operand) - op.operands.begin());
      const TypeTree& tree = trees.of(op.type);
      return uses == 1 && at < tree.element.size() && tree.element[at] == place;
    }
    default: return is_elementwise(op.kind);
  }
}

}  // namespace sw
