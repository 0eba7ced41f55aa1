#include "ir/builder.h"

#include "base/check.h"

namespace sw {

namespace {
template <class T>
Slice<T> append(std::vector<T>& pool, std::span<const T> items) {
  const auto begin = static_cast<uint32_t>(pool.size());
  pool.insert(pool.end(), items.begin(), items.end());
  return {begin, static_cast<uint32_t>(items.size())};
}
}  // namespace

Slice<NamedAttr> GraphBuilder::attrs(std::span<const NamedAttr> list) { return append(graph_.attr_pool_, list); }

LocationId GraphBuilder::location(Location location) {
  auto& all = graph_.locations_;
  for (size_t back = 1; back <= 4 && back <= all.size(); ++back)
    if (all[all.size() - back] == location) return LocationId{all.size() - back};
  all.push_back(std::move(location));
  return LocationId{all.size() - 1};
}

FunctionId GraphBuilder::add_function(Function function) {
  graph_.functions_.push_back(std::move(function));
  return FunctionId{graph_.functions_.size() - 1};
}

RegionId GraphBuilder::add_region(OpId owner, FunctionId function) {
  graph_.regions_.push_back({owner, function, {}});
  return RegionId{graph_.regions_.size() - 1};
}

BlockId GraphBuilder::add_block(RegionId parent, StringId label) {
  const BlockId id{graph_.blocks_.size()};
  graph_.blocks_.push_back({ValueId{graph_.values_.size()}, 0, parent, label, {}});
  graph_.regions_[parent.index()].blocks.push_back(id);
  return id;
}

ValueId GraphBuilder::add_arg(BlockId block_id, TypeId type, StringId name, SourceRange where, LocationId loc) {
  Block& block = graph_.blocks_[block_id.index()];
  const ValueId id{graph_.values_.size()};
  if (block.arg_count == 0) block.first_arg = id;
  SW_CHECK(block.first_arg.raw + block.arg_count == id.raw, "arguments of a block must be consecutive");
  graph_.values_.push_back({type, {}, block_id, block.arg_count, name, loc, where});
  ++block.arg_count;
  return id;
}

OpId GraphBuilder::reserve_op(BlockId block) {
  const OpId id{graph_.ops_.size()};
  graph_.ops_.emplace_back();
  graph_.ops_.back().parent = block;
  if (block.valid()) graph_.blocks_[block.index()].ops.push_back(id);
  return id;
}

void GraphBuilder::fill_op(OpId id, const OpSpec& spec) {
  const Slice<ValueId> operands = append(graph_.operand_pool_, spec.operands);
  const Slice<NamedAttr> attrs = append(graph_.attr_pool_, spec.attrs);
  Op& op = graph_.ops_[id.index()];
  op.kind = spec.kind;
  op.generic_form = spec.generic_form;
  op.name = spec.name;
  op.operands = operands;
  op.attrs = attrs;
  op.loc = spec.loc;
  op.where = spec.where;
  op.first_result = ValueId{graph_.values_.size()};
  op.result_count = static_cast<uint32_t>(spec.result_types.size());
  for (uint32_t i = 0; i < op.result_count; ++i)
    graph_.values_.push_back({spec.result_types[i], id, {}, i, spec.result_name, spec.loc, spec.where});
}

OpId GraphBuilder::add_op(BlockId block, const OpSpec& spec) {
  const OpId id = reserve_op(block);
  fill_op(id, spec);
  return id;
}

void GraphBuilder::set_regions(OpId op, std::span<const RegionId> regions) {
  graph_.ops_[op.index()].regions = append(graph_.region_pool_, regions);
}

void GraphBuilder::set_operand(OpId op, size_t i, ValueId value) {
  const Slice<ValueId> slice = graph_.ops_[op.index()].operands;
  SW_CHECK(i < slice.count, "operand number out of range");
  graph_.operand_pool_[slice.begin + i] = value;
}

void GraphBuilder::set_operands(OpId op, std::span<const ValueId> values) {
  graph_.ops_[op.index()].operands = append(graph_.operand_pool_, values);
}

void GraphBuilder::set_attrs(OpId op, std::span<const NamedAttr> attrs) {
  graph_.ops_[op.index()].attrs = append(graph_.attr_pool_, attrs);
}

}  // namespace sw
