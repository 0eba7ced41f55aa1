// A local program while passes change it: the graph with the users of every value, and the cause of every collective.
//
// A pass adds ops anywhere, puts values in the place of others and erases ops; the order of a computation is found
// again from the data flow when the rewriting ends. An op that is erased keeps its id and its operands, but is nobody's
// user.
//
// Invariant: `users` holds each op once, however often it uses the value, and no op that is erased; the end of a
// computation (func_return) is not counted among them.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "partition/emitter.h"
#include "partition/partition.h"

namespace sw {

class Rewrite {
 public:
  // Takes the graph out of `program`; `finish` puts the new one back, cleaned up, with its collectives.
  explicit Rewrite(LocalProgram& program);
  void finish();

  GraphBuilder& builder() { return builder_; }
  const Graph& graph() const { return builder_.graph(); }
  int64_t device_count() const { return program_.device_count; }

  // The entry and every computation that loops, branches and calls of it run, the called before the callers.
  const std::vector<FunctionId>& computations() const { return computations_; }
  // Puts the ops of every computation in post-order with the terminator last, as functions outside of this folder want
  // them; until then added ops stand behind the end.
  void order_blocks();
  // Operands before their users, from the root on and first operands first: the order in which XLA's passes look at a
  // computation. Without the terminator.
  std::vector<OpId> post_order(FunctionId computation) const;
  ValueId root(FunctionId computation) const;

  OpId def(ValueId value) const { return graph().value(value).def; }
  // The op that makes the value; null for an argument.
  const Op* maker(ValueId value) const { return def(value).valid() ? &graph().op(def(value)) : nullptr; }
  bool is(ValueId value, OpKind kind) const { return maker(value) != nullptr && maker(value)->kind == kind; }
  ValueId operand(OpId op, size_t i = 0) const { return graph().operands(op)[i]; }
  ValueId result(OpId op) const { return graph().result(op); }
  TypeId type(ValueId value) const { return graph().value(value).type; }
  Type shape(ValueId value) const { return graph().type_of(value); }
  const std::vector<OpId>& users(ValueId value) const { return users_[value.index()]; }
  bool has_one_user(ValueId value) const { return users(value).size() == 1; }
  bool erased(OpId op) const { return op.index() < erased_.size() && erased_[op.index()]; }

  // Writes ops into the computation of `near`, with its location.
  ValueId add(OpId near, OpKind kind, TypeId type, std::span<const ValueId> operands,
              std::span<const NamedAttr> attrs = {});
  ValueId add(OpId near, OpKind kind, TypeId type, std::initializer_list<ValueId> operands,
              std::span<const NamedAttr> attrs = {}) {
    return add(near, kind, type, std::span<const ValueId>(operands.begin(), operands.size()), attrs);
  }
  // The op again with other operands and another result type; attributes, regions and the cause are kept. With `near`
  // it comes into the computation of that op.
  ValueId clone(OpId op, TypeId type, std::span<const ValueId> operands, OpId near = {});
  // What `write` emits into the computation of `near`; its result.
  ValueId emit(OpId near, const std::function<ValueId(Emitter&)>& write);
  // A constant whose every element is the number as spelled in a literal.
  ValueId scalar(OpId near, ElementType element, std::string_view number);
  NamedAttr integer_attr(std::string_view name, int64_t value) { return builder_.integer_attr(name, value); }
  NamedAttr dims_attr(std::string_view name, std::span<const int64_t> values) {
    return builder_.dims_attr(name, values);
  }
  void set_attr(OpId op, NamedAttr attr);
  void set_groups(OpId op, const TileGrid& groups);
  // The collective reduces with this operation, in this type.
  void set_reduction(OpId op, OpKind kind, ElementType element);

  void set_operand(OpId op, size_t i, ValueId value);
  void set_type(ValueId value, TypeId type) { builder_.set_value_type(value, type); }
  void replace_uses(ValueId from, ValueId to);
  // `value` takes the place of the result of `op`, which goes, as does what only it used.
  void replace(OpId op, ValueId value);
  // Erases the op when nobody uses it, and then what only it used.
  void erase_unused(OpId op);

  // `op` has been written in the place of `other`, which goes.
  void take_causes(OpId op, OpId other);
  // `into` does the work of `other` too.
  void merge_causes(OpId into, OpId other);

 private:
  void find_computations(FunctionId id, std::vector<bool>& seen);
  void note_users(OpId op);
  void forget_users(OpId op);
  BlockId block_of(FunctionId id) const { return graph().entry_block(graph().function(id).body); }

  LocalProgram& program_;
  GraphBuilder builder_;
  std::vector<FunctionId> computations_;
  std::vector<std::vector<OpId>> users_;                             // by ValueId
  std::vector<bool> erased_;                                         // by OpId
  std::vector<OpId> ends_;                                           // the terminator, by BlockId
  std::unordered_map<uint32_t, CollectiveCause> causes_;             // by OpId
  std::unordered_map<uint32_t, std::vector<CollectiveCause>> also_;  // by OpId: of what has been merged into the op
  std::map<std::pair<OpKind, ElementType>, RegionId> reductions_;    // made so far
};

// The operation of a reduction computation of two scalars that does nothing else (`add`, `maximum`, ...).
std::optional<OpKind> reduction_kind(const Graph& graph, const Op& op);

}  // namespace sw
