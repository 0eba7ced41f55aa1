// The program while Shardy works on it: a small mutable copy of the Graph, holding only what propagation looks at.
//
// Why a copy: the import passes insert edges, clone constants for each user, turn calls into nested computations and
// move constraints. Every op and value remembers the op or value as read that it stands for, so answers find their way
// back.
//
// The invariant that everything rests on: the *order of a value's uses* is the one that MLIR has, because Shardy visits
// users in that order and the order decides conflicts. MLIR keeps uses in a list and adds at its front. Hence, for a
// text: the use that was parsed last comes first; an op with regions is made after the ops inside it, so its own
// operands come before (are newer than) the uses inside its regions. Replacing all uses of %a by %b walks the list of
// %a from its front and adds each at the front of the list of %b: the order is turned round. A clone adds uses in the
// order in which the clones are made.
//   %b = f(%a); %c = g(%a, %a)      uses of %a: g operand 1, g operand 0, f operand 0
// tests/unit/propagate/shardy_work_ir_test.cc
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "ir/graph.h"

namespace sw::shardy {

using WorkOpId = Id<struct WorkOpTag>;
using WorkValueId = Id<struct WorkValueTag>;
using WorkBlockId = Id<struct WorkBlockTag>;
using WorkRegionId = Id<struct WorkRegionTag>;
using UseId = Id<struct UseTag>;

enum WorkFlags : uint8_t {
  kErased = 1,
  kPureOp = 2,  // no side effect of its own; nested ops may still have some
  kTerminatorOp = 4,
  kElementwiseOp = 8,     // in the sense of Shardy's priorities
  kHasShardings = 16,     // carries the attribute sdy.sharding, maybe with open empty entries
  kDataFlow = 32,         // while, case, optimization_barrier, manual_computation, named_computation
  kMadeOp = 64,           // its rule is that of op `extra` of Module::made
  kFoldedConstant = 128,  // a constant whose elements are Module::folded[extra]
};

enum ValueFlags : uint8_t {
  kShaped = 1,  // ranked tensor with a static shape: can have an edge
  kScalar = 2,  // rank 0
};

struct WorkOp {
  OpKind kind = OpKind::unknown;
  uint8_t flags = 0;
  uint32_t instance = 0;  // function instance it belongs to; set when the import is done
  OpId origin;            // as read; several ops share one after cloning
  WorkBlockId parent;
  WorkOpId prev, next;     // in the block
  uint32_t order = 0;      // position in the block while WorkBlock::ordered
  uint32_t first_use = 0;  // operands are uses [first_use, first_use + operand_count)
  uint32_t operand_count = 0;
  WorkValueId first_result;
  uint32_t result_count = 0;
  uint32_t first_region = 0;  // regions have consecutive ids
  uint32_t region_count = 0;
  uint32_t extra = 0;  // manual computation: index in Module::manual; call: callee; sharding group: group
};

struct WorkValue {
  ValueId origin;  // as read; invalid for results of inserted ops
  WorkOpId def;    // invalid: block argument
  WorkBlockId block;
  uint32_t index = 0;
  UseId first_use;
  uint32_t use_count = 0;
  TypeId type;
  uint8_t flags = 0;
};

struct WorkUse {
  WorkValueId value;
  WorkOpId owner;
  UseId prev, next;
};

struct WorkBlock {
  WorkRegionId parent;
  WorkValueId first_arg;
  uint32_t arg_count = 0;
  WorkOpId first, last;
  bool ordered = false;
};

struct WorkRegion {
  WorkOpId owner;  // invalid: body of a function
  uint32_t first_block = 0;
  uint32_t block_count = 0;
};

class WorkIr {
 public:
  std::vector<WorkOp> ops;
  std::vector<WorkValue> values;
  std::vector<WorkUse> uses;
  std::vector<WorkBlock> blocks;
  std::vector<WorkRegion> regions;

  WorkOp& op(WorkOpId id) { return ops[id.index()]; }
  const WorkOp& op(WorkOpId id) const { return ops[id.index()]; }
  WorkValue& value(WorkValueId id) { return values[id.index()]; }
  const WorkValue& value(WorkValueId id) const { return values[id.index()]; }
  WorkBlock& block(WorkBlockId id) { return blocks[id.index()]; }
  const WorkBlock& block(WorkBlockId id) const { return blocks[id.index()]; }

  WorkValueId operand(WorkOpId id, uint32_t i) const { return uses[op(id).first_use + i].value; }
  WorkValueId result(WorkOpId id, uint32_t i = 0) const { return WorkValueId{op(id).first_result.raw + i}; }
  WorkValueId arg(WorkBlockId id, uint32_t i) const { return WorkValueId{block(id).first_arg.raw + i}; }
  uint32_t operand_number(UseId use) const { return use.raw - op(uses[use.index()].owner).first_use; }
  bool has_one_use(WorkValueId id) const { return value(id).use_count == 1; }
  bool unused(WorkOpId id) const;

  WorkBlockId entry_block(WorkRegionId id) const { return WorkBlockId{regions[id.index()].first_block}; }
  WorkBlockId entry_block(WorkOpId id, uint32_t region) const {
    return entry_block(WorkRegionId{op(id).first_region + region});
  }
  WorkOpId terminator(WorkBlockId id) const { return block(id).last; }
  // The op around the op's block; invalid at the top of a function.
  WorkOpId parent_op(WorkOpId id) const { return regions[block(op(id).parent).parent.index()].owner; }
  // The op that a value belongs to: its definition, or the op around the block it is an argument of (invalid:
  // function).
  WorkOpId owning_op(WorkValueId id) const;
  // `a` stands before `b`; both are in the same block.
  bool before_in_block(WorkOpId a, WorkOpId b);

  // An op without regions, in no block; operands become uses in order.
  struct Spec {
    OpKind kind = OpKind::unknown;
    OpId origin;
    uint8_t flags = 0;
    std::span<const WorkValueId> operands;
  };
  WorkOpId add_op(const Spec& spec);
  // Gives an op made without operands its uses now.
  void set_operands(WorkOpId id, std::span<const WorkValueId> operands);
  // Results must be added before anything else gets a value.
  WorkValueId add_result(WorkOpId id, TypeId type, uint8_t flags, ValueId origin);
  WorkRegionId add_region(WorkOpId owner);
  WorkBlockId add_block(WorkRegionId region);
  WorkValueId add_arg(WorkBlockId block, TypeId type, uint8_t flags, ValueId origin);

  void append(WorkBlockId block, WorkOpId op);
  void insert_front(WorkBlockId block, WorkOpId op);
  void insert_before(WorkOpId op, WorkOpId next);
  void insert_after(WorkOpId op, WorkOpId prev);
  void move_after(WorkOpId op, WorkOpId prev);
  void move_to_front(WorkOpId op, WorkBlockId block);
  void move_to_back(WorkOpId op, WorkBlockId block);
  // Directly after the definition, or at the front of the block of an argument.
  void insert_after_value(WorkOpId op, WorkValueId value);

  void set_use(UseId use, WorkValueId value);  // removes it from its list, adds it at the front of the new one
  void refresh_uses(WorkOpId op);              // as if the op had been made anew with the same operands
  // Walks the uses of `from` from the front, moves those not owned by `except` to `to`.
  void replace_uses_except(WorkValueId from, WorkValueId to, WorkOpId except);
  void replace_operands(WorkOpId op, std::span<const WorkValueId> operands);
  // Makes all uses anew in the order in which a parser would.
  void relink(std::span<const WorkBlockId> bodies);
  void erase(WorkOpId op);  // and everything in its regions; must be unused

  // A copy of `id` in no block, regions and all. Operands are looked up in the map of the current clone (begin_clone).
  void begin_clone();
  bool is_cloned(WorkValueId id) const;
  WorkValueId cloned(WorkValueId id) const;  // the copy, or the value itself
  void map_clone(WorkValueId from, WorkValueId to);
  WorkOpId clone(WorkOpId id);
  // Copies the blocks of `from` into the empty region `to`.
  void clone_region(WorkRegionId from, WorkRegionId to);

  // The sharding that stands at each value (not through edges, see Module::sharding_of); invalid: nothing said.
  std::vector<NamedShardingId> shardings;

 private:
  void link(UseId use, WorkValueId value);
  void unlink(UseId use);
  void unlink_from_block(WorkOpId id);
  WorkOpId clone_shell(WorkOpId id);

  struct CloneEntry {
    uint32_t epoch = 0;
    WorkValueId to;
  };
  std::vector<CloneEntry> clone_map_;
  uint32_t epoch_ = 0;
};

// Pre-order walk over the ops of a block and everything nested in them. `visit(WorkOpId)` returns false to stay out of
// the regions of the op. Ops inserted before the current one are not visited. Not recursive: nesting comes from the
// input.
template <class Visit>
void walk_preorder(const WorkIr& ir, WorkBlockId block, Visit&& visit);
// Post-order: the ops inside an op come before it. The op after the current one is read before the visit, so the visit
// may move or erase the current op.
template <class Visit>
void walk_postorder(const WorkIr& ir, WorkBlockId block, Visit&& visit);

namespace detail {
// A place in the walk: the next op of a block of a region of an op.
struct WalkFrame {
  WorkOpId owner;  // op whose regions are being walked; invalid for the outermost block
  uint32_t region = 0, block = 0;
  WorkOpId next;
};
// Moves to the next block of the owner that has ops; false when there is none.
inline bool next_block(const WorkIr& ir, WalkFrame& frame) {
  if (!frame.owner.valid()) return false;
  const WorkOp& owner = ir.op(frame.owner);
  while (frame.region < owner.region_count) {
    const WorkRegion& region = ir.regions[owner.first_region + frame.region];
    while (frame.block < region.block_count) {
      frame.next = ir.blocks[region.first_block + frame.block++].first;
      if (frame.next.valid()) return true;
    }
    ++frame.region;
    frame.block = 0;
  }
  return false;
}
}  // namespace detail

template <class Visit>
void walk_preorder(const WorkIr& ir, WorkBlockId block, Visit&& visit) {
  std::vector<detail::WalkFrame> stack;
  stack.push_back({WorkOpId{}, 0, 0, ir.block(block).first});
  while (!stack.empty()) {
    const WorkOpId id = stack.back().next;
    if (!id.valid()) {
      if (!detail::next_block(ir, stack.back())) stack.pop_back();
      continue;
    }
    stack.back().next = ir.op(id).next;
    if (visit(id) && ir.op(id).region_count > 0) stack.push_back({id, 0, 0, WorkOpId{}});
  }
}

template <class Visit>
void walk_postorder(const WorkIr& ir, WorkBlockId block, Visit&& visit) {
  std::vector<detail::WalkFrame> stack;
  stack.push_back({WorkOpId{}, 0, 0, ir.block(block).first});
  while (!stack.empty()) {
    const WorkOpId id = stack.back().next;
    if (!id.valid()) {
      if (detail::next_block(ir, stack.back())) continue;
      const WorkOpId done = stack.back().owner;
      stack.pop_back();
      if (done.valid()) visit(done);
      continue;
    }
    stack.back().next = ir.op(id).next;
    if (ir.op(id).region_count > 0) {
      stack.push_back({id, 0, 0, WorkOpId{}});
    } else {
      visit(id);
    }
  }
}

}  // namespace sw::shardy
