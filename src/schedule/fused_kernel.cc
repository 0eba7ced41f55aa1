#include "schedule/fused_kernel.h"

#include <algorithm>

namespace sw {

struct FusedKernels::Fusion {
  BlockId body;
  std::vector<ValueId> results;  // the root, or the parts of the tuple that it is
  ValueId reduction;             // of an input fusion: the reduction at its root
};

FusedKernels::FusedKernels(const Graph& graph)
    : graph_(graph), users_(graph.value_count()), reached_in_(graph.value_count(), 0) {
  for (size_t i = 0; i < graph.op_count(); ++i) {
    if (has_trait(graph.op(OpId{i}).kind, kTerminator)) continue;
    for (const ValueId operand : graph.operands(OpId{i})) {
      SmallVector<OpId, 4>& of = users_[operand.index()];
      if (of.empty() || of.back() != OpId{i}) of.push_back(OpId{i});
    }
  }
}

const Op* FusedKernels::maker(ValueId value) const {
  const OpId def = graph_.value(value).def;
  return def.valid() ? &graph_.op(def) : nullptr;
}

ValueId FusedKernels::through_bitcasts(ValueId value) const {
  for (const Op* op = maker(value); op != nullptr && (op->kind == OpKind::bitcast || op->kind == OpKind::reshape);
       op = maker(value))
    value = graph_.operands(*op)[0];
  return value;
}

// The reduction that ends the kernel, up to a few conversions after it.
ValueId FusedKernels::reduction_of(const Fusion& fusion) const {
  constexpr int kSteps = 6;
  for (ValueId value : fusion.results) {
    for (int step = 0; step < kSteps; ++step) {
      const Op* op = maker(value);
      if (op == nullptr) break;
      if (op->kind == OpKind::reduce) return value;
      if (op->kind != OpKind::bitcast && !(is_elementwise(op->kind) && op->operands.count == 1)) break;
      value = graph_.operands(*op)[0];
    }
  }
  return {};
}

// Whether `user` may stand between an operand and the result `main` makes, while that is written over the operand.
bool FusedKernels::harmless(const Fusion& fusion, ValueId value, OpId user, OpId main) const {
  const Op& op = graph_.op(user);
  const std::span<const ValueId> operands = graph_.operands(op);
  const bool is_first = operands[0] == value;
  const Op* target = main.valid() ? &graph_.op(main) : nullptr;
  if (user == main && op.kind == OpKind::scatter && is_first &&
      std::count(operands.begin(), operands.end(), value) == 1)
    return true;
  if (target != nullptr && target->kind == OpKind::dynamic_update_slice && op.kind == OpKind::dynamic_slice) {
    // Reads what the update overwrites, and nothing else.
    const std::span<const ValueId> updated = graph_.operands(*target);
    const Type slice = graph_.type_of(op.first_result), update = graph_.type_of(updated[1]);
    if (updated[0] == operands[0] && std::ranges::equal(slice.dims, update.dims))
      return element_count(slice) == 1 || std::equal(operands.begin() + 1, operands.end(), updated.begin() + 2);
  }
  if (is_elementwise(op.kind) || op.kind == OpKind::bitcast || op.kind == OpKind::tuple) return true;
  if (op.first_result == fusion.reduction) return true;
  if (op.kind != OpKind::dynamic_update_slice) return false;
  return is_first || (user == main && operands[1] == value);
}

bool FusedKernels::may_overwrite(const Fusion& fusion, size_t operand, size_t result) const {
  const ValueId out = fusion.results[result];
  const OpId def = graph_.value(out).def;
  OpId main = def;
  if (def.valid() && graph_.op(def).kind == OpKind::bitcast) main = graph_.value(graph_.operands(def)[0]).def;
  std::vector<ValueId> reached;
  ++search_;
  const auto reach = [&](ValueId value) {
    if (reached_in_[value.index()] == search_) return;
    reached_in_[value.index()] = search_;
    reached.push_back(value);
  };
  reach(graph_.arg(fusion.body, operand));
  bool found = false;
  for (size_t next = 0; next < reached.size(); ++next) {
    const ValueId value = reached[next];
    if (value == out) found = true;
    if (value == fusion.reduction) continue;
    for (const OpId user : users_[value.index()]) {
      if (!harmless(fusion, value, user, main)) return false;
      reach(graph_.op(user).first_result);
    }
  }
  if (fusion.results.size() > 1 && !(main.valid() && is_elementwise(graph_.op(main).kind))) {
    for (const ValueId other : fusion.results)
      if (other != out && reached_in_[other.index()] == search_) return false;
  }
  return found;
}

Kernel FusedKernels::facts_of(OpId id, TypeTrees& trees) const {
  const Op& op = graph_.op(id);
  Kernel kernel;
  if (op.regions.empty()) return kernel;
  Fusion fusion;
  fusion.body = graph_.entry_block(graph_.regions(op)[0]);
  const ValueId root = graph_.operands(graph_.block(fusion.body).ops.back())[0];
  const TypeTree& tree = trees.of(graph_.value(op.first_result).type);
  const Op* root_op = maker(root);
  if (root_op != nullptr && root_op->kind == OpKind::tuple) {
    const std::span<const ValueId> parts = graph_.operands(*root_op);
    fusion.results.assign(parts.begin(), parts.end());
  } else {
    fusion.results.push_back(root);
  }
  const AttrId kind = graph_.attr(op, "kind");
  if (kind.valid() && graph_.attr_table.get(kind).text == "kInput") fusion.reduction = reduction_of(fusion);

  const std::span<const ValueId> operands = graph_.operands(op);
  // No compiler makes kernels so large that looking at every pair of operand and result is work.
  constexpr size_t kMostWork = 100'000'000;
  const bool small = operands.size() * fusion.results.size() <= kMostWork / graph_.block(fusion.body).ops.size();
  for (uint32_t r = 0; r < fusion.results.size(); ++r) {
    const uint32_t place = tree.is_tuple && r < tree.element.size() ? tree.element[r] : 0;
    const Type result = graph_.types.get(tree.at[place]);
    const Op* updates = maker(through_bitcasts(fusion.results[r]));
    if (updates != nullptr && result.is_array() &&
        (updates->kind == OpKind::dynamic_update_slice || updates->kind == OpKind::scatter)) {
      const ValueId source = through_bitcasts(graph_.operands(*updates)[0]);
      if (!graph_.value(source).def.valid()) kernel.in_place.push_back({graph_.value(source).index, place});
    }
    for (uint32_t i = 0; small && i < operands.size() && i < graph_.block(fusion.body).arg_count; ++i) {
      const Type operand = graph_.type_of(operands[i]);
      const bool first = std::find(operands.begin(), operands.begin() + i, operands[i]) == operands.begin() + i;
      if (first && same_storage(operand, result) && may_overwrite(fusion, i, r))
        kernel.may_overwrite.push_back({i, place});
    }
  }
  return kernel;
}

}  // namespace sw
