// The work list and the writing of shardings; the order is explained in engine.h.
#include <algorithm>

#include "propagate/shardy/engine.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {

// One `propagate` of Shardy: results of main, everything, results of main.
void Engine::propagate(Visitor::Factors factors, int step) {
  factors_ = factors;
  step_ = step;
  propagate_main_results(factors);
  sweep();
  propagate_main_results(factors);
}

// Between the values that main returns and its result attributes, as if by an identity op. Nobody is notified.
void Engine::propagate_main_results(Visitor::Factors factors) {
  for (uint32_t i = 0; i < returned_.size(); ++i) {
    const WorkValueId value = returned_[i];
    const uint32_t slot = slot_of_[value.index()];
    if ((ir_.value(value).flags & kShaped) == 0 || slot == kNoSlot) continue;
    const uint32_t result = first_result_slot_ + i;
    if (result >= state_.slot_count()) return;
    Visitor::Job job;
    job.rule = rules_.identity(ir_.value(value).type, 1);
    job.may_conserve = false;
    job.factors = factors;
    const NamedShardingId tensors[] = {NamedShardingId{state_.sharding(slot)},
                                       NamedShardingId{state_.sharding(result)}};
    const std::span<const Update> updates = visitor_.run(job, tensors);
    pending_.assign(updates.begin(), updates.end());
    for (const Update& update : pending_) {
      Cause cause;
      cause.kind = CauseKind::result;
      cause.op = ir_.op(ir_.terminator(module_.body(module_.functions[module_.main]))).origin;
      cause.from_slot = update.tensor == 0 ? OpSlot::result(i) : OpSlot::operand(i);
      cause.to_slot = update.tensor == 0 ? OpSlot::operand(i) : OpSlot::result(i);
      if (update.tensor == 1) cause.from = state_.place(slot).value;
      set_sharding(update.tensor == 0 ? slot : result, update.next, cause);
      if (update.tensor == 0) update_group(slot, update.next, /*notify=*/false);
    }
  }
}

// ---- the work list -------------------------------------------------------------------------------------------------

// So that the ops on top come first.
void Engine::fill_stack() {
  stack_.clear();
  module_.for_each_body([&](WorkBlockId body) {
    walk_preorder(ir_, body, [&](WorkOpId id) {
      stack_.push_back(id);
      on_stack_[id.index()] = 1;
      return true;
    });
  });
  if (options_.order.kind != VisitOrder::Kind::reversed) std::reverse(stack_.begin(), stack_.end());
}

WorkOpId Engine::take_next() {
  if (options_.order.kind == VisitOrder::Kind::seeded) std::swap(stack_.back(), stack_[random_.below(stack_.size())]);
  const WorkOpId id = stack_.back();
  stack_.pop_back();
  return id;
}

void Engine::sweep() {
  fill_stack();
  while (!stack_.empty()) {
    const WorkOpId id = take_next();
    if ((ir_.op(id).flags & kErased) != 0) continue;
    on_stack_[id.index()] = 0;
    const OpVisit& visited = visits_[id.index()];
    if (visited.pure && (ir_.op(id).flags & kTerminatorOp) == 0 && ir_.unused(id)) {
      erase_dead(id);
      continue;
    }
    visit(id);
  }
}

void Engine::push_one(WorkOpId id) {
  if (on_stack_[id.index()] != 0) return;
  on_stack_[id.index()] = 1;
  stack_.push_back(id);
}

void Engine::push(WorkOpId id) {
  for (; id.valid(); id = ir_.parent_op(id)) push_one(id);
}

// Nested ops go first, from the last to the first; each brings back the definitions of its operands.
void Engine::erase_dead(WorkOpId id) {
  std::vector<WorkOpId> nested{id};
  const WorkOp& root = ir_.op(id);
  for (uint32_t r = 0; r < root.region_count; ++r) {
    const WorkRegion& region = ir_.regions[root.first_region + r];
    for (uint32_t b = 0; b < region.block_count; ++b)
      walk_preorder(ir_, WorkBlockId{region.first_block + b}, [&](WorkOpId inner) {
        nested.push_back(inner);
        return true;
      });
  }
  for (size_t i = nested.size(); i-- > 0;) {
    push_operands(nested[i]);
    on_stack_[nested[i].index()] = 0;
    ir_.erase(nested[i]);
  }
}

// Follows addOperandsToWorklist: definitions of operands with at most one other user.
void Engine::push_operands(WorkOpId id) {
  for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) {
    const WorkValueId operand = ir_.operand(id, i);
    const WorkOpId def = ir_.value(operand).def;
    if (!def.valid()) continue;
    WorkOpId other;
    bool more = false;
    for (UseId use = ir_.value(operand).first_use; use.valid() && !more; use = ir_.uses[use.index()].next) {
      const WorkOpId user = ir_.uses[use.index()].owner;
      if (user == id || user == other) continue;
      more = other.valid();
      other = user;
    }
    if (!more) push(def);
  }
}

// ---- one visit -----------------------------------------------------------------------------------------------------

void Engine::visit(WorkOpId id) {
  if (visits_[id.index()].kind == Kind::fresh) begin_visit(id);
  const OpVisit& op = visits_[id.index()];
  if (op.kind == Kind::nothing) return;
  gathered_.clear();
  bool any = false;
  for (uint32_t t = 0; t < op.tensor_count; ++t) {
    const uint32_t slot = tensors_[op.first_tensor + t];
    gathered_.push_back(slot == kNoSlot ? NamedShardingId{} : NamedShardingId{state_.sharding(slot)});
    any = any || gathered_.back().valid();
  }
  if (!any) return;
  current_ = id;
  Visitor::Job job;
  job.rule = op.rule;
  job.factors = factors_;
  job.elementwise = (ir_.op(id).flags & kElementwiseOp) != 0;
  job.directions = directions(id, step_);
  if (limit_ != Direction::both)
    job.directions = {meet(job.directions.pass_through, limit_), meet(job.directions.other, limit_)};
  if (op.kind != Kind::rule) job.may_conserve = false;
  if (op.kind == Kind::manual_edge) {
    visit_edge(id, job);
    return;
  }
  const std::span<const Update> updates = visitor_.run(job, gathered_);
  if (updates.empty()) return;
  pending_.assign(updates.begin(), updates.end());
  const CauseKind kind = op.kind == Kind::edge ? CauseKind::edge : CauseKind::rule;
  for (const Update& update : pending_) write(id, op, update, update.next, kind);
}

// The edge of a manual computation: inside and outside of it a value has different shardings. The edge of an argument
// stores the inside view, that of a result the outside view; propagation is between the sources and the same view of
// the edge. Follows transformTargetSharding.
void Engine::visit_edge(WorkOpId id, Visitor::Job job) {
  const OpVisit& op = visits_[id.index()];
  const WorkValueId owner = ir_.operand(id, 0);
  const bool is_argument = !ir_.value(owner).def.valid();
  const ManualComputation& manual = module_.manual[ir_.op(ir_.owning_op(owner)).extra];
  const uint32_t index = ir_.value(owner).index;
  NamedShardingId& target = gathered_.back();
  if (!target.valid() || index >= (is_argument ? manual.in : manual.out).size()) return;
  target = is_argument ? add_free_axes(shardings_, manual.in[index], target, manual.axes)
                       : erase_manual_axes(shardings_, target, manual.axes);
  const std::span<const Update> updates = visitor_.run(job, gathered_);
  pending_.assign(updates.begin(), updates.end());
  for (const Update& update : pending_) {
    NamedShardingId stored = update.next;
    if (update.tensor + 1 == op.tensor_count)
      stored = is_argument ? erase_manual_axes(shardings_, stored, manual.axes)
                           : add_free_axes(shardings_, manual.out[index], stored, manual.axes);
    write(id, op, update, stored, CauseKind::edge);
  }
}

// `stored` is what the slot gets; members of the group get the sharding as it was propagated.
void Engine::write(WorkOpId id, const OpVisit& op, const Update& update, NamedShardingId stored, CauseKind kind) {
  const uint32_t slot = tensors_[op.first_tensor + update.tensor];
  if (slot == kNoSlot) return;
  set_sharding(slot, stored, cause_of(id, op, update, kind));
  notify(slot);
  update_group(slot, update.next, /*notify=*/true);
}

void Engine::set_sharding(uint32_t slot, NamedShardingId next, const Cause& cause) {
  state_.refine(slot, next.raw, cause);
  if (slot >= first_result_slot_) return;
  const WorkOpId def = ir_.value(WorkValueId{slot}).def;
  if (!def.valid() || ir_.op(def).result_count == 1 || (ir_.op(def).flags & kHasShardings) != 0) return;
  // The attribute holds all results: those that had nothing are open from now on.
  ir_.op(def).flags |= kHasShardings;
  for (uint32_t i = 0; i < ir_.op(def).result_count; ++i) {
    const WorkValueId other = ir_.result(def, i);
    if (other.raw == slot || state_.sharding(other.raw) != State::kNone) continue;
    const NamedShardingId open = shardings_.fully_open(shardings_.get(next).mesh, module_.rank(other));
    Cause filler;
    filler.kind = CauseKind::fallback;
    state_.refine(other.raw, open.raw, filler);
  }
}

void Engine::update_group(uint32_t slot, NamedShardingId next, bool notify_members) {
  if (group_of_.empty() || group_of_[slot] == kNoSlot) return;
  for (const WorkValueId member : groups_[group_of_[slot]]) {
    if (member.raw == slot) continue;
    const uint32_t at = slot_of_[member.index()];
    if (at == kNoSlot) continue;
    Cause cause;
    cause.kind = CauseKind::group;
    cause.from = state_.place(slot).value;
    set_sharding(at, next, cause);
    if (notify_members) notify(member.raw);
  }
}

WorkValueId Engine::tensor_value(WorkOpId id, const OpVisit& op, uint32_t tensor) const {
  if (op.kind == Kind::edge || op.kind == Kind::manual_edge) {
    const uint32_t slot = tensors_[op.first_tensor + tensor];
    return slot == kNoSlot ? WorkValueId{} : WorkValueId{slot};
  }
  return tensor < op.operand_count ? ir_.operand(id, tensor) : ir_.result(id, tensor - op.operand_count);
}

Cause Engine::cause_of(WorkOpId id, const OpVisit& op, const Update& update, CauseKind kind) const {
  const auto slot_number = [&](uint32_t tensor) {
    return tensor >= op.operand_count ? OpSlot::result(tensor - op.operand_count) : OpSlot::operand(tensor);
  };
  Cause cause;
  cause.kind = kind;
  cause.to_slot = slot_number(update.tensor);
  cause.op = ir_.op(id).origin;
  if (kind == CauseKind::edge) cause.op = ir_.op(ir_.owning_op(ir_.operand(id, 0))).origin;
  if (update.from != kNoTensor) {
    cause.from_slot = slot_number(update.from);
    const WorkValueId from = tensor_value(id, op, update.from);
    if (from.valid()) cause.from = state_.place(from.raw).value;
  }
  return cause;
}

// ---- who has to be visited again -----------------------------------------------------------------------------------

void Engine::notify(uint32_t slot) {
  const WorkValueId value{slot};
  const WorkOpId def = ir_.value(value).def;
  const auto push_unless_current = [&](WorkOpId id) {
    if (id.valid() && id != current_) push(id);
  };
  if (def.valid() && ir_.op(def).kind == OpKind::data_flow_edge) {
    // The other values that share the edge: the arguments of both regions of a loop.
    const WorkValueId owner = ir_.operand(def, 0);
    const WorkOpId flow = ir_.owning_op(owner);
    if (flow.valid() && ir_.op(flow).kind == OpKind::while_)
      for (uint32_t region = 0; region < 2; ++region) {
        const WorkBlockId block = ir_.entry_block(flow, region);
        if (ir_.value(owner).index < ir_.block(block).arg_count) notify_users(ir_.arg(block, ir_.value(owner).index));
      }
  }
  push_unless_current(def.valid() ? def : ir_.owning_op(value));
  notify_users(value);
}

void Engine::notify_users(WorkValueId value) {
  for (UseId use = ir_.value(value).first_use; use.valid(); use = ir_.uses[use.index()].next) {
    WorkOpId user = ir_.uses[use.index()].owner;
    if (edge_of_use_[use.index()].valid()) {
      user = edge_of_use_[use.index()];
    } else if ((ir_.op(user).flags & kTerminatorOp) != 0) {
      user = ir_.parent_op(user);
    }
    if (user.valid() && user != current_) push(user);
  }
}

}  // namespace sw::shardy
