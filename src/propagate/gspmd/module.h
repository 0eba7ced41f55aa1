// The program as GSPMD sees it: computations of instructions, one result each (a tuple when there are several), with
// user lists in the order in which uses were registered. Made from HLO text as it stands, or from StableHLO as XLA's
// importer would turn it into HLO: calls inlined, regions as computations with one tuple parameter, several results as
// a tuple and its elements, sharding attributes as shardings.
//
// Instructions are small records; their attributes stay in the graph that was read and are looked up through `op`. What
// many rules need (dimension lists) is copied into a pool here.
//
// Invariant: user lists hold every user once, in the order XLA would have them, since ties between users go to the
// first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/small_vector.h"
#include "ir/graph.h"
#include "propagate/plan.h"
#include "sharding/axis_ref.h"
#include "sharding/tile_grid.h"

namespace sw::gspmd {

using InstId = Id<struct InstTag>;
using CompId = Id<struct CompTag>;

// Custom calls that propagation knows by name.
enum class CallTarget : uint8_t {
  none,           // not a custom call
  sharding,       // "Sharding"
  full_to_shard,  // "SPMDFullToShardShape"
  shard_to_full,  // "SPMDShardToFullShape"
  barrier_from,   // "ShardBarrierFrom"
  barrier_to,     // "ShardBarrierTo"
  passes_first,   // "X64Combine", "LayoutConstraint": takes operand 0's sharding
  passes_only,    // resizing, moves between memories: the same when it has one operand of the same rank
  batch,          // partitioned over its leading batch dimensions only (num_batch_dims)
  other,
};

// The axes that are manual in a part of the program: an index into Module::manual_axes; 0 where none is.
using ManualScope = uint16_t;

struct Inst {
  OpKind kind = OpKind::unknown;
  CallTarget target = CallTarget::none;
  bool has_side_effect = false;
  bool elementwise = false;  // in XLA's sense
  bool removed = false;      // a sharding annotation that was folded away
  ManualScope scope = 0;     // known for StableHLO only
  uint32_t instance = 0;     // the activation of a function that was written out here; index into Module::instances
  TypeId type;
  CompId comp;
  uint32_t operand_begin = 0, operand_count = 0;
  uint32_t dims_begin = 0,
           dims_count = 0;  // broadcast, transpose, reduce, reverse, concatenate, sort, iota: the dimensions
  uint32_t called_begin = 0, called_count = 0;
  // Attributes that `op` does not have: a constant's value, the window of a slice that the importer made.
  Slice<NamedAttr> made;
  uint32_t number = 0;                      // parameter number; tuple index; batch dimensions of a CallTarget::batch
  uint32_t leaf_begin = 0, leaf_count = 1;  // its shardings: one, or one per leaf of its tuple
  OpId op;        // carries the attributes; invalid for parameters and for what the importer made up
  ValueId value;  // the value as read that this instruction computes, or the first of them
};

struct Computation {
  std::vector<InstId> order;  // as listed in the module
  std::vector<InstId> post;   // operands first
  std::vector<InstId> params;
  InstId root;
  std::vector<InstId> callers;  // instructions that call it
  InstId sharer;                // the loop, conditional or call whose sharding parameters and root share; else invalid
};

// Where a value as read stands: a leaf of an instruction, or all of it.
struct Place {
  InstId inst;
  uint32_t leaf = 0;
  bool whole = false;
};

struct Module {
  std::vector<Inst> insts;
  std::vector<Computation> comps;               // in module order
  std::vector<SmallVector<uint32_t, 4>> users;  // by instruction; raw ids
  std::vector<uint32_t> operand_pool;
  std::vector<int64_t> dims_pool;
  std::vector<uint32_t> called_pool;
  std::vector<NamedAttr> made_pool;
  CompId entry;
  // By ValueId: the place whose sharding the value reports (the last one made for it); by leaf: the value there.
  std::vector<Place> place_of_value;
  std::vector<ValueId> value_of_leaf;
  std::vector<TypeId> type_of_leaf;
  // As written: shardings (of a tuple: one for all leaves, or a tuple), and dimensions left open in an annotation.
  std::vector<std::pair<InstId, TileShardingId>> given;
  std::vector<std::pair<InstId, DimList>> unspecified;
  std::vector<FunctionInstance> instances;  // main first; empty for HLO
  std::vector<AxisList> manual_axes =
      std::vector<AxisList>(1);  // by ManualScope; in mesh order, of the mesh that shardings there name
  std::vector<bool> allow_outputs, allow_parameters;  // one for all, or one per root leaf / parameter

  const Inst& inst(InstId id) const { return insts[id.index()]; }
  Inst& inst(InstId id) { return insts[id.index()]; }
  std::span<const uint32_t> operands(InstId id) const {
    const Inst& i = inst(id);
    return std::span<const uint32_t>(operand_pool).subspan(i.operand_begin, i.operand_count);
  }
  InstId operand(InstId id, size_t i) const { return InstId{operand_pool[inst(id).operand_begin + i]}; }
  std::span<const int64_t> dims(InstId id) const {
    const Inst& i = inst(id);
    return std::span<const int64_t>(dims_pool).subspan(i.dims_begin, i.dims_count);
  }
  std::span<const NamedAttr> made(InstId id) const {
    const Inst& i = inst(id);
    return std::span<const NamedAttr>(made_pool).subspan(i.made.begin, i.made.count);
  }
  std::span<const uint32_t> called(InstId id) const {
    const Inst& i = inst(id);
    return std::span<const uint32_t>(called_pool).subspan(i.called_begin, i.called_count);
  }
  bool is_root(InstId id) const { return comps[inst(id).comp.index()].root == id; }
  InstId entry_root() const { return comps[entry.index()].root; }
  // First position of `operand` among the operands of `user`.
  size_t operand_index(InstId user, InstId operand) const;

  // Building. add() registers the uses; leaves are laid out from the type.
  CompId add_computation();
  InstId add(const Graph& graph, CompId comp, Inst inst, std::span<const InstId> operands,
             std::span<const CompId> called = {}, std::span<const int64_t> dims = {});
  void set_leaf_values(InstId id, std::span<const ValueId> values);
  // Also computed by this instruction, of one leaf: steps of its sharding are steps of the value, the place stays.
  void set_copied_value(InstId id, ValueId value);
  void set_value(InstId id, ValueId value);
  void set_made(InstId id, std::span<const NamedAttr> attrs);
  // Puts `by` in place of `old` for all users of `old` (but `by` itself) and as a root, and takes `old` out.
  void replace(InstId old, InstId by);
  // Takes out an instruction that has no users.
  void remove(InstId id);
  // Lets these users of `from`, and the computation's result when it is `from`, use `to` instead.
  void redirect(InstId from, InstId to, std::span<const uint32_t> user_list);
  // Computes the post order of every computation from the listed order.
  void compute_post_orders();

 private:
  void add_user(uint32_t operand, uint32_t user);
  void remove_user(uint32_t operand, uint32_t user);
};

// Leaves of a type: itself, or those of its elements; an empty tuple has one.
void collect_leaves(const TypeTable& types, TypeId type, std::vector<TypeId>& out);

}  // namespace sw::gspmd
