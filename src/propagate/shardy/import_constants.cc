// Gives every user its own copy of the constants it uses, so that shardings of unrelated ops do not meet in one.
//
// A *constant expression* is a constant, an iota, or an op that only rearranges or combines such (broadcast_in_dim,
// reshape, slice, elementwise, a call of a function that does nothing else). A *scalar expansion* is a broadcast of any
// scalar. For an operand of any other op that is one of these, the computation behind the operand is copied: each
// copied op stands directly before its original, so copies come in the order of their users. Scalars are not copied,
// since they are never sharded. Worked example:
//   %c = constant; %b = broadcast %c; %x = add %p, %b; %y = multiply %q, %b
//   -> %c = constant; %b1 = broadcast %c; %b2 = broadcast %c; %x = add %p, %b1; %y = multiply %q, %b2
// (%c is a scalar and stays shared.) Originals without users are erased at the end.
//
// A computation that has only the one user already is left as it is: a copy in its place would be the same program.
//
// Follows ConstantOrScalarSplitterPass. Terminates: the walk goes forward and copies stand behind it.
#include <unordered_set>

#include "propagate/shardy/module.h"

namespace sw::shardy {
namespace {

enum class Expression : uint8_t { other, constant, scalar_expansion };

class Splitter {
 public:
  explicit Splitter(Module& module) : module_(module), ir_(module.ir) {}

  void run(const std::vector<uint32_t>& functions) {
    named_changes_.clear();
    for (const uint32_t function : functions) {
      if (!module_.functions[function].alive) continue;
      function_ = function;
      const WorkBlockId body = module_.body(module_.functions[function]);
      std::vector<WorkOpId> named;
      walk_postorder(ir_, body, [&](WorkOpId id) {
        if (ir_.op(id).kind == OpKind::named_computation) named.push_back(id);
      });
      for (const WorkOpId id : named) {
        around_ = ir_.op(id).origin;
        walk(ir_.entry_block(id, 0));
      }
      around_ = OpId{};
      walk(body);
    }
  }

 private:
  void walk(WorkBlockId block) {
    constants_.clear();
    expansions_.clear();
    walk_preorder(ir_, block, [&](WorkOpId id) {
      visit(id);
      return ir_.op(id).kind != OpKind::named_computation;
    });
    for (const WorkOpId id : expansions_) erase_if_unused(id);
    for (size_t i = constants_.size(); i-- > 0;) erase_if_unused(constants_[i]);
  }

  Expression kind_of(WorkOpId id) const { return id.index() < kinds_.size() ? kinds_[id.index()] : Expression::other; }
  void set_kind(WorkOpId id, Expression kind) {
    if (kinds_.size() <= id.index()) kinds_.resize(ir_.ops.size(), Expression::other);
    kinds_[id.index()] = kind;
  }

  // Gives a constant when all operands are constants.
  bool preserves_constants(WorkOpId id) const {
    const WorkOp& op = ir_.op(id);
    switch (op.kind) {
      case OpKind::call: return op.extra < module_.functions.size() && changed_functions_.count(op.extra) == 0;
      case OpKind::named_computation: return named_changes_.count(op.origin.raw) == 0;
      case OpKind::broadcast_in_dim:
      case OpKind::reshape:
      case OpKind::slice: return true;
      default: return (op.flags & kPureOp) != 0 && (op.flags & kElementwiseOp) != 0;
    }
  }

  bool is_constant(WorkOpId id) const {
    const WorkOp& op = ir_.op(id);
    if (op.kind == OpKind::sdy_constant || op.kind == OpKind::iota) return true;
    if (!preserves_constants(id)) return false;
    for (uint32_t i = 0; i < op.operand_count; ++i) {
      const WorkOpId def = ir_.value(ir_.operand(id, i)).def;
      if (!def.valid() || kind_of(def) != Expression::constant) return false;
    }
    return true;
  }

  void visit(WorkOpId id) {
    if (ir_.op(id).kind == OpKind::sharding_group) return;
    if (is_constant(id)) {
      set_kind(id, Expression::constant);
      constants_.push_back(id);
      return;
    }
    if (!preserves_constants(id) && (ir_.op(id).flags & kTerminatorOp) == 0) {
      if (around_.valid()) named_changes_.insert(around_.raw);
      changed_functions_.insert(function_);
    }
    if (ir_.op(id).kind == OpKind::broadcast_in_dim && (ir_.value(ir_.operand(id, 0)).flags & kScalar) != 0) {
      set_kind(id, Expression::scalar_expansion);
      expansions_.push_back(id);
      return;
    }
    for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) {
      const WorkValueId operand = ir_.operand(id, i);
      const WorkOpId def = ir_.value(operand).def;
      if (!def.valid() || kind_of(def) == Expression::other || (ir_.value(operand).flags & kScalar) != 0) continue;
      if (used_only_here(operand)) continue;
      ir_.begin_clone();
      copy_computation(operand);
      ir_.set_use(UseId{ir_.op(id).first_use + i}, ir_.cloned(operand));
    }
  }

  // The computation behind `value` is a tree whose values, scalars apart, have one user each.
  bool used_only_here(WorkValueId value) {
    stack_.clear();
    stack_.push_back(value);
    while (!stack_.empty()) {
      const WorkValueId v = stack_.back();
      stack_.pop_back();
      if ((ir_.value(v).flags & kScalar) != 0) continue;
      const WorkOpId def = ir_.value(v).def;
      if (!ir_.has_one_use(v) || ir_.op(def).result_count != 1) return false;
      for (uint32_t i = 0; i < ir_.op(def).operand_count; ++i)
        if (ir_.value(ir_.operand(def, i)).def.valid()) stack_.push_back(ir_.operand(def, i));
    }
    return true;
  }

  // Copies the definition of `value` after the definitions of its operands. Not recursive: expressions may be long.
  void copy_computation(WorkValueId value) {
    stack_.clear();
    stack_.push_back(value);
    while (!stack_.empty()) {
      const WorkValueId v = stack_.back();
      const WorkOpId def = ir_.value(v).def;
      if (!def.valid() || (ir_.value(v).flags & kScalar) != 0 || ir_.is_cloned(v)) {
        stack_.pop_back();
        continue;
      }
      const size_t before = stack_.size();
      for (uint32_t i = ir_.op(def).operand_count; i-- > 0;) {
        const WorkValueId operand = ir_.operand(def, i);
        if (ir_.value(operand).def.valid() && (ir_.value(operand).flags & kScalar) == 0 && !ir_.is_cloned(operand))
          stack_.push_back(operand);
      }
      if (stack_.size() > before) continue;
      stack_.pop_back();
      const WorkOpId copy = ir_.clone(def);
      ir_.insert_before(copy, def);
      copy_group_users(v, def);
    }
  }

  void copy_group_users(WorkValueId value, WorkOpId def) {
    for (UseId use = ir_.value(value).first_use; use.valid(); use = ir_.uses[use.index()].next) {
      const WorkOpId user = ir_.uses[use.index()].owner;
      if (ir_.op(user).kind == OpKind::sharding_group) ir_.insert_before(ir_.clone(user), def);
    }
  }

  void erase_if_unused(WorkOpId id) {
    for (uint32_t i = 0; i < ir_.op(id).result_count; ++i)
      for (UseId use = ir_.value(ir_.result(id, i)).first_use; use.valid(); use = ir_.uses[use.index()].next)
        if (ir_.op(ir_.uses[use.index()].owner).kind != OpKind::sharding_group) return;
    for (uint32_t i = 0; i < ir_.op(id).result_count; ++i)
      while (ir_.value(ir_.result(id, i)).first_use.valid())
        ir_.erase(ir_.uses[ir_.value(ir_.result(id, i)).first_use.index()].owner);
    ir_.erase(id);
  }

  Module& module_;
  WorkIr& ir_;
  uint32_t function_ = 0;
  OpId around_;                                     // the named computation whose body is being walked
  std::unordered_set<uint32_t> changed_functions_;  // have an op that does not preserve constants
  std::unordered_set<uint32_t> named_changes_;      // the same for named computations, by origin
  std::vector<Expression> kinds_;
  std::vector<WorkOpId> constants_, expansions_;
  std::vector<WorkValueId> stack_;
};

}  // namespace

void split_constants(Module& module) {
  const Result<std::vector<uint32_t>> order = functions_post_order(module);
  if (order) Splitter(module).run(*order);
}

}  // namespace sw::shardy
