// Partition rule of custom calls: the borders of manual regions, annotations, and computation that XLA knows by name.
// Follows HandleCustomCall of XLA (custom_call_handler.cc) and JAX's registered batch partitioner.
#include <string>

#include "partition/visitor.h"

namespace sw {

namespace {

std::string call_target(const Visitor& v) {
  const Graph& graph = v.context.emit.graph();
  const AttrId attr = graph.attr(graph.op(v.op()), "call_target_name");
  return attr.valid() ? std::string(graph.attr_table.get(attr).text) : std::string();
}

// The operand is the piece already; padding that every device sees is zero.
void enter_manual_region(Visitor& v) {
  ShardedValue operand = v.operand(0);
  const Dims full = v.operand_dims(0);
  if (!tiles_evenly(full, v.context.at(operand.sharding)) && is_tiled(v.context.at(operand.sharding)))
    operand = mask_padding_with_zero(v.context, operand);
  v.finish(v.emit().copy(operand.value));
}

void keep_manual_call(Visitor& v) {
  std::vector<ValueId> operands;
  for (size_t i = 0; i < v.operand_count(); ++i) operands.push_back(v.operand(i).value);
  v.finish(v.emit().clone(v.op(), v.full_type(), operands));
}

// Moved between memories without a reshard before it.
void keep_operand_sharding(Visitor& v) {
  const ShardedValue operand = v.operand(0);
  v.finish(v.clone_as(operand.sharding, std::span(&operand.value, 1)));
}

// JAX registers its linear algebra calls with the number of leading batch dimensions, which may be tiled.
std::optional<size_t> batch_dim_count(const Visitor& v) {
  const Graph& graph = v.context.emit.graph();
  const AttrId attrs = graph.attr(graph.op(v.op()), "mhlo.frontend_attributes");
  if (!attrs.valid()) return std::nullopt;
  const StringId name = graph.strings.find("num_batch_dims");
  const AttrId count = Graph::find(graph.attr_table.get(attrs).fields, name);
  if (!count.valid()) return std::nullopt;
  const std::string text(graph.attr_table.get(count).text);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 3) return std::nullopt;
  return static_cast<size_t>(std::stoi(text));
}

TileSharding with_rank(TileSharding batch, size_t batch_dims, size_t rank) {
  if (!is_tiled(batch)) return batch;
  TileDims tiles = grid_of(batch).dims;
  for (size_t d = batch_dims; d < rank; ++d) tiles.insert(tiles.begin() + static_cast<std::ptrdiff_t>(d), 1);
  return tiles_like(batch, reshaped(grid_of(batch), tiles));
}

void partition_batched(Visitor& v, size_t batch_dims) {
  Context& context = v.context;
  std::vector<TileSharding> all;
  for (size_t i = 0; i < v.operand_count(); ++i) {
    const size_t rank = v.operand_dims(i).size();
    DimList inner;
    for (size_t d = batch_dims; d < rank; ++d) inner.push_back(static_cast<int64_t>(d));
    all.push_back(remove_dims(replicate_dims(context.at(v.operand(i).sharding), inner), inner));
  }
  const TileSharding batch = common_sharding(all);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < v.operand_count(); ++i)
    operands.push_back(
        reshard(context, v.operand(i), context.id(with_rank(batch, batch_dims, v.operand_dims(i).size()))).value);
  const Type type = v.graph().types.get(v.full_type());
  if (type.kind != TypeKind::tuple)
    return v.finish(v.clone_as(context.id(with_rank(batch, batch_dims, type.rank())), operands));
  TileSharding tuple;
  tuple.kind = TileKind::tuple;
  for (TypeId element : std::vector<TypeId>(type.elements.begin(), type.elements.end()))
    tuple.elements.push_back(context.id(with_rank(batch, batch_dims, v.graph().types.get(element).rank())));
  v.finish(v.clone_as(context.id(tuple), operands));
}

}  // namespace

void partition_custom_call(Visitor& v) {
  const std::string target = call_target(v);
  if (const auto batch = batch_dim_count(v); batch && !is_manual(v.sharding())) return partition_batched(v, *batch);
  if (target == "SPMDFullToShardShape") return enter_manual_region(v);
  if (target == "SPMDShardToFullShape") return v.finish(v.emit().copy(v.operand(0).value));
  const TileSharding s = v.context.at(leaf_sharding(v.context, v.sharding_id(), 0));
  if (is_manual(s)) return keep_manual_call(v);
  if (target == "annotate_device_placement" || target == "MoveToDevice" || target == "PinToDevice" ||
      target == "PinToDeviceSram")
    return keep_operand_sharding(v);
  if (target == "MoveToHost" || target == "LayoutConstraint") return v.elementwise_rule();
  if (target == "TopK") return partition_top_k(v);
  v.default_rule();
}

}  // namespace sw
