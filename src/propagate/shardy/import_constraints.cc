// Sharding constraints act backwards once, before propagation. Two rules, for each constraint in post-order of the
// program:
//
// Chain. %y = constraint %x <A>; %z = constraint %y <B>, both with one use in between: from the tail %z on, in its
// block, users of %x use %z instead, except the return of a function. (The last constraint of a chain says what is
// meant.) Apply. A closed constraint on a value that has no sharding gives the value its sharding, unless another
// constraint or manual computation asks for a different one. A target of a data-flow edge (a loop variable) stays as it
// is: there the constraint moves directly behind the value and everybody uses its result, so that the loop is not tied
// down.
//
// The shardings of the operands of manual computations act in the same way, without chains.
//
// Follows ApplyShardingConstraintsPass.
#include "propagate/shardy/module.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

class Applier {
 public:
  explicit Applier(Module& module) : module_(module), ir_(module.ir) {}

  void visit(WorkOpId id) {
    if (ir_.op(id).kind == OpKind::sharding_constraint) {
      const WorkOpId tail = tail_of_chain(id);
      if (tail.valid()) use_tail(id, tail);
      apply(id, ir_.operand(id, 0), ir_.shardings[ir_.result(id).index()]);
    } else if (ir_.op(id).kind == OpKind::manual_computation) {
      const std::vector<NamedShardingId> in = module_.manual[ir_.op(id).extra].in;
      for (uint32_t i = 0; i < in.size() && i < ir_.op(id).operand_count; ++i) apply(id, ir_.operand(id, i), in[i]);
    }
  }

 private:
  bool constrains(WorkOpId id) const {
    return ir_.op(id).kind == OpKind::sharding_constraint || ir_.op(id).kind == OpKind::manual_computation;
  }
  WorkOpId user(UseId use) const { return ir_.uses[use.index()].owner; }

  bool constrained_by_other(WorkValueId value, WorkOpId except) const {
    for (UseId use = ir_.value(value).first_use; use.valid(); use = ir_.uses[use.index()].next)
      if (user(use) != except && constrains(user(use))) return true;
    return false;
  }

  bool constrained_differently(WorkValueId value, NamedShardingId sharding) const {
    for (UseId use = ir_.value(value).first_use; use.valid(); use = ir_.uses[use.index()].next) {
      const WorkOp& op = ir_.op(user(use));
      if (op.kind == OpKind::sharding_constraint) {
        if (ir_.shardings[op.first_result.index()] != sharding) return true;
      } else if (op.kind == OpKind::manual_computation) {
        const std::vector<NamedShardingId>& in = module_.manual[op.extra].in;
        const uint32_t number = ir_.operand_number(use);
        if (number < in.size() && in[number] != sharding) return true;
      }
    }
    return false;
  }

  // The last constraint of the chain that starts at `head`; invalid: no chain, or one that does not count.
  WorkOpId tail_of_chain(WorkOpId head) const {
    const WorkValueId input = ir_.operand(head, 0);
    const WorkOpId def = ir_.value(input).def;
    if (def.valid() && ir_.op(def).kind == OpKind::sharding_constraint) return WorkOpId{};
    if (module_.sharding_of(input).valid() || constrained_by_other(input, head)) return WorkOpId{};
    WorkOpId tail = head;
    while (ir_.has_one_use(ir_.result(tail))) {
      const WorkOpId next = user(ir_.value(ir_.result(tail)).first_use);
      if (ir_.op(next).kind != OpKind::sharding_constraint) break;
      tail = next;
    }
    if (tail == head || constrained_by_other(ir_.result(tail), WorkOpId{})) return WorkOpId{};
    return tail;
  }

  void use_tail(WorkOpId head, WorkOpId tail) {
    const WorkValueId input = ir_.operand(head, 0);
    for (UseId use = ir_.value(input).first_use; use.valid();) {
      const UseId next = ir_.uses[use.index()].next;
      const WorkOpId by = user(use);
      if (by != head && ir_.op(by).kind != OpKind::func_return && ir_.op(by).parent == ir_.op(tail).parent &&
          ir_.before_in_block(tail, by))
        ir_.set_use(use, ir_.result(tail));
      use = next;
    }
  }

  void apply(WorkOpId by, WorkValueId input, NamedShardingId sharding) {
    const WorkValueId at = module_.shardable(input);
    if (!at.valid() || ir_.shardings[at.index()].valid() || !sharding.valid()) return;
    if (!fully_closed(module_.shardings.get(sharding)) || constrained_differently(input, sharding)) return;
    const WorkOpId def = ir_.value(input).def;
    const bool is_edge = def.valid() && ir_.op(def).kind == OpKind::data_flow_edge;
    if (!is_edge && !module_.edge_of_target(input).valid()) {
      module_.set_sharding(input, sharding);
      module_.applied.push_back({at, by});
      return;
    }
    const WorkOpId constraint = constraint_after(by, input, sharding);
    ir_.replace_uses_except(input, ir_.result(constraint), constraint);
    if (module_.shardings.get(sharding).unreduced.empty()) return;
    // Unreduced axes do not propagate, so the value itself must say them.
    const NamedShardingId open =
        module_.shardings.fully_open(module_.shardings.get(sharding).mesh, module_.rank(input));
    module_.set_sharding(input, with_unreduced_of(module_.shardings, open, sharding));
  }

  // The constraint itself, moved behind its input; for a manual computation a new one.
  WorkOpId constraint_after(WorkOpId by, WorkValueId input, NamedShardingId sharding) {
    if (ir_.op(by).kind != OpKind::sharding_constraint) {
      const WorkOpId made = ir_.add_op({OpKind::sharding_constraint, OpId{}, kElementwiseOp, std::span(&input, 1)});
      const WorkValueId result = ir_.add_result(made, ir_.value(input).type, ir_.value(input).flags, ValueId{});
      ir_.shardings[result.index()] = sharding;
      ir_.insert_after_value(made, input);
      return made;
    }
    if (ir_.value(input).def.valid()) {
      ir_.move_after(by, ir_.value(input).def);
    } else {
      ir_.move_to_front(by, ir_.value(input).block);
    }
    return by;
  }

  Module& module_;
  WorkIr& ir_;
};

}  // namespace

void apply_constraints(Module& module) {
  Applier applier(module);
  module.for_each_body(
      [&](WorkBlockId body) { walk_postorder(module.ir, body, [&](WorkOpId id) { applier.visit(id); }); });
}

}  // namespace sw::shardy
