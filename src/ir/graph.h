// The one IR, for StableHLO, HLO and YAML: functions of regions of blocks of ops over values, in dense stores.
//
// Immutable once a stage returns it: only GraphBuilder (ir/builder.h) changes a Graph. A stage that rewrites a program
// builds a new Graph.
//
// MLIR text: func.func is a Function; the ops of its body end with a terminator (func_return). An HLO computation is a
// Function too; its parameters are the block arguments of the body, its ROOT is named by a func_return at the end; ops
// that refer to computations (while, conditional, reduce, fusion, call) hold the *regions of those functions* in
// Op::regions, so two ops may share a region; Region::owner is the op for MLIR and the function's region has none.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "ir/attrs.h"
#include "ir/op_kind.h"
#include "ir/types.h"
#include "source/source_manager.h"

namespace sw {

struct Value {
  TypeId type;
  OpId def;            // the op it is a result of; invalid for a block argument
  BlockId block;       // the block it is an argument of; invalid for an op result
  uint32_t index = 0;  // which result or argument
  StringId name;   // as spelled: "%4", "%arg0", "%5#1" is stored as "%5" with index 1; HLO: "dot.3" without a percent
  LocationId loc;  // block arguments: their own location
  SourceRange where;
};

struct Op {
  OpKind kind = OpKind::unknown;
  bool generic_form = false;  // was written in generic form (kept so that messages can quote; printing is pretty)
  StringId name;              // full spelling: "stablehlo.add", "add", "foo.bar"
  ValueId first_result;       // results are result_count consecutive values
  uint32_t result_count = 0;
  Slice<ValueId> operands;
  Slice<NamedAttr> attrs;  // canonical names and forms (ir/attrs.h), sorted as the text has them
  Slice<RegionId> regions;
  BlockId parent;
  LocationId loc;
  SourceRange where;  // of the whole op: `where.begin` is on the line that a report calls its line
};

struct Block {
  ValueId first_arg;  // arguments are arg_count consecutive values
  uint32_t arg_count = 0;
  RegionId parent;
  StringId label;         // "^bb0"; invalid for the entry block
  std::vector<OpId> ops;  // in textual order, the terminator last
};

struct Region {
  OpId owner;           // invalid: the body of a function
  FunctionId function;  // the function that (transitively) contains it
  std::vector<BlockId> blocks;
};

struct Function {
  StringId name;  // without @
  bool is_private = false;
  TypeId type;                              // function type
  RegionId body;                            // invalid: a declaration only
  std::vector<Slice<NamedAttr>> arg_attrs;  // one per argument (tf.aliasing_output, mhlo.sharding, sdy.sharding, ...)
  std::vector<Slice<NamedAttr>> result_attrs;  // one per result (jax.result_info, ...)
  Slice<NamedAttr> attrs;
  LocationId loc;
  SourceRange where;
  bool is_entry = false;  // MLIR: @main or the only public function; HLO: ENTRY
};

enum class LocationKind : uint8_t { unknown, file, name, call_site, fused, opaque };

struct Location {
  LocationKind kind = LocationKind::unknown;
  StringId text;                  // file name; name ("params['w1']", "jit(f)/dot_general"); opaque: verbatim
  uint32_t line = 0, column = 0;  // kind file
  uint32_t end_line = 0, end_column = 0;
  LocationId child;               // name: inner; call_site: callee
  LocationId caller;              // call_site
  std::vector<LocationId> parts;  // fused
  friend bool operator==(const Location&, const Location&) = default;
};

class Graph {
 public:
  // Name of the module without @ (MLIR) or of the HloModule.
  StringId module_name;
  Slice<NamedAttr> module_attrs;
  FunctionId main;  // invalid: the module has no entry function
  bool is_hlo = false;

  const Value& value(ValueId id) const { return values_[id.index()]; }
  const Op& op(OpId id) const { return ops_[id.index()]; }
  const Block& block(BlockId id) const { return blocks_[id.index()]; }
  const Region& region(RegionId id) const { return regions_[id.index()]; }
  const Function& function(FunctionId id) const { return functions_[id.index()]; }
  const Location& location(LocationId id) const { return locations_[id.index()]; }
  size_t value_count() const { return values_.size(); }
  size_t op_count() const { return ops_.size(); }
  size_t block_count() const { return blocks_.size(); }
  size_t region_count() const { return regions_.size(); }
  size_t function_count() const { return functions_.size(); }
  size_t location_count() const { return locations_.size(); }

  std::span<const ValueId> operands(const Op& op) const { return span(operand_pool_, op.operands); }
  std::span<const ValueId> operands(OpId id) const { return operands(op(id)); }
  ValueId result(OpId id, size_t i = 0) const { return ValueId{op(id).first_result.raw + static_cast<uint32_t>(i)}; }
  ValueId arg(BlockId id, size_t i) const { return ValueId{block(id).first_arg.raw + static_cast<uint32_t>(i)}; }
  std::span<const NamedAttr> attrs(const Op& op) const { return span(attr_pool_, op.attrs); }
  std::span<const NamedAttr> attrs(Slice<NamedAttr> slice) const { return span(attr_pool_, slice); }
  std::span<const RegionId> regions(const Op& op) const { return span(region_pool_, op.regions); }
  // The only block of the i-th region of an op, or of a function's body.
  BlockId entry_block(RegionId id) const { return region(id).blocks.front(); }
  FunctionId function_named(StringId name) const;

  // Attribute `name` of an op, or an invalid id.
  AttrId attr(const Op& op, StringId name) const { return find(attrs(op), name); }
  static AttrId find(std::span<const NamedAttr> attrs, StringId name);
  // The same by text; for rare paths.
  AttrId attr(const Op& op, std::string_view name) const { return find(attrs(op), strings.find(name)); }

  Type type_of(ValueId id) const { return types.get(value(id).type); }

  TypeTable types;
  AttrTable attr_table;
  StringInterner strings;

 private:
  friend class GraphBuilder;
  template <class T>
  static std::span<const T> span(const std::vector<T>& pool, Slice<T> slice) {
    return std::span<const T>(pool).subspan(slice.begin, slice.count);
  }

  std::vector<Value> values_;
  std::vector<Op> ops_;
  std::vector<Block> blocks_;
  std::vector<Region> regions_;
  std::vector<Function> functions_;
  std::vector<Location> locations_;
  std::vector<ValueId> operand_pool_;
  std::vector<NamedAttr> attr_pool_;
  std::vector<RegionId> region_pool_;
};

// The user's own source position of an op or value, from its location: the innermost file position that is not inside
// jax or the standard library is left to the caller; this returns the first file position found in the order name ->
// child, call_site -> callee, fused -> first. Line 0: none.
struct UserPosition {
  std::string_view file;
  uint32_t line = 0, column = 0;
  std::string_view function;  // the name location around it, if any ("mlp")
};
UserPosition user_position(const Graph& graph, LocationId loc);

}  // namespace sw
