// The only way to make or change a Graph. A reader or a rewriting stage owns one, fills it and takes the graph out.
#pragma once

#include <utility>

#include "ir/graph.h"

namespace sw {

class GraphBuilder {
 public:
  GraphBuilder() = default;
  // Goes on from an existing graph (a stage that rewrites a copy).
  explicit GraphBuilder(Graph graph) : graph_(std::move(graph)) {}

  const Graph& graph() const { return graph_; }
  Graph take() { return std::move(graph_); }

  StringInterner& strings() { return graph_.strings; }
  TypeTable& types() { return graph_.types; }
  AttrTable& attr_table() { return graph_.attr_table; }
  StringId name(std::string_view text) { return graph_.strings.intern(text); }

  Slice<NamedAttr> attrs(std::span<const NamedAttr> list);
  // Named attributes in canonical form.
  NamedAttr integer_attr(std::string_view key, int64_t value) {
    return {name(key), graph_.attr_table.integer(value, graph_.types.scalar(ElementType::s64))};
  }
  NamedAttr dims_attr(std::string_view key, std::span<const int64_t> values) {
    return {name(key), graph_.attr_table.dense_array(graph_.types.scalar(ElementType::s64), values)};
  }
  NamedAttr text_attr(std::string_view key, std::string_view value) {
    return {name(key), graph_.attr_table.string(value)};
  }
  LocationId location(Location location);  // interned only against the last few; cheap

  FunctionId add_function(Function function);
  Function& function(FunctionId id) { return graph_.functions_[id.index()]; }
  RegionId add_region(OpId owner, FunctionId function);
  BlockId add_block(RegionId parent, StringId label = {});
  // Arguments of a block must be added one after the other.
  ValueId add_arg(BlockId block, TypeId type, StringId name, SourceRange where = {}, LocationId loc = {});

  // Makes an op with `result_types.size()` fresh results and appends it to `block` (when valid). Regions are added
  // after the op exists (their owner is its id) and attached with set_regions.
  struct OpSpec {
    OpKind kind = OpKind::unknown;
    StringId name;
    std::span<const ValueId> operands;
    std::span<const TypeId> result_types;
    std::span<const NamedAttr> attrs;
    StringId result_name;
    LocationId loc;
    SourceRange where;
    bool generic_form = false;
  };
  OpId add_op(BlockId block, const OpSpec& spec);
  // Makes an op id whose parts are set later: readers need the id of an op before its operands and types are known.
  OpId reserve_op(BlockId block);
  void fill_op(OpId id, const OpSpec& spec);

  // All locations of another graph, so that ids into it hold here.
  void copy_locations(const Graph& from) { graph_.locations_ = from.locations_; }

  void set_regions(OpId op, std::span<const RegionId> regions);
  void set_operand(OpId op, size_t i, ValueId value);
  void set_operands(OpId op, std::span<const ValueId> values);
  void set_attrs(OpId op, std::span<const NamedAttr> attrs);
  void set_location(OpId op, LocationId loc) { graph_.ops_[op.index()].loc = loc; }
  void set_where(OpId op, SourceRange where) { graph_.ops_[op.index()].where = where; }
  void set_block_ops(BlockId block, std::vector<OpId> ops) { graph_.blocks_[block.index()].ops = std::move(ops); }
  void set_result_name(ValueId value, StringId name) { graph_.values_[value.index()].name = name; }
  void set_value_location(ValueId value, LocationId loc) { graph_.values_[value.index()].loc = loc; }
  void set_value_where(ValueId value, SourceRange where) { graph_.values_[value.index()].where = where; }
  void set_value_type(ValueId value, TypeId type) { graph_.values_[value.index()].type = type; }
  void set_module(StringId name, Slice<NamedAttr> attrs) {
    graph_.module_name = name;
    graph_.module_attrs = attrs;
  }
  void set_main(FunctionId id) { graph_.main = id; }
  void set_is_hlo(bool is_hlo) { graph_.is_hlo = is_hlo; }

 private:
  Graph graph_;
};

}  // namespace sw
