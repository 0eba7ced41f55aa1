// A program as XLA partitions it: HLO, with the sharding of every value. Both propagators work on forms of their own;
// each writes what it has worked on as HLO through HloWriter, so that partition/ knows one form only.
//
// The writer takes over the tables of the graph as read, so types and attributes of its ops hold as they are.
// Attributes are canonical (ir/attrs.h) and mean the same in both texts; what differs is that bodies of reductions and
// the like become computations of their own, and several results a tuple.
//
//   %2:2 = stablehlo.reduce(%0 init: %c), (%1 init: %d) ... reducer(...) { ... }
//   -> region_0 { ... tuple }   reduce = (f32[8], s32[8]) reduce(%0, %1, %c, %d), to_apply=region_0
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ir/builder.h"
#include "sharding/tile_grid.h"
#include "sharding/tile_sharding.h"
#include "source/diagnostic.h"

namespace sw {

struct LoweredProgram {
  Graph graph;                            // HLO
  std::vector<TileShardingId> shardings;  // by ValueId of `graph`; invalid: nothing said
  std::vector<ValueId> source_value;      // by ValueId of `graph`: the value as read; invalid: made up
  std::vector<OpId> source_op;            // by OpId of `graph`: the op as read that it was made for, or invalid
  size_t unknown_constants = 0;           // constants whose value is not known: their `value` is opaque
};

class HloWriter {
 public:
  explicit HloWriter(const Graph& source);

  struct Computation {
    FunctionId function;
    RegionId region;
    BlockId block;
  };
  Computation begin(std::string_view name);
  ValueId add_parameter(const Computation& in, TypeId type, TileShardingId sharding, ValueId source);

  struct Spec {
    OpKind kind = OpKind::unknown;
    OpId origin;  // as read; its name, place and (when `own_attrs`) attributes and bodies are taken over
    TypeId type;
    std::span<const ValueId> operands;
    std::span<const RegionId> called;  // of loops, branches, calls
    std::span<const int64_t> dims;     // broadcast, transpose, reduce, reverse, concatenate, sort, iota
    std::span<const NamedAttr> made;   // attributes that the op as read does not have
    bool own_attrs = true;
    TileShardingId sharding;
    ValueId source;
  };
  ValueId add(const Computation& in, const Spec& spec);
  ValueId add_tuple(const Computation& in, std::span<const ValueId> elements, TileShardingId sharding);
  ValueId add_element(const Computation& in, ValueId tuple, int64_t index, TileShardingId sharding, ValueId source,
                      OpId origin);
  // all_to_all in the steps of ops/dims_collective.h; invalid when it has none.
  ValueId add_all_to_all(const Computation& in, OpId origin, ValueId operand, TypeId type, TileShardingId sharding,
                         const std::function<TileShardingId(TypeId)>& on_the_way, ValueId source);
  // Ops are put in XLA's post-order, which is the order in which the partitioner visits them.
  void finish(const Computation& in, ValueId root);

  TileShardingId sharding(ValueId value) const { return out_.shardings[value.index()]; }

  GraphBuilder& builder() { return builder_; }
  const Graph& graph() const { return builder_.graph(); }
  // The `value` of a constant that XLA's folder computes and this program does not: no number, so that nobody takes it
  // for one, and unlike any other.
  NamedAttr unknown_constant();

  // Errors: a body that uses a value from outside.
  Result<LoweredProgram> take(const Computation& main, Diagnostics& diagnostics);

 private:
  std::vector<NamedAttr> attrs_of(const Spec& spec);
  // Adds those that `out` does not have yet.
  void own_attrs(const Op& op, std::vector<NamedAttr>& out);
  void dims_attr(OpKind kind, std::span<const int64_t> dims, std::vector<NamedAttr>& out);
  void dot_attr(TypeId lhs, std::vector<NamedAttr>& out);
  // The body of a reduction, comparison, scatter... as a computation; made once.
  RegionId computation_of(RegionId body);
  using Values = std::unordered_map<uint32_t, ValueId>;
  void copy_op(const Computation& in, OpId id, Values& values);
  std::vector<OpId> post_order(BlockId block) const;
  void note(ValueId value, TileShardingId sharding, ValueId source);

  const Graph& source_;
  GraphBuilder builder_;
  LoweredProgram out_;
  std::unordered_map<uint32_t, RegionId> bodies_;
  std::vector<StringId> dropped_;
  size_t computations_ = 0;
  OpId captures_;  // an op in a body that uses a value from outside the body
};

}  // namespace sw
