// Preparation of the engine: what does not change during propagation is laid out flat, once. See the header.
#include "propagate/shardy/engine.h"

#include <algorithm>

#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {

Engine::Engine(Module& module, GroupMembers groups, const ShardyOptions& options)
    : module_(module),
      ir_(module.ir),
      shardings_(module.shardings),
      options_(options),
      rules_(module.graph, options.conservative),
      visitor_(module.shardings, rules_, options),
      groups_(std::move(groups)),
      random_(options.order.seed) {
  lay_out();
  start_state();
}

// ---- layout --------------------------------------------------------------------------------------------------------

void Engine::lay_out() {
  slot_of_.resize(ir_.values.size());
  for (size_t v = 0; v < ir_.values.size(); ++v) {
    const WorkValueId at = module_.shardable(WorkValueId{v});
    slot_of_[v] = at.valid() ? at.raw : kNoSlot;
  }
  if (!groups_.empty()) {
    group_of_.assign(ir_.values.size(), kNoSlot);
    for (size_t g = 0; g < groups_.size(); ++g)
      for (const WorkValueId member : groups_[g]) group_of_[member.index()] = static_cast<uint32_t>(g);
  }
  visits_.resize(ir_.ops.size());
  tensors_.reserve(ir_.uses.size() + ir_.values.size());
  on_stack_.resize(ir_.ops.size());
  find_edges_of_uses();
  for (size_t i = 0; i < ir_.ops.size(); ++i)
    if ((ir_.ops[i].flags & kErased) == 0) lay_out_op(WorkOpId{i});
  find_purity();
  first_result_slot_ = static_cast<uint32_t>(ir_.values.size());
  const WorkOpId terminator = ir_.terminator(module_.body(module_.functions[module_.main]));
  if (terminator.valid() && ir_.op(terminator).kind == OpKind::func_return)
    for (uint32_t i = 0; i < ir_.op(terminator).operand_count; ++i) returned_.push_back(ir_.operand(terminator, i));
}

void Engine::lay_out_op(WorkOpId id) {
  const WorkOp& op = ir_.op(id);
  OpVisit& visit = visits_[id.index()];
  switch (op.kind) {
    case OpKind::data_flow_edge: lay_out_edge(id); return;
    case OpKind::reshape:
    case OpKind::transpose: visit.pass = PassThrough::both; break;
    case OpKind::dynamic_slice:
    case OpKind::dynamic_update_slice: visit.pass = PassThrough::forward; break;
    case OpKind::broadcast_in_dim: visit.broadcast = true; break;
    case OpKind::custom_call: {
      const AttrId target = module_.graph.attr(module_.graph.op(op.origin), "call_target_name");
      const std::string_view name = target.valid() ? module_.graph.attr_table.get(target).text : std::string_view();
      if (name == "MoveToDevice" || name == "MoveToHost") visit.pass = PassThrough::both;
      break;
    }
    default: break;
  }
  if ((op.flags & kElementwiseOp) != 0) visit.pass = PassThrough::both;
  visit.first_tensor = static_cast<uint32_t>(tensors_.size());
  visit.operand_count = op.operand_count;
  visit.tensor_count = op.operand_count + op.result_count;
  for (uint32_t i = 0; i < op.operand_count; ++i) tensors_.push_back(slot_of_[ir_.operand(id, i).index()]);
  for (uint32_t i = 0; i < op.result_count; ++i) tensors_.push_back(slot_of_[ir_.result(id, i).index()]);
}

// Sources first, then the edge itself. Follows getEdgeSources.
void Engine::lay_out_edge(WorkOpId id) {
  OpVisit& visit = visits_[id.index()];
  visit.kind = Kind::nothing;
  const WorkValueId owner = ir_.operand(id, 0);
  const WorkOpId flow = ir_.owning_op(owner);
  if (!flow.valid() || (ir_.op(flow).flags & kDataFlow) == 0 || (ir_.value(owner).flags & kShaped) == 0) return;
  visit.pass = PassThrough::both;
  visit.first_tensor = static_cast<uint32_t>(tensors_.size());
  const uint32_t index = ir_.value(owner).index;
  const WorkOp& op = ir_.op(flow);
  const auto source = [&](WorkOpId user) {
    if (!user.valid() || index >= ir_.op(user).operand_count) return false;
    tensors_.push_back(slot_of_[ir_.operand(user, index).index()]);
    return true;
  };
  const auto returned = [&](uint32_t region) { return source(ir_.terminator(ir_.entry_block(flow, region))); };
  bool good = true;
  switch (op.kind) {
    case OpKind::while_: good = source(flow) && returned(1); break;
    case OpKind::case_:
      for (uint32_t r = 0; r < op.region_count; ++r) good = good && returned(r);
      break;
    case OpKind::optimization_barrier: good = source(flow); break;
    default: good = ir_.value(owner).def.valid() ? returned(0) : source(flow); break;
  }
  visit.operand_count = static_cast<uint32_t>(tensors_.size()) - visit.first_tensor;
  visit.tensor_count = visit.operand_count + 1;
  tensors_.push_back(ir_.result(id).raw);
  if (!good) return;
  visit.kind = op.kind == OpKind::manual_computation ? Kind::manual_edge : Kind::edge;
  visit.rule = rules_.identity(ir_.value(owner).type, visit.operand_count);
}

// Which edge a use feeds. Follows DataFlowEdgeOp::lookup(OpOperand), with its two peculiarities: any operand of a
// terminator counts by its number, so the condition of a loop belongs to result 0, and so does the index of a case; and
// an operand of a manual or named computation feeds nothing, so a change of it does not bring its edge back.
void Engine::find_edges_of_uses() {
  edge_of_use_.resize(ir_.uses.size());
  for (size_t u = 0; u < ir_.uses.size(); ++u) {
    const WorkUse& use = ir_.uses[u];
    if (!use.value.valid()) continue;
    const bool terminator = (ir_.op(use.owner).flags & kTerminatorOp) != 0;
    const WorkOpId flow = terminator ? ir_.parent_op(use.owner) : use.owner;
    if (!flow.valid() || (ir_.op(flow).flags & kDataFlow) == 0) continue;
    const OpKind kind = ir_.op(flow).kind;
    if (!terminator && (kind == OpKind::manual_computation || kind == OpKind::named_computation)) continue;
    const uint32_t number = ir_.operand_number(UseId{u});
    if (number >= ir_.op(flow).result_count) continue;
    const WorkValueId edge = module_.edge_of_target(ir_.result(flow, number));
    if (edge.valid()) edge_of_use_[u] = ir_.value(edge).def;
  }
}

// An op is pure if it and all ops inside it are. Inner ops have larger ids than the op only as read, so walk from
// inside.
void Engine::find_purity() {
  module_.for_each_body([&](WorkBlockId body) {
    walk_postorder(ir_, body, [&](WorkOpId id) {
      const WorkOp& op = ir_.op(id);
      bool pure = (op.flags & kPureOp) != 0;
      for (uint32_t r = 0; r < op.region_count && pure; ++r) {
        const WorkRegion& region = ir_.regions[op.first_region + r];
        for (uint32_t b = 0; b < region.block_count; ++b)
          for (WorkOpId inner = ir_.blocks[region.first_block + b].first; inner.valid(); inner = ir_.op(inner).next)
            pure = pure && (visits_[inner.index()].pure || (ir_.op(inner).flags & kTerminatorOp) != 0);
      }
      visits_[id.index()].pure = pure;
    });
  });
}

// ---- the start -----------------------------------------------------------------------------------------------------

// Edges stand for the value they follow, inserted constraints for their input.
State::Place Engine::place_of(WorkValueId value) const {
  while (!ir_.value(value).origin.valid() && ir_.value(value).def.valid()) {
    const WorkOpId def = ir_.value(value).def;
    if (ir_.op(def).operand_count == 0) return {};  // erased on the way
    value = ir_.operand(def, 0);
  }
  const WorkValue& v = ir_.value(value);
  uint32_t instance = 0;
  if (v.def.valid()) {
    instance = ir_.op(v.def).instance;
  } else {
    const WorkBlock& block = ir_.block(v.block);
    if (block.first.valid()) instance = ir_.op(block.first).instance;
  }
  return {v.origin, instance};
}

void Engine::start_state() {
  const WorkFunction& main = module_.functions[module_.main];
  const size_t slots = first_result_slot_ + main.results.size();
  std::vector<uint32_t> start(slots, State::kNone);
  std::vector<State::Place> places(slots);
  for (size_t v = 0; v < ir_.values.size(); ++v) places[v] = place_of(WorkValueId{v});
  // Open shardings without axes say nothing that a trace could explain.
  const auto silent = [&](NamedShardingId id) { return fully_replicated_and_open(shardings_.get(id)); };
  for (size_t v = 0; v < ir_.values.size(); ++v)
    if (slot_of_[v] == v && ir_.shardings[v].valid() && silent(ir_.shardings[v])) start[v] = ir_.shardings[v].raw;
  state_ = State(std::move(start), std::move(places));
  std::vector<WorkOpId> by(ir_.values.size());
  std::vector<CauseKind> kinds(module_.applied.empty() ? 0 : ir_.values.size(), CauseKind::seed);
  for (const Applied& applied : module_.applied) {
    by[applied.value.index()] = applied.by;
    kinds[applied.value.index()] = applied.by.valid() ? CauseKind::constraint : CauseKind::group;
  }
  for (size_t v = 0; v < ir_.values.size(); ++v) {
    if (slot_of_[v] != v || !ir_.shardings[v].valid()) continue;
    Cause cause;
    if (!kinds.empty()) cause.kind = kinds[v];
    if (by[v].valid()) {
      cause.op = ir_.op(by[v]).origin;
      if (ir_.op(by[v]).kind == OpKind::sharding_constraint) cause.from = ir_.value(ir_.result(by[v])).origin;
      cause.from_slot = OpSlot::result(0);
      cause.to_slot = OpSlot::operand(0);
    } else if (ir_.values[v].def.valid()) {
      cause.op = ir_.op(ir_.values[v].def).origin;
      cause.to_slot = OpSlot::result(ir_.values[v].index);
    }
    state_.refine(static_cast<uint32_t>(v), ir_.shardings[v].raw, cause);
  }
  for (size_t i = 0; i < main.results.size(); ++i)
    if (main.results[i].valid()) {
      Cause cause;
      cause.to_slot = OpSlot::result(i);
      state_.refine(first_result_slot_ + static_cast<uint32_t>(i), main.results[i].raw, cause);
    }
}

// The rule of an op is looked up when it is first visited, like Shardy does.
void Engine::begin_visit(WorkOpId id) {
  OpVisit& visit = visits_[id.index()];
  visit.kind = Kind::nothing;
  const WorkOp& op = ir_.op(id);
  if (op.kind == OpKind::propagation_barrier) {
    if ((ir_.value(ir_.result(id)).flags & kShaped) == 0) return;
    visit.kind = Kind::barrier;
    visit.rule = rules_.identity(ir_.value(ir_.result(id)).type, 1);
    return;
  }
  if ((op.flags & kMadeOp) != 0) {
    visit.rule = rules_.of_made(module_.made, op.extra);
  } else if (!op.origin.valid()) {
    // An inserted constraint; its rule is that of the op it would be in the text.
    if (op.kind == OpKind::sharding_constraint) visit.rule = rules_.identity(ir_.value(ir_.result(id)).type, 1);
  } else if (op.kind != OpKind::named_computation) {
    visit.rule = rules_.of(op.origin, unknown_);
  }
  if (!visit.rule.valid()) return;
  const FactorRule& rule = rules_.get(visit.rule);
  if (rule.operands.size() + rule.results.size() == visit.tensor_count) visit.kind = Kind::rule;
}

void Engine::find_rules() {
  for (size_t i = 0; i < ir_.ops.size(); ++i)
    if ((ir_.ops[i].flags & kErased) == 0 && visits_[i].kind == Kind::fresh) begin_visit(WorkOpId{i});
}

NamedShardingId Engine::sharding(WorkValueId value) const {
  const uint32_t slot = slot_of_[value.index()];
  return slot == kNoSlot ? NamedShardingId{} : NamedShardingId{state_.sharding(slot)};
}

NamedShardingId Engine::main_result(size_t i) const {
  return NamedShardingId{state_.sharding(first_result_slot_ + static_cast<uint32_t>(i))};
}

}  // namespace sw::shardy
