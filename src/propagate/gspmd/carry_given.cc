// Without propagation: what tuples, loops and branches hand on is what they are given. StableHLO says the sharding of a
// loop once, on the op; HLO has it on the tuple before it, on the parameters of its computations and on the elements
// inside, and values used from outside are part of the tuple too.
#include "propagate/gspmd/driver.h"

namespace sw::gspmd {

void Propagation::take_given() {
  if (!module_.entry.valid() || !module_.entry_root().valid()) return;
  module_.compute_post_orders();
  apply_given();
  replace_unknown();
  // Callers come after what they call, so that parameters have theirs when their computation is looked at.
  for (size_t c = module_.comps.size(); c-- > 0;)
    for (const InstId id : module_.comps[c].post) carry_given(id);
}

void Propagation::carry_given(InstId id) {
  const Inst& inst = module_.inst(id);
  if (inst.kind == OpKind::get_tuple_element && !state_.has(id) && inst.leaf_count == 1) {
    const InstId tuple = module_.operand(id, 0);
    if (state_.has(tuple)) state_.set(id, state_.shards(tuple)[static_cast<size_t>(inst.number)]);
  }
  if (inst.kind == OpKind::tuple && !state_.has(id)) state_.set_all(id, leaves_of_operands(id));
  if (inst.kind == OpKind::while_) carry_into_loop(id);
  if (inst.kind == OpKind::case_) carry_into_branches(id);
}

Leaves Propagation::leaves_of_operands(InstId tuple) const {
  Leaves leaves;
  for (const uint32_t operand : module_.operands(tuple)) {
    const InstId from{operand};
    for (size_t i = 0; i < module_.inst(from).leaf_count; ++i)
      leaves.push_back(state_.has(from) ? state_.shards(from)[i] : pool_.replicated());
  }
  if (leaves.empty()) leaves.push_back(pool_.replicated());  // XLA counts one leaf in a tuple without elements
  return leaves;
}

// Behind the results that the op as read has stand the values from outside.
void Propagation::carry_into_loop(InstId loop) {
  const Inst& inst = module_.inst(loop);
  const InstId initial = module_.operand(loop, 0);
  if (!state_.has(initial)) return;
  Leaves leaves(state_.shards(initial));
  const size_t written = inst.op.valid() ? state_.graph.op(inst.op).result_count : 0;
  for (size_t i = 0; state_.has(loop) && i < written && i < leaves.size(); ++i) leaves[i] = state_.shards(loop)[i];
  state_.set_all(loop, leaves);
  for (const uint32_t callee : module_.called(loop))
    for (const InstId parameter : module_.comps[callee].params) state_.set_all(parameter, leaves);
}

void Propagation::carry_into_branches(InstId id) {
  const std::span<const uint32_t> callees = module_.called(id);
  for (size_t i = 0; i < callees.size(); ++i) {
    const InstId argument = module_.operand(id, i + 1);
    const Computation& branch = module_.comps[callees[i]];
    if (state_.has(argument) && !branch.params.empty()) state_.set_all(branch.params[0], state_.shards(argument));
    if (state_.has(id) && state_.is_tuple(branch.root)) state_.copy(branch.root, id);
  }
}

}  // namespace sw::gspmd
